//! The solids as meshes, so that a user sees what the fluid hits.
//!
//! All spheres become one mesh with smooth normals; each mesh of the scene stays one of its own,
//! and each cylinder, capsule and cone becomes one, numbered after those. What moves by a law is
//! written for each frame, the spheres if one of them does.
//!
//! A body whose place is [state](hashfall_solid::DrivenBody) is a mesh of its own, written once
//! about its centre; [where it is](crate::formats::body_poses) in each frame is written apart.
//!
//! The mesh of many spheres would be as large as all else of a run, so it is never held: its
//! vertices are computed while a file is written.

use crate::layout;
use hashfall_core::{Vec3, vec3};
use hashfall_geometry::shape::sphere_mesh;
use hashfall_geometry::{RoundSolid, TriangleMesh, round_mesh, round_mesh_size};
use hashfall_solid::{DrivenBody, Solids, Sphere};
use std::borrow::Cow;
use std::ops::Range;

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
#[derive(Clone, Debug)]
pub(crate) enum Shape<'a> {
    Spheres(Cow<'a, [Sphere]>),
    Mesh(&'a TriangleMesh),
    Round(&'a RoundSolid),
    Body(&'a Solids, Box<DrivenBody>),
}

impl<'a> Obstacle<'a> {
    /// Its triangles.
    pub fn drawing(&self) -> Drawing<'a> {
        match &self.shape {
            Shape::Spheres(spheres) => {
                let unit = sphere_mesh(&Vec3::zeros(), 1.0, subdivisions(spheres.len()));
                Drawing::Spheres { unit, spheres: spheres.clone() }
            }
            Shape::Mesh(mesh) => Drawing::Mesh { mesh: Cow::Borrowed(mesh), normals: None },
            Shape::Round(round) => {
                let (mesh, normals) = round_mesh(round);
                Drawing::Mesh { mesh: Cow::Owned(mesh), normals: Some(normals) }
            }
            Shape::Body(solids, body) => body_drawing(solids, body),
        }
    }

    /// How many vertices and triangles it has, and whether it is smooth.
    pub(super) fn size(&self) -> (usize, usize, bool) {
        let of_mesh = |mesh: &TriangleMesh| (mesh.vertices.len(), mesh.triangles.len());
        let ((vertices, triangles), is_smooth) = match &self.shape {
            Shape::Spheres(spheres) => (drawn_size(spheres.len()), true),
            Shape::Mesh(mesh) => (of_mesh(mesh), false),
            Shape::Round(round) => (round_mesh_size(round), true),
            Shape::Body(solids, body) => {
                let balls = (!body.balls.is_empty()).then(|| drawn_size(body.balls.len()));
                let rounds = solids.rest_rounds()[body.rounds.clone()].iter().map(round_mesh_size);
                let meshes = solids.rest_meshes()[body.meshes.clone()].iter();
                let all = balls.into_iter().chain(rounds).chain(meshes.map(|mesh| of_mesh(mesh)));
                let sum = all.fold((0, 0), |sum, size| (sum.0 + size.0, sum.1 + size.1));
                (sum, body.meshes.is_empty())
            }
        };
        (vertices, triangles, is_smooth)
    }
}

/// A body about its centre, turned as the scene places it.
fn body_drawing<'a>(solids: &Solids, body: &DrivenBody) -> Drawing<'a> {
    let centre = vec3(body.reference.into());
    let (mut mesh, mut normals) = (TriangleMesh::default(), Vec::new());
    let balls = &solids.rest_spheres()[body.balls.clone()];
    for ball in balls {
        let ball_mesh = sphere_mesh(&ball.centre, ball.radius, subdivisions(balls.len()));
        normals.extend(ball_mesh.vertices.iter().map(|x| (x - ball.centre) / ball.radius));
        append(&mut mesh, &ball_mesh, &centre);
    }
    for round in &solids.rest_rounds()[body.rounds.clone()] {
        let (part, smooth) = round_mesh(round);
        normals.extend(smooth);
        append(&mut mesh, &part, &centre);
    }
    for part in &solids.rest_meshes()[body.meshes.clone()] {
        append(&mut mesh, part, &centre);
    }
    let is_smooth = normals.len() == mesh.vertices.len();
    Drawing::Mesh { mesh: Cow::Owned(mesh), normals: is_smooth.then_some(normals) }
}

/// Adds a mesh to another, its vertices about a centre \[m\].
fn append(mesh: &mut TriangleMesh, other: &TriangleMesh, centre: &Vec3) {
    let first = mesh.vertices.len() as u32;
    mesh.vertices.extend(other.vertices.iter().map(|x| x - centre));
    mesh.triangles.extend(other.triangles.iter().map(|it| it.map(|corner| first + corner)));
}

/// Triangles over vertices, each by its number.
#[derive(Clone, Debug)]
pub enum Drawing<'a> {
    /// Spheres, each a unit sphere, scaled and moved.
    Spheres {
        /// The unit sphere.
        unit: TriangleMesh,
        /// The spheres.
        spheres: Cow<'a, [Sphere]>,
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
    /// If the number is too large.
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
    /// If the number is too large.
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
    /// If the number is too large.
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

/// Everything that the fluid can hit except the walls, [bodies](bodies) whose places are state, and
/// elastic bodies, whose meshes are [written apart](crate::formats::elastic_meshes).
pub fn all(solids: &Solids) -> Vec<Obstacle<'_>> {
    let driven: Vec<DrivenBody> = solids.driven_bodies().collect();
    let is_other = |of: fn(&DrivenBody) -> &Range<usize>, number: usize| {
        // Ranges ascend.
        let at = driven.partition_point(|body| of(body).end <= number);
        driven.get(at).is_none_or(|body| !of(body).contains(&number))
    };
    let spheres: Cow<'_, [Sphere]> = if driven.iter().all(|body| body.balls.is_empty()) {
        solids.spheres().into()
    } else {
        let others = solids.spheres().iter().enumerate();
        others.filter(|(k, _)| is_other(|body| &body.balls, *k)).map(|(_, ball)| *ball).collect()
    };
    let moves = solids.has_balls_with_law();
    let has_spheres = !spheres.is_empty();
    let spheres = Obstacle { name: layout::SPHERES.into(), moves, shape: Shape::Spheres(spheres) };
    let meshes = solids.meshes().iter().enumerate();
    let meshes = meshes.filter(|(number, _)| !solids.is_deforming_mesh(*number));
    let meshes = meshes.filter(|(number, _)| is_other(|body| &body.meshes, *number));
    let meshes = meshes.map(|(number, mesh)| Obstacle {
        name: layout::mesh_name(number),
        moves: solids.is_moving_mesh(number),
        shape: Shape::Mesh(mesh),
    });
    let rounds = solids.rounds().iter().enumerate();
    let rounds = rounds.filter(|(number, _)| is_other(|body| &body.rounds, *number));
    let rounds = rounds.map(|(number, round)| Obstacle {
        name: layout::mesh_name(solids.meshes().len() + number),
        moves: solids.is_moving_round(number),
        shape: Shape::Round(round),
    });
    has_spheres.then_some(spheres).into_iter().chain(meshes).chain(rounds).collect()
}

/// The bodies whose places are state, each about its centre and named by its number among the
/// scene's solids.
pub fn bodies(solids: &Solids) -> Vec<Obstacle<'_>> {
    let obstacle = |body: DrivenBody| Obstacle {
        name: layout::body_name(body.body - 1),
        moves: false,
        shape: Shape::Body(solids, body.into()),
    };
    solids.driven_bodies().map(obstacle).collect()
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
