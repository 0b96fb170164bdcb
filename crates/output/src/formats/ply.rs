//! Surfaces, obstacles and particles as binary little-endian PLY, for Blender, ParaView and others.
//!
//! Source: Turk, *The PLY Polygon File Format* (1994). Names and types as Blender, trimesh and
//! Open3D read them: `nx ny nz` become normals, `vx vy vz` come in as three attributes. Numbers
//! are `float`, as a mesh in Blender is, whatever the precision of the state; labels are `uint`,
//! but `phase`, of which a run has at most 256, is `uchar`. In files of other programs there may be
//! more: then it is `uint`, too. No type of a run's series changes from frame to frame but that of
//! the corners of faces, which are `ushort` in a mesh of up to 65 536 vertices.
//!
//! Other whole numbers are `int`, or `double` where they need more than 32 bits: PLY has no
//! integers of 64. [`MAX_WHOLE`] tells up to where these are exact.
//!
//! The crate ply-rs-bw writes the head, line by line, as its maps of names would drop one of two
//! attributes of the same name. Rows are written here: it takes memory for each.

use super::obstacles::Obstacle;
use super::particle_arrays::{ParticleFrame, in_order};
use crate::disk::content::{Content, Pieces};
use hashfall_core::{Attribute, Real, Values, Vec3};
use hashfall_surface::SurfaceMesh;
use ply_rs_bw::ply::Version;
use ply_rs_bw::ply::{DefaultElement, ElementDef, Encoding, PropertyDef, PropertyType, ScalarType};
use ply_rs_bw::writer::Writer;
use std::io;

/// The largest magnitude up to which the format holds every whole number, in a `double`.
pub const MAX_WHOLE: i128 = 1 << f64::MANTISSA_DIGITS;

/// Vertices of which each has a number of 16 bits.
const NARROW: usize = 1 << 16;

/// A label that is written in 8 bits.
const PHASE: &str = "phase";
/// Labels that are written in 8 bits.
const NARROW_LABELS: [&str; 2] = [PHASE, "type"];

/// What is written of a particle beside its place: 33 bytes with it, for pictures.
const PARTICLE_ARRAYS: [&str; 4] = ["velocity", "id", PHASE, "radius"];

/// The fluid's surface: position \[m\], unit normal, attributes. `velocity` is `vx vy vz`; the
/// parts of another vector are its name with `_x`, `_y`, `_z`.
pub fn surface(mesh: &SurfaceMesh) -> Content<'_> {
    Content::new(|pieces| {
        let mut properties =
            vec![Property::place(&mesh.positions), Property::vectors("nx ny nz", &mesh.normals)];
        properties.extend(mesh.attributes.iter().map(Property::from_attribute));
        let triangles = Triangles { count: mesh.triangles.len(), of: &|k| mesh.triangles[k] };
        put_all(mesh.positions.len(), &properties, Some(triangles), pieces);
    })
}

/// The particles as points: position \[m\], `vx vy vz` \[m/s\], `id`, `phase` and `radius` \[m\].
pub fn particles<'a>(frame: &ParticleFrame<'a>) -> Content<'a> {
    let frame = *frame;
    Content::new(move |pieces| {
        let (positions, arrays) = in_order(&frame);
        let is_written = |array: &&Attribute| PARTICLE_ARRAYS.contains(&&*array.name);
        let mut properties = vec![Property::place(&positions)];
        properties.extend(arrays.iter().filter(is_written).map(Property::from_attribute));
        put_all(positions.len(), &properties, None, pieces);
    })
}

/// Points with attributes.
pub(crate) fn point_cloud<'a>(
    positions: &'a [Vec3],
    attributes: Vec<Attribute<'a>>,
) -> Content<'a> {
    Content::new(move |pieces| {
        let mut properties = vec![Property::place(positions)];
        properties.extend(attributes.iter().map(Property::from_attribute));
        put_all(positions.len(), &properties, None, pieces);
    })
}

/// An obstacle, with normals where it is smooth.
pub fn obstacle<'a>(obstacle: &Obstacle<'a>) -> Content<'a> {
    let drawing = obstacle.drawing();
    Content::new(move |pieces| {
        let place = Property::computed("x y z", |vertex| drawing.vertex(vertex));
        let normal = Property::computed("nx ny nz", |vertex| drawing.normal(vertex));
        let mut properties = vec![place, normal];
        properties.truncate(if drawing.is_smooth() { 2 } else { 1 });
        let triangles = Triangles { count: drawing.triangles(), of: &|k| drawing.triangle(k) };
        put_all(drawing.vertices(), &properties, Some(triangles), pieces);
    })
}

/// Bytes of a triangle among this number of vertices: a count and three corners.
pub(crate) fn triangle_length(vertices: usize) -> u64 {
    if vertices <= NARROW { 1 + 3 * 2 } else { 1 + 3 * 4 }
}

/// Triangles by their numbers.
struct Triangles<'a> {
    count: usize,
    of: &'a dyn Fn(usize) -> [u32; 3],
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
    ComputedVectors(Box<dyn Fn(usize) -> Vec3 + 'a>),
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

    fn computed(names: &str, vector: impl Fn(usize) -> Vec3 + 'a) -> Self {
        Property { names: names.into(), column: Column::ComputedVectors(Box::new(vector)) }
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
            Values::Labels(labels) => {
                let column = Column::of_labels(&name, labels);
                Property { names: name, column }
            }
            Values::Integers(integers) => {
                Property { names: name, column: Column::whole_numbers(integers) }
            }
        }
    }

    fn put(&self, vertex: usize, pieces: &mut Pieces<'_>) {
        match &self.column {
            Column::Floats(floats) => pieces.put([single(floats[vertex])]),
            Column::Vectors(vectors) => put_vector(&vectors[vertex], pieces),
            Column::ComputedVectors(vector) => put_vector(&vector(vertex), pieces),
            Column::Labels(labels) => pieces.put([labels[vertex]]),
            Column::SmallLabels(labels) => pieces.put([labels[vertex] as u8]),
            Column::Ints(ints) => pieces.put([ints[vertex]]),
            Column::Doubles(doubles) => pieces.put([doubles[vertex]]),
        }
    }
}

