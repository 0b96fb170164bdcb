//! Surfaces, obstacles and particles as binary little-endian PLY, for Blender, ParaView and others.
//!
//! Source: Turk, *The PLY Polygon File Format* (1994). Names and types as Blender, trimesh and
//! Open3D read them: `nx ny nz` become normals, `vx vy vz` come in as three attributes. Numbers
//! are `float`, as a mesh in Blender is, whatever the precision of the state; labels are `uint`.
//! Other whole numbers are `int`, or `double` where they need more than 32 bits: PLY has no
//! integers of 64. [`MAX_WHOLE`] tells up to where these are exact.
//!
//! Types are no wider than needed: labels below 256 are `uchar`, and the corners of faces `ushort`
//! in a mesh of up to 65 536 vertices.

use super::obstacles::Obstacle;
use super::particle_arrays::{ParticleFrame, in_order};
use crate::disk::content::{Content, Pieces};
use hashfall_core::{Attribute, Real, Values, Vec3};
use hashfall_surface::SurfaceMesh;

/// The largest magnitude up to which the format holds every whole number, in a `double`.
pub const MAX_WHOLE: i128 = 1 << f64::MANTISSA_DIGITS;

/// Vertices of which each has a number of 16 bits.
const NARROW: usize = 1 << 16;

/// What is written of a particle beside its place: 36 bytes with it, for pictures.
const PARTICLE_ARRAYS: [&str; 4] = ["velocity", "id", "phase", "radius"];

/// The fluid's surface: position \[m\], unit normal, attributes. `velocity` is `vx vy vz`; the
/// parts of another vector are its name with `_x`, `_y`, `_z`.
pub fn surface(mesh: &SurfaceMesh) -> Content<'_> {
    Content::new(|pieces| {
        let mut properties = vec![Property::vectors("nx ny nz", &mesh.normals)];
        properties.extend(mesh.attributes.iter().map(Property::from_attribute));
        put_all(&mesh.positions, &properties, Some(&mesh.triangles), pieces);
    })
}

/// The particles as points: position \[m\], `vx vy vz` \[m/s\], `id`, `phase` and `radius` \[m\].
pub fn particles<'a>(frame: &ParticleFrame<'a>) -> Content<'a> {
    let frame = *frame;
    Content::new(move |pieces| {
        let (positions, arrays) = in_order(&frame);
        let is_written = |array: &&Attribute| PARTICLE_ARRAYS.contains(&&*array.name);
        let properties: Vec<Property> =
            arrays.iter().filter(is_written).map(Property::from_attribute).collect();
        put_all(&positions, &properties, None, pieces);
    })
}

/// An obstacle, with normals where it is smooth.
pub fn obstacle<'a>(obstacle: &'a Obstacle<'_>) -> Content<'a> {
    Content::new(|pieces| {
        let normals = obstacle.normals.iter().map(|n| Property::vectors("nx ny nz", n));
        let normals: Vec<Property> = normals.collect();
        put_all(&obstacle.mesh.vertices, &normals, Some(&obstacle.mesh.triangles), pieces);
    })
}

/// Values of the vertices and the names of their parts.
struct Property<'a> {
    names: String,
    column: Column<'a>,
}

/// Values as the file holds them.
enum Column<'a> {
    Floats(&'a [Real]),
    Vectors(&'a [Vec3]),
    Labels(&'a [u32]),
    SmallLabels(&'a [u32]),
    Ints(Vec<i32>),
    Doubles(Vec<f64>),
}

impl<'a> Property<'a> {
    fn place(positions: &'a [Vec3]) -> Self {
        Property::vectors("x y z", positions)
    }

    fn vectors(names: &str, vectors: &'a [Vec3]) -> Self {
        Property { names: names.into(), column: Column::Vectors(vectors) }
    }

    fn from_attribute(attribute: &'a Attribute) -> Self {
        // A name in a PLY head ends at the first space.
        let name = attribute.name.replace(char::is_whitespace, "_");
        match &attribute.values {
            Values::Vectors(vectors) if name == "velocity" => {
                Property::vectors("vx vy vz", vectors)
            }
            Values::Vectors(vectors) => {
                Property::vectors(&format!("{name}_x {name}_y {name}_z"), vectors)
            }
            Values::Scalars(scalars) => Property { names: name, column: Column::Floats(scalars) },
            Values::Labels(labels) => Property { names: name, column: Column::of_labels(labels) },
            Values::Integers(integers) => {
                Property { names: name, column: Column::whole_numbers(integers) }
            }
        }
    }

    fn put(&self, vertex: usize, pieces: &mut Pieces<'_>) {
        match &self.column {
            Column::Floats(floats) => pieces.put([single(floats[vertex])]),
            Column::Vectors(vectors) => pieces.put(<[Real; 3]>::from(vectors[vertex]).map(single)),
            Column::Labels(labels) => pieces.put([labels[vertex]]),
            Column::SmallLabels(labels) => pieces.put([labels[vertex] as u8]),
            Column::Ints(ints) => pieces.put([ints[vertex]]),
            Column::Doubles(doubles) => pieces.put([doubles[vertex]]),
        }
    }
}

impl<'a> Column<'a> {
    /// `uchar` where all labels fit, else `uint`.
    fn of_labels(labels: &'a [u32]) -> Self {
        let are_small = labels.iter().all(|&label| label <= u8::MAX.into());
        if are_small { Column::SmallLabels(labels) } else { Column::Labels(labels) }
    }

    /// `int` where all numbers fit, else `double`.
    fn whole_numbers(integers: &[i128]) -> Self {
        let ints: Result<Vec<i32>, _> = integers.iter().map(|&x| i32::try_from(x)).collect();
        ints.map_or_else(
            |_| Column::Doubles(integers.iter().map(|&x| x as f64).collect()),
            Column::Ints,
        )
    }

    /// The type of each part.
    fn number_type(&self) -> &'static str {
        match self {
            Column::Floats(_) | Column::Vectors(_) => "float",
            Column::Labels(_) => "uint",
            Column::SmallLabels(_) => "uchar",
            Column::Ints(_) => "int",
            Column::Doubles(_) => "double",
        }
    }
}

/// Vertices with their properties; then triangles, if they make faces.
fn put_all(
    positions: &[Vec3],
    attributes: &[Property],
    triangles: Option<&[[u32; 3]]>,
    pieces: &mut Pieces<'_>,
) {
    let vertices = positions.len();
    let place = Property::place(positions);
    let properties = || [&place].into_iter().chain(attributes);
    let mut head = format!("ply\nformat binary_little_endian 1.0\nelement vertex {vertices}\n");
    for property in properties() {
        let number_type = property.column.number_type();
        for name in property.names.split(' ') {
            head.push_str(&format!("property {number_type} {name}\n"));
        }
    }
    let is_narrow = vertices <= NARROW;
    if let Some(triangles) = triangles {
        let (faces, corner) = (triangles.len(), if is_narrow { "ushort" } else { "uint" });
        head.push_str(&format!("element face {faces}\n"));
        head.push_str(&format!("property list uchar {corner} vertex_indices\n"));
    }
    head.push_str("end_header\n");
    pieces.put_bytes(head.as_bytes());
    for vertex in 0..vertices {
        properties().for_each(|property| property.put(vertex, pieces));
    }
    for &triangle in triangles.unwrap_or_default() {
        pieces.put([3_u8]);
        if is_narrow {
            pieces.put(triangle.map(|vertex| vertex as u16));
        } else {
            pieces.put(triangle);
        }
    }
}

/// Rounds to single precision.
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f64")]
fn single(x: Real) -> f32 {
    x as f32
}
