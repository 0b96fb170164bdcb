//! Which meshes are fine, and their hierarchies.
//!
//! A mesh is fine if it stands and has [`LEAST`] triangles or more. The broad phase need not know
//! its triangles: they are found by its own hierarchy, where they are asked for.

use super::tree::MeshTree;
use crate::precision::to_point;
use crate::solids::Solids;
use crate::surfaces::SurfaceId;
use hashfall_core::{Real, Vec3};
use hashfall_geometry::{Aabb, TriangleMesh};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Of fewer triangles a mesh has no hierarchy \[–\].
const LEAST: usize = 64;

/// The hierarchy of each mesh that has triangles, once it is made. They follow from the meshes.
#[derive(Clone, Debug, Default)]
pub(crate) struct MeshTrees(Vec<OnceLock<Arc<MeshTree>>>);

impl PartialEq for MeshTrees {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

impl MeshTrees {
    /// None yet, of so many of these meshes as have triangles.
    pub fn new(meshes: &[Arc<TriangleMesh>]) -> Self {
        let with_triangles = meshes.iter().filter(|mesh| !mesh.triangles.is_empty());
        MeshTrees(with_triangles.map(|_| OnceLock::new()).collect())
    }
}

impl Solids {
    /// Makes the hierarchies of the fine meshes, unless they are there.
    pub fn make_trees(&self) {
        for mesh in 0..self.mesh_ends.len() {
            if self.is_fine(mesh) {
                let triangles = &self.triangles[self.triangles_of(mesh)];
                self.shapes.trees.0[mesh].get_or_init(|| Arc::new(MeshTree::new(triangles)));
            }
        }
    }

    /// The objects that a broad phase has to know where fine meshes are asked for their
    /// triangles ([`Solids::add_fine_triangles`]), ascending: all but these.
    pub fn indexed_objects(&self) -> Vec<u32> {
        let first = self.first_triangle();
        let mut objects: Vec<u32> = (0..first as u32).collect();
        for mesh in (0..self.mesh_ends.len()).filter(|&mesh| !self.is_fine(mesh)) {
            let own = self.triangles_of(mesh);
            objects.extend((first + own.start) as u32..(first + own.end) as u32);
        }
        objects
    }

    /// Adds the triangles of fine meshes within `reach` \[m\] of `x`, and maybe some that are
    /// nearly so near, to `objects`, which ascend as before.
    pub fn add_fine_triangles(&self, x: &Vec3, reach: Real, objects: &mut Vec<u32>) {
        let before = objects.len();
        let ball = Aabb::of_ball(x, reach);
        for mesh in 0..self.mesh_ends.len() {
            if self.mesh_ends[mesh].1.overlaps(&ball) {
                self.add_triangles_of(mesh, x, reach, objects);
            }
        }
        if objects.len() > before {
            objects.sort_unstable();
        }
    }

    /// The same of one mesh, if it is fine, in no order.
    pub(crate) fn add_triangles_of(
        &self,
        mesh: usize,
        x: &Vec3,
        reach: Real,
        objects: &mut Vec<u32>,
    ) {
        if let Some(tree) = self.tree(mesh) {
            let own = self.triangles_of(mesh);
            let first = (self.first_triangle() + own.start) as u32;
            tree.add_within(&self.triangles[own], &to_point(x), reach, first, objects);
        }
    }

    /// The distance of the nearest triangle of a fine mesh closer than `reach` to `x` \[m\].
    pub(crate) fn distance_to_mesh(&self, mesh: usize, x: &Vec3, reach: Real) -> Option<Real> {
        let (tree, at) = (self.tree(mesh)?, to_point(x));
        let triangles = &self.triangles[self.triangles_of(mesh)];
        let nearest = tree.nearest(triangles, &at, reach, SurfaceId::WALL);
        nearest.map(|it| it.near.distance)
    }

    /// The least distance of all fine meshes closer than `reach` to `x` \[m\]; infinite if there
    /// are none.
    pub(crate) fn distance_to_fine(&self, x: &Vec3, reach: Real) -> Real {
        let ball = Aabb::of_ball(x, reach);
        let near = (0..self.mesh_ends.len()).filter(|mesh| self.mesh_ends[*mesh].1.overlaps(&ball));
        let distances = near.filter_map(|mesh| self.distance_to_mesh(mesh, x, reach));
        distances.fold(Real::INFINITY, Real::min)
    }

    /// Whether a place lies in a fine mesh that is closed.
    pub(crate) fn is_in_fine(&self, mesh: usize, x: &Vec3) -> bool {
        let triangles = &self.triangles[self.triangles_of(mesh)];
        self.tree(mesh).is_some_and(|tree| tree.contains(triangles, x))
    }

    /// The hierarchy of a mesh, by its number among those that have triangles.
    pub(crate) fn tree(&self, mesh: usize) -> Option<&Arc<MeshTree>> {
        self.shapes.trees.0.get(mesh).and_then(OnceLock::get).filter(|_| self.is_fine(mesh))
    }

    /// The triangles of a mesh among all, by its number among those that have some.
    pub(crate) fn triangles_of(&self, mesh: usize) -> Range<usize> {
        let first = self.first_triangle();
        let start = mesh.checked_sub(1).map_or(first, |before| self.mesh_ends[before].0 as usize);
        start - first..self.mesh_ends[mesh].0 as usize - first
    }

    /// Whether a mesh is fine, by its number among those that have triangles.
    fn is_fine(&self, mesh: usize) -> bool {
        let own = self.triangles_of(mesh);
        let moving = &self.shapes.moving_triangles;
        let at = moving.partition_point(|range| range.end <= own.start);
        own.len() >= LEAST && moving.get(at).is_none_or(|range| range.start >= own.end)
    }
}