impl<'a> Column<'a> {
    /// `uchar` for phases and types that fit, `uint` for all others.
    fn of_labels(name: &str, labels: &'a [u32]) -> Self {
        let is_narrow =
            NARROW_LABELS.contains(&name) && labels.iter().all(|&label| label <= u8::MAX.into());
        if is_narrow { Column::SmallLabels(labels) } else { Column::Labels(labels) }
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
    fn number_type(&self) -> ScalarType {
        match self {
            Column::Floats(_) | Column::Vectors(_) | Column::ComputedVectors(_) => {
                ScalarType::Float
            }
            Column::Labels(_) => ScalarType::UInt,
            Column::SmallLabels(_) => ScalarType::UChar,
            Column::Ints(_) => ScalarType::Int,
            Column::Doubles(_) => ScalarType::Double,
        }
    }
}

/// Vertices with their properties, of which their places come first; then triangles, if they make
/// faces.
fn put_all(
    vertices: usize,
    properties: &[Property],
    triangles: Option<Triangles>,
    pieces: &mut Pieces<'_>,
) {
    let faces = triangles.as_ref().map(|triangles| triangles.count);
    pieces.put_bytes(&head(vertices, properties, faces));
    let is_narrow = vertices <= NARROW;
    for vertex in 0..vertices {
        properties.iter().for_each(|property| property.put(vertex, pieces));
    }
    let Some(Triangles { count, of }) = triangles else { return };
    for triangle in (0..count).map(of) {
        pieces.put([3_u8]);
        if is_narrow {
            pieces.put(triangle.map(|vertex| vertex as u16));
        } else {
            pieces.put(triangle);
        }
    }
}

/// The head of a file with this number of vertices, and faces if there are any.
fn head(vertices: usize, properties: &[Property], faces: Option<usize>) -> Vec<u8> {
    let mut head = Vec::new();
    match write_head(&mut head, vertices, properties, faces) {
        Ok(()) => head,
        Err(error) => unreachable!("memory takes all that is written: {error}"),
    }
}

fn write_head(
    head: &mut Vec<u8>,
    vertices: usize,
    properties: &[Property],
    faces: Option<usize>,
) -> io::Result<()> {
    let writer = Writer::<DefaultElement>::new();
    let element = |name: &str, count| ElementDef { count, ..ElementDef::new(name.into()) };
    writer.write_line_magic_number(head)?;
    let version = Version { major: 1, minor: 0 };
    writer.write_line_format(head, &Encoding::BinaryLittleEndian, &version)?;
    writer.write_line_element_definition(head, &element("vertex", vertices))?;
    for property in properties {
        let number_type = PropertyType::Scalar(property.column.number_type());
        for name in property.names.split(' ') {
            let definition = PropertyDef::new(name.into(), number_type.clone());
            writer.write_line_property_definition(head, &definition)?;
        }
    }
    if let Some(faces) = faces {
        let corner = if vertices <= NARROW { ScalarType::UShort } else { ScalarType::UInt };
        let corners = PropertyType::List(ScalarType::UChar, corner);
        writer.write_line_element_definition(head, &element("face", faces))?;
        let definition = PropertyDef::new("vertex_indices".into(), corners);
        writer.write_line_property_definition(head, &definition)?;
    }
    writer.write_line_end_header(head)?;
    Ok(())
}

fn put_vector(vector: &Vec3, pieces: &mut Pieces<'_>) {
    pieces.put(<[Real; 3]>::from(*vector).map(single));
}

/// Rounds to single precision.
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f64")]
fn single(x: Real) -> f32 {
    x as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_surface::{SurfaceBuilder, SurfaceSettings};

    /// Particles of a block, off their lattice.
    fn block() -> Vec<[f64; 3]> {
        let jitter = |seed: f64| 0.2 * (seed * 0.754_877_67).fract();
        let point = |i: u32| {
            let at = [i % 14, i / 14 % 14, i / 196].map(f64::from);
            [0.0, 1.0, 2.0].map(|a| at[a as usize] + jitter(3.0 * f64::from(i) + a))
        };
        (0..14 * 14 * 6).map(point).collect()
    }

    #[test]
    fn a_default_surface_is_lighter_than_a_raw_one_on_the_same_cells() {
        let points = block();
        let attributes = [
            Attribute::new("velocity", Values::Vectors(vec![Vec3::x(); points.len()].into())),
            Attribute::new("phase", Values::Labels(vec![1; points.len()].into())),
            Attribute::new("age", Values::Scalars(vec![0.5; points.len()].into())),
        ];
        let length = |settings| {
            let builder = SurfaceBuilder::new(0.5).settings(settings).attributes(&attributes);
            let mesh = builder.mesh(&points).unwrap().main;
            surface(&mesh).into_bytes().len() as f64
        };
        // A block along the grid has the fewest slivers: on fine cells nearly all vertices stay.
        for (cell, bound) in [(SurfaceSettings::default().cell, 1.0), (0.75, 0.8)] {
            let finished = SurfaceSettings { cell, ..SurfaceSettings::default() };
            let raw = SurfaceSettings { cell, ..SurfaceSettings::raw() };
            let part = length(finished) / length(raw);
            println!("{part:.3} of the bytes of the raw surface on cells of {cell} r");
            assert!(part < bound, "{part} of the bytes of the raw surface on cells of {cell} r");
        }
    }
}
