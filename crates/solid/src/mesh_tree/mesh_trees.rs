//! Where the hierarchies of fine meshes are kept.

use super::driven_mesh::DrivenMesh;
use super::fine_mesh::FineMesh;
use hashfall_geometry::{Aabb, TriangleMesh};
use hashfall_search::{BroadPhase, Bvh};
use std::sync::{Arc, OnceLock};

/// The hierarchies of fine meshes and what else is kept of them, once they are made. They follow
/// from the meshes.
#[derive(Clone, Debug, Default)]
pub(crate) struct MeshTrees {
    /// By mesh that has triangles, of those that stand.
    pub(super) trees: Vec<OnceLock<Arc<FineMesh>>>,
    /// The same of those of driven bodies.
    pub(super) driven: OnceLock<Vec<Option<DrivenMesh>>>,
    /// Over the boxes around those that stand.
    pub(super) top: OnceLock<TopLevel>,
}

impl PartialEq for MeshTrees {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

impl MeshTrees {
    /// None yet, of those of these meshes that have triangles.
    pub fn new(meshes: &[Arc<TriangleMesh>]) -> Self {
        let with_triangles = meshes.iter().filter(|mesh| !mesh.triangles.is_empty());
        let trees = with_triangles.map(|_| OnceLock::new()).collect();
        MeshTrees { trees, driven: OnceLock::new(), top: OnceLock::new() }
    }

    /// Other meshes move than before.
    pub fn forget_moving(&mut self) {
        (self.driven, self.top) = (OnceLock::new(), OnceLock::new());
    }
}

/// A hierarchy over the boxes of fine meshes.
#[derive(Clone, Debug)]
pub(crate) struct TopLevel {
    /// The mesh of each box.
    pub(super) meshes: Vec<usize>,
    pub(super) boxes: Bvh,
}

impl TopLevel {
    pub(super) fn new(meshes: Vec<usize>, ends: &[(u32, Aabb)]) -> Self {
        let around: Vec<Aabb> = meshes.iter().map(|&mesh| ends[mesh].1).collect();
        let mut boxes = Bvh::default();
        boxes.rebuild(&around, 0.0);
        TopLevel { meshes, boxes }
    }
}
