//! What never changes of solids: shapes as the scene places them, and the laws of their bodies.

use crate::mesh_tree::MeshTrees;
use crate::motion::{DeformingMesh, KinematicBody};
use crate::surfaces::SurfaceLaws;
use hashfall_core::geometry::{RoundSolid, Sphere};
use hashfall_geometry::TriangleMesh;
use std::ops::Range;
use std::sync::Arc;

/// The part of solids that never changes; all clones of solids share it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shapes {
    /// Solid balls, as the scene places them, in its order.
    pub spheres: Arc<[Sphere]>,
    /// Solids of revolution, as the scene places them.
    pub rounds: Arc<[RoundSolid]>,
    /// Solid meshes, as the scene places them.
    pub meshes: Vec<Arc<TriangleMesh>>,
    /// The hierarchies of fine ones among them.
    pub trees: MeshTrees,
    /// By mesh: whether it is a sheet, which encloses nothing.
    pub hollow: Vec<bool>,
    /// How each surface acts.
    pub laws: SurfaceLaws,
    /// The bodies that move, in the order of the entries.
    pub bodies: Vec<KinematicBody>,
    /// By body, its number among those that move; none is so large if it stands.
    pub moving_numbers: Vec<u32>,
    /// The meshes that deform, ascending.
    pub deforming: Vec<DeformingMesh>,
    /// The triangles of both, ascending.
    pub moving_triangles: Vec<Range<usize>>,
}

impl Shapes {
    /// Notes which bodies and triangles move.
    pub fn note_moving(&mut self) {
        self.trees.forget_moving();
        let count = self.bodies.last().map_or(0, |last| last.surface.body() + 1);
        self.moving_numbers = vec![u32::MAX; count];
        for (number, body) in self.bodies.iter().enumerate() {
            self.moving_numbers[body.surface.body()] = number as u32;
        }
        let of_bodies = self.bodies.iter().map(|body| body.triangles.clone());
        let all = of_bodies.chain(self.deforming.iter().map(|it| it.triangles.clone()));
        self.moving_triangles = all.filter(|range| !range.is_empty()).collect();
        self.moving_triangles.sort_unstable_by_key(|range| range.start);
    }
}
