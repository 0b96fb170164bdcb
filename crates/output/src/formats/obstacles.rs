//! The solids as meshes, so that a user sees what the fluid hits.
//!
//! All spheres become one mesh with smooth normals; each mesh of the scene stays one of its own,
//! and each cylinder, capsule and cone becomes one, numbered after those. What moves is written
//! for each frame, the spheres if one of them does.
//!
//! The mesh of many spheres would be as large as all else of a run, so it is never held: its
//! vertices are computed while a file is written.

use super::ply;
use super::vtk_xml::PADDING;
use hashfall_core::Vec3;
use hashfall_geometry::shape::sphere_mesh;
use hashfall_geometry::{RoundSolid, TriangleMesh, round_mesh, round_mesh_size};
use hashfall_solid::{Solids, Sphere};
use std::borrow::Cow;

/// Spheres are drawn finer while all together stay below this many triangles.
const SPHERE_TRIANGLES: usize = 1_000_000;

/// An obstacle to draw.
#[derive(Clone, Debug)]
pub struct Obstacle<'a> {
    /// The stem of its files, unique in a run.
    pub name: String,
    /// Whether it moves, so that each frame has it where it is.
    pub moves: bool,
    /// What it is.
    pub(crate) shape: Shape<'a>,
}

/// What an obstacle is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape<'a> {
    Spheres(&'a [Sphere]),
    Mesh(&'a TriangleMesh),
    Round(&'a RoundSolid),
}

impl<'a> Obstacle<'a> {
    /// Its triangles.
    pub fn drawing(&self) -> Drawing<'a> {
        match self.shape {
            Shape::Spheres(spheres) => {
                let unit = sphere_mesh(&Vec3::zeros(), 1.0, subdivisions(spheres.len()));
                Drawing::Spheres { unit, spheres }
            }
            Shape::Mesh(mesh) => Drawing::Mesh { mesh: Cow::Borrowed(mesh), normals: None },
            Shape::Round(round) => {
                let (mesh, normals) = round_mesh(round);
                Drawing::Mesh { mesh: Cow::Owned(mesh), normals: Some(normals) }
            }
        }
    }
}

/// Triangles over vertices, each by its number.
#[derive(Clone, Debug)]
pub enum Drawing<'a> {
    /// Spheres, each a unit sphere, scaled and moved.
    Spheres {
        /// The unit sphere.
        unit: TriangleMesh,
        /// The spheres.
        spheres: &'a [Sphere],
    },
    /// A mesh.
    Mesh {
        /// The mesh \[m\].
        mesh: Cow<'a, TriangleMesh>,
        /// A unit normal per vertex, where it is smooth.
        normals: Option<Vec<Vec3>>,
    },
}

impl Drawing<'_> {
    /// How many vertices there are.
    pub fn vertices(&self) -> usize {
        match self {
            Drawing::Spheres { unit, spheres } => spheres.len() * unit.vertices.len(),
            Drawing::Mesh { mesh, .. } => mesh.vertices.len(),
        }
    }

    /// How many triangles there are.
    pub fn triangles(&self) -> usize {
        match self {
            Drawing::Spheres { unit, spheres } => spheres.len() * unit.triangles.len(),
            Drawing::Mesh { mesh, .. } => mesh.triangles.len(),
        }
    }

    /// Whether vertices have normals.
    pub fn is_smooth(&self) -> bool {
        matches!(self, Drawing::Spheres { .. } | Drawing::Mesh { normals: Some(_), .. })
    }

    /// Where a vertex is \[m\].
    ///
    /// # Panics
    /// If there are not so many.
    pub fn vertex(&self, vertex: usize) -> Vec3 {
        match self {
            Drawing::Spheres { unit, spheres } => {
                let sphere = &spheres[vertex / unit.vertices.len()];
                sphere.centre + unit.vertices[vertex % unit.vertices.len()] * sphere.radius
            }
            Drawing::Mesh { mesh, .. } => mesh.vertices[vertex],
        }
    }

    /// A vertex's unit normal; zero if it has none.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn normal(&self, vertex: usize) -> Vec3 {
        match self {
            Drawing::Spheres { unit, .. } => unit.vertices[vertex % unit.vertices.len()],
            Drawing::Mesh { normals, .. } => {
                normals.as_ref().map_or(Vec3::zeros(), |normals| normals[vertex])
            }
        }
    }

    /// A triangle's vertices.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn triangle(&self, triangle: usize) -> [u32; 3] {
        match self {
            Drawing::Spheres { unit, .. } => {
                let first = triangle / unit.triangles.len() * unit.vertices.len();
                let corners = unit.triangles[triangle % unit.triangles.len()];
                corners.map(|corner| first as u32 + corner)
            }
            Drawing::Mesh { mesh, .. } => mesh.triangles[triangle],
        }
    }
}

/// Everything that the fluid can hit except the walls and elastic bodies, whose meshes are
/// [written apart](super::elastic_meshes).
pub fn all(solids: &Solids) -> Vec<Obstacle<'_>> {
    let spheres = Obstacle {
        name: "spheres".into(),
        moves: solids.has_moving_balls(),
        shape: Shape::Spheres(solids.spheres()),
    };
    let spheres = (!solids.spheres().is_empty()).then_some(spheres);
    let meshes = solids.meshes().iter().enumerate();
    let meshes = meshes.filter(|(number, _)| !solids.is_deforming_mesh(*number));
    let meshes = meshes.map(|(number, mesh)| Obstacle {
        name: format!("mesh_{number:02}"),
        moves: solids.is_moving_mesh(number),
        shape: Shape::Mesh(mesh),
    });
    let rounds = solids.rounds().iter().enumerate().map(|(number, round)| Obstacle {
        name: format!("mesh_{:02}", solids.meshes().len() + number),
        moves: solids.is_moving_round(number),
        shape: Shape::Round(round),
    });
    spheres.into_iter().chain(meshes).chain(rounds).collect()
}

/// What the files of all obstacles that stand take \[bytes\], without their headers.
pub fn file_size(solids: &Solids) -> u64 {
    let of = |vertices: usize, triangles: usize, vertex: u64| {
        let padding = if triangles > 0 { PADDING as u64 } else { 0 };
        // Two formats; a triangle is three corners and an end in one of them.
        let triangle = 16 + ply::triangle_length(vertices);
        padding + 2 * vertex * vertices as u64 + triangle * triangles as u64
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

/// Vertices and triangles of the mesh of all spheres.
fn drawn_size(spheres: usize) -> (usize, usize) {
    let parts = 1 << (2 * subdivisions(spheres));
    (spheres * (10 * parts + 2), spheres * 20 * parts)
}

/// How often to divide an icosahedron's 20 triangles by 4 to draw this many spheres.
fn subdivisions(spheres: usize) -> u32 {
    (1..=3).rev().find(|&n| spheres * (20 << (2 * n)) <= SPHERE_TRIANGLES).unwrap_or(0)
}
