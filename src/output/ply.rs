//! Surfaces and obstacles as binary little-endian PLY, for Blender.
//!
//! Source: Turk, *The PLY Polygon File Format* (1994). Names and types as Blender, trimesh and
//! Open3D read them: `nx ny nz` become normals, `vx vy vz` come in as three attributes. Numbers
//! are `float`, as a mesh in Blender is, whatever the precision of the state.

use super::little_endian::Scalar;
use super::obstacles::Obstacle;
use crate::base::{Real, Vec3};
use crate::surface::SurfaceMesh;

/// The fluid's surface: position \[m\], unit normal, velocity \[m/s\].
pub fn surface(mesh: &SurfaceMesh) -> Vec<u8> {
    encode(
        &[("x y z", &mesh.positions), ("nx ny nz", &mesh.normals), ("vx vy vz", &mesh.velocities)],
        &mesh.triangles,
    )
}

/// An obstacle, with normals where it is smooth.
pub fn obstacle(obstacle: &Obstacle) -> Vec<u8> {
    let mut properties = vec![("x y z", obstacle.mesh.vertices.as_slice())];
    properties.extend(obstacle.normals.iter().map(|normals| ("nx ny nz", normals.as_slice())));
    encode(&properties, &obstacle.mesh.triangles)
}

/// Vertices with some vector properties, each named by its three components; then triangles.
fn encode(properties: &[(&str, &[Vec3])], triangles: &[[u32; 3]]) -> Vec<u8> {
    let vertices = properties.first().map_or(0, |(_, vectors)| vectors.len());
    let mut head = format!("ply\nformat binary_little_endian 1.0\nelement vertex {vertices}\n");
    for component in properties.iter().flat_map(|(names, _)| names.split(' ')) {
        head.push_str(&format!("property float {component}\n"));
    }
    head.push_str(&format!(
        "element face {}\nproperty list uchar uint vertex_indices\nend_header\n",
        triangles.len()
    ));

    let mut bytes = head.into_bytes();
    bytes.reserve_exact(vertices * properties.len() * 12 + triangles.len() * 13);
    for vertex in 0..vertices {
        for (_, vectors) in properties {
            vectors[vertex].iter().for_each(|&component| single(component).put(&mut bytes));
        }
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
