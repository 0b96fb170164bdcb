//! The solids as meshes, so that a user sees what the fluid hits.
//!
//! All spheres become one mesh with smooth normals; each mesh of the scene stays one of its own,
//! and each cylinder, capsule and cone becomes one, numbered after those. What moves is written
//! for each frame, the spheres if one of them does.

use super::vtk_xml::PADDING;
use hashfall_core::Vec3;
use hashfall_geometry::shape::sphere_mesh;
use hashfall_geometry::{TriangleMesh, round_mesh, round_mesh_size};
use hashfall_solid::{Solids, Sphere};
use std::borrow::Cow;

/// Spheres are drawn finer while all together stay below this many triangles.
const SPHERE_TRIANGLES: usize = 1_000_000;

/// An obstacle to draw.
pub struct Obstacle<'a> {
    /// The stem of its files, unique in a run.
    pub name: String,
    /// Its triangles \[m\].
    pub mesh: Cow<'a, TriangleMesh>,
    /// A unit normal per vertex, where the obstacle is smooth.
    pub normals: Option<Vec<Vec3>>,
    /// Whether it moves, so that each frame has it where it is.
    pub moves: bool,
}

/// Everything that the fluid can hit except the walls and elastic bodies, whose meshes are
/// [written apart](super::elastic_meshes).
pub fn all(solids: &Solids) -> Vec<Obstacle<'_>> {
    let meshes = solids.meshes().iter().enumerate();
    let meshes = meshes.filter(|(number, _)| !solids.is_deforming_mesh(*number));
    let meshes = meshes.map(|(number, mesh)| Obstacle {
        name: format!("mesh_{number:02}"),
        mesh: Cow::Borrowed(mesh),
        normals: None,
        moves: solids.is_moving_mesh(number),
    });
    let spheres = spheres(solids.spheres()).into_iter();
    let spheres = spheres.map(|it| Obstacle { moves: solids.has_moving_balls(), ..it });
    spheres.chain(meshes).chain(rounds(solids)).collect()
}

/// What the files of all obstacles that stand take \[bytes\], without their headers.
pub fn file_size(solids: &Solids) -> u64 {
    let of = |vertices: usize, triangles: usize, vertex: u64| {
        let padding = if triangles > 0 { PADDING as u64 } else { 0 };
        // Two formats; a triangle is a count and three corners in one, three and an end in the
        // other.
        padding + 2 * vertex * vertices as u64 + (13 + 16) * triangles as u64
    };
    let standing = if solids.has_moving_balls() { 0 } else { solids.spheres().len() };
    let (vertices, triangles) = drawn_size(standing);
    let meshes = solids.meshes().iter().enumerate().filter(|(k, _)| !solids.is_moving_mesh(*k));
    let meshes = meshes.map(|(_, m)| of(m.vertices.len(), m.triangles.len(), 12));
    let rounds = solids.rounds().iter().enumerate().filter(|(k, _)| !solids.is_moving_round(*k));
    let rounds = rounds.map(|(_, round)| {
        let (vertices, triangles) = round_mesh_size(round);
        of(vertices, triangles, 24)
    });
    of(vertices, triangles, 24) + meshes.sum::<u64>() + rounds.sum::<u64>()
}

/// The solids of revolution, each a mesh of its own.
fn rounds(solids: &Solids) -> impl Iterator<Item = Obstacle<'_>> {
    let first = solids.meshes().len();
    solids.rounds().iter().enumerate().map(move |(number, round)| {
        let (mesh, normals) = round_mesh(round);
        Obstacle {
            name: format!("mesh_{:02}", first + number),
            mesh: Cow::Owned(mesh),
            normals: Some(normals),
            moves: solids.is_moving_round(number),
        }
    })
}

/// Vertices and triangles of the mesh of all spheres.
fn drawn_size(spheres: usize) -> (usize, usize) {
    let parts = 1 << (2 * subdivisions(spheres));
    (spheres * (10 * parts + 2), spheres * 20 * parts)
}

/// The spheres as one mesh: a unit sphere, scaled and moved.
fn spheres(spheres: &[Sphere]) -> Option<Obstacle<'static>> {
    if spheres.is_empty() {
        return None;
    }
    let unit = sphere_mesh(&Vec3::zeros(), 1.0, subdivisions(spheres.len()));
    let mut mesh = TriangleMesh::default();
    let mut normals = Vec::with_capacity(spheres.len() * unit.vertices.len());
    for sphere in spheres {
        let first = mesh.vertices.len() as u32;
        mesh.triangles.extend(unit.triangles.iter().map(|t| t.map(|vertex| first + vertex)));
        mesh.vertices.extend(unit.vertices.iter().map(|n| sphere.centre + n * sphere.radius));
        normals.extend_from_slice(&unit.vertices);
    }
    let (name, mesh) = ("spheres".into(), Cow::Owned(mesh));
    Some(Obstacle { name, mesh, normals: Some(normals), moves: false })
}

/// How often to divide an icosahedron's 20 triangles by 4 to draw this many spheres.
fn subdivisions(spheres: usize) -> u32 {
    (1..=3).rev().find(|&n| spheres * (20 << (2 * n)) <= SPHERE_TRIANGLES).unwrap_or(0)
}
