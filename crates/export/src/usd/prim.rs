//! Clouds and meshes as prims: their attributes, what of these is the same in all frames, and what
//! each frame has.

use super::text;
use crate::frame::{Cloud, FramePart, Mesh, Points, Values, bounds};
use crate::label::{FluidMaterial, Label, linear};
use std::fmt::Write as _;

/// The prim that holds all others.
pub const TOP: &str = "run";

/// A property of a prim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Type and name: `point3f[] points`.
    pub declaration: String,
    /// Metadata in parentheses, or nothing.
    pub metadata: &'static str,
}

impl Property {
    fn new(declaration: impl Into<String>) -> Property {
        Property { declaration: declaration.into(), metadata: "" }
    }

    fn per_vertex(declaration: impl Into<String>) -> Property {
        Property { metadata: " (interpolation = \"vertex\")", ..Property::new(declaration) }
    }
}

/// A prim of a frame.
pub struct Prim {
    /// Its name.
    pub name: String,
    /// Its type: `Mesh` or `Points`.
    pub kind: &'static str,
    /// Lines that hold in all frames.
    pub fixed: String,
    /// What changes, each with its value.
    pub values: Vec<(Property, String)>,
    /// Whether it has any point.
    pub has_points: bool,
}

/// Colours of parts that have a look of their own, and how opaque they are (linear).
fn display_style(part: FramePart) -> ([f64; 3], f64) {
    match part {
        FramePart::Particles => ([0.05, 0.2, 0.45], 1.0),
        FramePart::Surface | FramePart::Spray => ([0.1, 0.3, 0.5], 0.7),
        FramePart::Foam => ([0.9, 0.95, 1.0], 1.0),
        FramePart::Elastic => ([0.5, 0.1, 0.08], 1.0),
        FramePart::Solids | FramePart::Bodies => ([0.55, 0.5, 0.45], 1.0),
    }
}

/// The line of a colour, which a fluid may have of its own.
fn display(part: FramePart, fluid: Option<&FluidMaterial>) -> String {
    let (colour, opacity) = display_style(part);
    let colour = fluid.and_then(|fluid| fluid.colour).map_or(colour, linear);
    let colour = text::tuple(&colour);
    let mut lines = format!("color3f[] primvars:displayColor = [{colour}]\n");
    if opacity < 1.0 {
        let _ = writeln!(lines, "float[] primvars:displayOpacity = [{opacity}]");
    }
    lines
}

impl Prim {
    /// A cloud of points.
    pub fn from_cloud(cloud: &Cloud, bits: Option<u32>) -> Prim {
        let points = &cloud.points;
        let radii = points.floats("radius");
        let mut fixed = display(cloud.part, None);
        let largest = radii.unwrap_or_default().iter().copied().fold(0.0, f32::max);
        let is_uniform = cloud.part == FramePart::Particles;
        let mut values = common(points, f64::from(largest), bits);
        match radii {
            // All particles of a fluid have one.
            Some(_) if is_uniform => {
                let _ = writeln!(
                    fixed,
                    "float[] widths = [{}] (interpolation = \"constant\")",
                    2.0 * f64::from(largest)
                );
            }
            Some(radii) => {
                let widths: Vec<f32> = radii.iter().map(|radius| 2.0 * radius).collect();
                let widths = text::floats(&widths, bits);
                values.push((Property::per_vertex("float[] widths"), widths));
            }
            None => {}
        }
        if let Some(ids) = points.ids() {
            values.push((Property::new("int64[] ids"), text::whole(ids)));
        }
        values.extend(primvars(points, &["velocity", "radius", "id"], bits));
        let has_points = !points.positions.is_empty();
        Prim { name: text::identifier(&cloud.name), kind: "Points", fixed, values, has_points }
    }

    /// A mesh, whose label may have a material.
    pub fn from_mesh(mesh: &Mesh, label: Option<&Label>, bits: Option<u32>) -> Prim {
        let points = &mesh.points;
        let mut values = common(points, 0.0, bits);
        let counts = text::array(&mesh.triangles, |_, text| text.push('3'));
        values.push((Property::new("int[] faceVertexCounts"), counts));
        let corners = text::whole(mesh.triangles.as_flattened());
        values.push((Property::new("int[] faceVertexIndices"), corners));
        if let Some(normals) = points.vectors("normal") {
            let normals = text::vectors(normals, bits.map(|bits| bits.min(NORMAL_BITS)));
            values.push((Property::per_vertex("normal3f[] normals"), normals));
        }
        values.extend(primvars(points, &["velocity", "normal"], bits));
        let fluid = label.and_then(|label| label.material.as_ref());
        let fixed = display(mesh.part, fluid) + "uniform token subdivisionScheme = \"none\"\n";
        let has_points = !points.positions.is_empty();
        Prim { name: text::identifier(&mesh.name), kind: "Mesh", fixed, values, has_points }
    }
}

/// Bits of normals that are quantised: 12 turn them by less than 0.04°.
const NORMAL_BITS: u32 = 12;

/// What clouds and meshes have: places, their extent with a margin \[m\], and velocities.
fn common(points: &Points, margin: f64, bits: Option<u32>) -> Vec<(Property, String)> {
    let [min, max] = bounds(&points.positions);
    let margin = margin as f32;
    let extent = [min.map(|x| x - margin), max.map(|x| x + margin)];
    let mut values = vec![
        (Property::new("float3[] extent"), text::vectors(&extent, None)),
        (Property::new("point3f[] points"), text::vectors(&points.positions, bits)),
    ];
    if let Some(velocity) = points.vectors("velocity") {
        values.push((Property::new("vector3f[] velocities"), text::vectors(velocity, bits)));
    }
    values
}

/// The other attributes.
fn primvars<'a>(
    points: &'a Points,
    known: &'a [&str],
    bits: Option<u32>,
) -> impl Iterator<Item = (Property, String)> + 'a {
    points.others(known).map(move |attribute| {
        let kind = match attribute.values {
            Values::Floats(_) => "float",
            Values::Vectors(_) => "vector3f",
            Values::Labels(_) => "int",
            Values::Ids(_) => "int64",
        };
        let name = text::identifier(&attribute.name);
        let property = Property::per_vertex(format!("{kind}[] primvars:{name}"));
        (property, text::values(&attribute.values, bits))
    })
}
