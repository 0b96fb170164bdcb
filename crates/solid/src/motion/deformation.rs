//! Where the vertices of meshes that deform are, and how they move; see [`super::deforming`].

use crate::precision::{to_point, to_vec3};
use crate::surfaces::SurfaceId;
use hashfall_core::Vec3;
use hashfall_geometry::Point;
use std::ops::Range;

/// A mesh that deforms: what never changes of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DeformingMesh {
    pub surface: SurfaceId,
    /// Among the solids' meshes.
    pub mesh: usize,
    /// Among the solids' meshes that have triangles, if it has some.
    pub end: usize,
    /// Of the solids' triangles.
    pub triangles: Range<usize>,
}

/// Where the vertices of a mesh are, and how they move.
#[derive(Clone, Debug)]
pub(crate) struct Deformation {
    /// At present \[m\].
    pub(super) position: Vec<Point>,
    /// At the end of the step that began last \[m\].
    pub(super) next: Vec<Point>,
    /// At that instant \[m/s\].
    pub(super) next_velocity: Vec<Point>,
    /// The velocities that count \[m/s\].
    pub velocity: Vec<Point>,
    /// How far a vertex went in the last step, at the most \[m\].
    pub(super) way: f64,
    /// The speed of the fastest vertex at the instant \[m/s\].
    pub(super) speed: f64,
    /// Whether it is not where the scene has it, or on its way.
    pub(super) has_moved: bool,
}

/// Two are equal whose vertices are in the same places with the same velocities.
impl PartialEq for Deformation {
    fn eq(&self, other: &Self) -> bool {
        self.position == other.position && self.velocity == other.velocity
    }
}

impl Deformation {
    /// Of a mesh whose vertices rest here \[m\].
    pub(super) fn at_rest(vertices: &[Vec3]) -> Self {
        let position: Vec<Point> = vertices.iter().map(to_point).collect();
        let still = vec![Point::zeros(); vertices.len()];
        Deformation {
            next: position.clone(),
            position,
            next_velocity: still.clone(),
            velocity: still,
            way: 0.0,
            speed: 0.0,
            has_moved: false,
        }
    }

    /// Notes whether a vertex is not at rest where the scene has it.
    pub(super) fn note_motion(&mut self, rest: &[Vec3]) {
        let is_still = self.velocity.iter().all(|v| *v == Point::zeros());
        let is_there = self.position.iter().zip(rest).all(|(x, rest)| to_vec3(x) == *rest);
        self.has_moved = !(is_still && is_there);
        self.speed = largest(self.velocity.iter());
    }
}

/// Triangles and balls at the start of the last step; empty unless a mesh deforms.
#[derive(Clone, Debug, Default)]
pub(crate) struct StepStart {
    /// The corners of each triangle of all meshes \[m\].
    pub triangles: Vec<[Vec3; 3]>,
    /// The centre of each ball \[m\].
    pub centres: Vec<Vec3>,
}

/// The length of the longest of some vectors.
fn largest<'a>(vectors: impl Iterator<Item = &'a Point>) -> f64 {
    vectors.map(Point::norm_squared).fold(0.0, f64::max).sqrt()
}
