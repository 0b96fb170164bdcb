//! Surfaces and obstacles as binary little-endian PLY, for Blender.
//!
//! Source: Turk, *The PLY Polygon File Format* (1994). Names and types as Blender, trimesh and
//! Open3D read them: `nx ny nz` become normals, `vx vy vz` come in as three attributes. Numbers
//! are `float`, as a mesh in Blender is, whatever the precision of the state; labels are `uint`.

use super::little_endian::Scalar;
use super::obstacles::Obstacle;
use crate::base::{Attribute, Real, Values, Vec3};
use crate::surface::SurfaceMesh;

/// The fluid's surface: position \[m\], unit normal, attributes. `velocity` is `vx vy vz`; the
/// parts of another vector are its name with `_x`, `_y`, `_z`.
pub fn surface(mesh: &SurfaceMesh) -> Vec<u8> {
    let mut properties =
        vec![Property::place(&mesh.positions), Property::vectors("nx ny nz", &mesh.normals)];
    properties.extend(mesh.attributes.iter().map(Property::of));
    encode(&properties, &mesh.triangles)
}

/// An obstacle, with normals where it is smooth.
pub fn obstacle(obstacle: &Obstacle) -> Vec<u8> {
    let mut properties = vec![Property::place(&obstacle.mesh.vertices)];
    properties.extend(obstacle.normals.iter().map(|n| Property::vectors("nx ny nz", n)));
    encode(&properties, &obstacle.mesh.triangles)
}

/// Values of the vertices and the names of their parts.
struct Property<'a> {
    names: String,
    values: Values<'a>,
}

impl<'a> Property<'a> {
    fn place(positions: &'a [Vec3]) -> Self {
        Property::vectors("x y z", positions)
    }

    fn vectors(names: &str, vectors: &'a [Vec3]) -> Self {
        Property { names: names.into(), values: Values::Vectors(vectors.into()) }
    }

    fn of(attribute: &'a Attribute) -> Self {
        // A name in a PLY head ends at the first space.
        let name = attribute.name.replace(char::is_whitespace, "_");
        match &attribute.values {
            Values::Vectors(vectors) if name == "velocity" => {
                Property::vectors("vx vy vz", vectors)
            }
            Values::Vectors(vectors) => {
                Property::vectors(&format!("{name}_x {name}_y {name}_z"), vectors)
            }
            Values::Scalars(scalars) => {
                Property { names: name, values: Values::Scalars((&**scalars).into()) }
            }
            Values::Labels(labels) => {
                Property { names: name, values: Values::Labels((&**labels).into()) }
            }
        }
    }

    fn number_type(&self) -> &'static str {
        if matches!(self.values, Values::Labels(_)) { "uint" } else { "float" }
    }

    fn put(&self, vertex: usize, bytes: &mut Vec<u8>) {
        match &self.values {
            Values::Scalars(scalars) => single(scalars[vertex]).put(bytes),
            Values::Vectors(vectors) => vectors[vertex].iter().for_each(|&x| single(x).put(bytes)),
            Values::Labels(labels) => labels[vertex].put(bytes),
        }
    }
}

/// Vertices with their properties; then triangles.
fn encode(properties: &[Property], triangles: &[[u32; 3]]) -> Vec<u8> {
    let vertices = properties.first().map_or(0, |places| places.values.len());
    let mut head = format!("ply\nformat binary_little_endian 1.0\nelement vertex {vertices}\n");
    let mut width = 0;
    for property in properties {
        for name in property.names.split(' ') {
            head.push_str(&format!("property {} {name}\n", property.number_type()));
            width += 4;
        }
    }
    head.push_str(&format!(
        "element face {}\nproperty list uchar uint vertex_indices\nend_header\n",
        triangles.len()
    ));

    let mut bytes = head.into_bytes();
    bytes.reserve_exact(vertices * width + triangles.len() * 13);
    for vertex in 0..vertices {
        properties.iter().for_each(|property| property.put(vertex, &mut bytes));
    }
    for triangle in triangles {
        3u8.put(&mut bytes);
        triangle.iter().for_each(|vertex| vertex.put(&mut bytes));
    }
    bytes
}

/// Rounds to single precision.
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f64")]
fn single(x: Real) -> f32 {
    x as f32
}
