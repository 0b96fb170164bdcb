//! The faces that stand for triangles which are not on the boundary as a whole.

use super::cutting::Visible;
use super::overlay::{Facet, rounding_of};
use super::polygon::fan;
use super::walls::{Clamped, Walls};
use hashfall_bodies::Pose;
use hashfall_core::{Real, Vec3, vec3};
use hashfall_geometry::{Aabb, Point};
use hashfall_search::{BroadPhase, Bvh};

/// Part of a triangle that is on the boundary, or a cover (see [`super::walls`]).
#[derive(Clone, Debug)]
pub struct Face {
    pub mesh: u32,
    pub corners: [Point; 3],
    /// The wall that it covers.
    pub covers: Option<u8>,
}

/// Faces that can be asked for.
#[derive(Clone, Debug, Default)]
pub struct Faces {
    pub list: Vec<Face>,
    index: Bvh,
    bounds: Option<Aabb>,
}

/// What stands for a triangle of a mesh that is at `own`; `None` if it is on the boundary as a
/// whole. Its parts are moved by `pose`.
pub fn faces_of(
    walls: &Walls,
    own: &Facet,
    visible: &Visible,
    pose: Option<&Pose>,
) -> Option<Vec<Face>> {
    let &Facet { corners: own, mesh, limit, .. } = own;
    let clamped = |corners: [Point; 3]| {
        let facet = Facet::new(corners, mesh).limited(limit);
        walls.clamp(&corners, &facet.normal, facet.tolerance(&facet))
    };
    let faces = |part: Clamped| {
        let face = |corners| Face { mesh, corners, covers: part.covers };
        fan(&part.polygon).map(face).collect::<Vec<_>>()
    };
    match visible {
        Visible::All if walls.hold(&own, 2.0 * rounding_of(&own).min(limit)) => None,
        Visible::All => {
            let parts = clamped(own);
            let is_whole = |part: &Clamped| part.covers.is_none() && part.polygon == own;
            let whole = parts.len() == 1 && is_whole(&parts[0]);
            (!whole).then(|| parts.into_iter().flat_map(faces).collect())
        }
        Visible::Parts(parts) => {
            let placed = |part: &[Point; 3]| part.map(|p| pose.map_or(p, |pose| pose.apply(&p)));
            Some(parts.iter().map(placed).flat_map(clamped).flat_map(faces).collect())
        }
    }
}

impl Faces {
    /// Takes faces in place of those so far.
    pub fn set(&mut self, mut list: Vec<Face>) {
        if list.is_empty() && self.list.is_empty() {
            return;
        }
        list.sort_by_key(|face| face.mesh);
        let corners = |face: &Face| face.corners.map(|c| vec3(c.into()));
        // More than rounding takes.
        let rounding = |c: &[Vec3; 3]| {
            4.0 * Real::EPSILON * c.map(|c| c.amax()).into_iter().fold(0.0, Real::max)
        };
        let around = |c: [Vec3; 3]| Aabb::around(&c).grown(rounding(&c));
        let boxes: Vec<Aabb> = list.iter().map(|face| around(corners(face))).collect();
        self.index.rebuild(&boxes, 0.0);
        self.bounds = boxes.into_iter().reduce(|all, b| all.union(&b));
        self.list = list;
    }

    /// Adds the numbers of the faces whose boxes overlap `query`, counted from `first`.
    #[inline]
    pub fn near(&self, query: &Aabb, first: u32, found: &mut Vec<u32>) {
        if self.bounds.is_some_and(|bounds| bounds.overlaps(query)) {
            self.index.candidates(query, |number| found.push(first + number));
        }
    }
}
