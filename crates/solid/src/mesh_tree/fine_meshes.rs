//! Which meshes are fine, and their hierarchies.
//!
//! A mesh is fine if it stands and has [`MIN_TRIANGLES`] or more, or is [`super::driven_mesh`]. The
//! broad phase need not know its triangles: they are found by its own hierarchy, where they are
//! asked for. The boxes around fine meshes are in hierarchies of their own, one of those that stand
//! and one of those that move, so that of many meshes only those near are looked at.

use super::driven_mesh::{DrivenMesh, PlacedMesh};
use super::fine_mesh::FineMesh;
use super::mesh_trees::TopLevel;
use super::tree::MeshTree;
use crate::precision::to_point;
use crate::solids::Solids;
use crate::surfaces::SurfaceId;
use hashfall_core::{Real, Vec3};
use hashfall_geometry::Aabb;
use hashfall_search::BroadPhase;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Of fewer triangles a mesh has no hierarchy \[–\].
const MIN_TRIANGLES: usize = 64;

impl Solids {
    /// Makes the hierarchies of the fine meshes, unless they are there.
    pub fn make_trees(&self) {
        let all = 0..self.mesh_ends.len();
        let fine: Vec<usize> = all.filter(|&mesh| self.is_standing(mesh)).collect();
        for &mesh in &fine {
            let triangles = &self.triangles[self.triangles_of(mesh)];
            self.shapes.trees.trees[mesh].get_or_init(|| Arc::new(FineMesh::new(triangles)));
        }
        self.shapes.trees.top.get_or_init(|| TopLevel::new(fine, &self.mesh_ends));
        self.driven_meshes();
    }

    /// Visits the fine meshes whose boxes overlap `query`, in any order.
    ///
    /// Nothing is to be added for rounding where that is [the box of a ball](Aabb::of_ball):
    /// corners of boxes are floats, and rounding keeps the order of these and of a sum.
    #[inline]
    pub(crate) fn for_each_fine(&self, query: &Aabb, mut visit: impl FnMut(usize)) {
        if let Some(top) = self.shapes.trees.top.get() {
            top.boxes.candidates(query, |number| visit(top.meshes[number as usize]));
        }
        self.for_each_driven(query, visit);
    }

    /// The same of those of driven bodies.
    #[inline]
    fn for_each_driven(&self, query: &Aabb, mut visit: impl FnMut(usize)) {
        let Some(driven) = self.shapes.trees.driven.get() else { return };
        let top = self.driven_boxes.get_or_init(|| {
            let meshes = (0..driven.len()).filter(|&mesh| driven[mesh].is_some()).collect();
            Arc::new(TopLevel::new(meshes, &self.mesh_ends))
        });
        top.boxes.candidates(query, |number| visit(top.meshes[number as usize]));
    }

    /// Whether a mesh of those of driven bodies comes within `reach` \[m\] of `x`.
    pub(crate) fn has_driven_within(&self, x: &Vec3, reach: Real) -> bool {
        let mut is_near = false;
        self.for_each_driven(&Aabb::of_ball(x, reach), |mesh| {
            is_near = is_near || self.distance_to_mesh(mesh, x, reach).is_some();
        });
        is_near
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
        self.for_each_fine(&Aabb::of_ball(x, reach), |mesh| {
            self.add_triangles_of(mesh, x, reach, objects);
        });
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
        if let Some(placed) = self.placed(mesh) {
            let first = (self.first_triangle() + self.triangles_of(mesh).start) as u32;
            placed.add_within(&to_point(x), reach, first, objects);
        }
    }

    /// The distance of the nearest triangle of a fine mesh closer than `reach` to `x` \[m\].
    pub(crate) fn distance_to_mesh(&self, mesh: usize, x: &Vec3, reach: Real) -> Option<Real> {
        let nearest = self.placed(mesh)?.nearest(&to_point(x), reach, SurfaceId::WALL);
        nearest.map(|it| it.near.distance)
    }

    /// The least distance of all fine meshes closer than `reach` to `x` \[m\]; infinite if there
    /// are none.
    pub(crate) fn distance_to_fine(&self, x: &Vec3, reach: Real) -> Real {
        let mut least = Real::INFINITY;
        self.for_each_fine(&Aabb::of_ball(x, reach), |mesh| {
            let distance = self.distance_to_mesh(mesh, x, reach);
            least = distance.map_or(least, |distance| distance.min(least));
        });
        least
    }

    /// Whether a place lies in a fine mesh that is closed.
    pub(crate) fn is_in_fine(&self, mesh: usize, x: &Vec3) -> bool {
        self.placed(mesh).is_some_and(|placed| placed.contains(x))
    }

    /// A fine mesh where it is, by its number among those that have triangles.
    #[inline]
    pub(crate) fn placed(&self, mesh: usize) -> Option<PlacedMesh<'_>> {
        if let Some(driven) = self.driven_mesh(mesh) {
            return Some(self.placed_driven(driven));
        }
        let fine = self.fine_mesh(mesh)?;
        Some(PlacedMesh::standing(fine, &self.triangles[self.triangles_of(mesh)]))
    }

    /// The fine meshes of driven bodies, found when they are first asked for.
    fn driven_meshes(&self) -> &[Option<DrivenMesh>] {
        self.shapes.trees.driven.get_or_init(|| self.find_driven_meshes())
    }

    /// Whether a mesh is one of them.
    pub(crate) fn is_driven_mesh(&self, mesh: usize) -> bool {
        self.driven_meshes().get(mesh).is_some_and(Option::is_some)
    }

    #[inline]
    pub(crate) fn driven_mesh(&self, mesh: usize) -> Option<&DrivenMesh> {
        self.shapes.trees.driven.get()?.get(mesh)?.as_ref()
    }

    /// The hierarchy of a mesh, by its number among those that have triangles.
    pub(crate) fn tree(&self, mesh: usize) -> Option<&MeshTree> {
        self.fine_mesh(mesh).map(|fine| &fine.tree)
    }

    /// What is kept of a mesh if it is fine, by the same number.
    pub(crate) fn fine_mesh(&self, mesh: usize) -> Option<&FineMesh> {
        if let Some(driven) = self.driven_mesh(mesh) {
            return Some(&driven.fine);
        }
        let kept = self.shapes.trees.trees.get(mesh).and_then(OnceLock::get);
        kept.filter(|_| self.is_standing(mesh)).map(Arc::as_ref)
    }

    /// Takes what other solids, with the same meshes, keep of those that are fine there: a mesh
    /// that moves may be elsewhere.
    pub(crate) fn share_fine_meshes(&mut self, others: &Solids) {
        let own = &mut Arc::make_mut(&mut self.shapes).trees.trees;
        for mesh in (0..own.len()).filter(|&mesh| others.is_standing(mesh)) {
            own[mesh].clone_from(&others.shapes.trees.trees[mesh]);
        }
    }

    /// The triangles of a mesh among all, by its number among those that have some.
    pub(crate) fn triangles_of(&self, mesh: usize) -> Range<usize> {
        let first = self.first_triangle();
        let start = mesh.checked_sub(1).map_or(first, |before| self.mesh_ends[before].0 as usize);
        start - first..self.mesh_ends[mesh].0 as usize - first
    }

    /// Whether a mesh is fine, by its number among those that have triangles.
    fn is_fine(&self, mesh: usize) -> bool {
        self.is_standing(mesh) || self.is_driven_mesh(mesh)
    }

    /// Whether it is, and stands.
    fn is_standing(&self, mesh: usize) -> bool {
        let own = self.triangles_of(mesh);
        let moving = &self.shapes.moving_triangles;
        let at = moving.partition_point(|range| range.end <= own.start);
        own.len() >= MIN_TRIANGLES && moving.get(at).is_none_or(|range| range.start >= own.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AxisAngle, Keyframe, KinematicLaw};
    use hashfall_geometry::shape::{box_mesh, sphere_mesh};

    /// The hierarchy of each mesh that has one.
    fn trees(solids: &Solids) -> Vec<Option<*const MeshTree>> {
        (0..solids.mesh_ends.len()).map(|mesh| Some(&raw const *solids.tree(mesh)?)).collect()
    }

    #[test]
    fn the_same_meshes_share_what_is_kept_of_those_that_stand() {
        let ball = |x: Real, radius: Real| Arc::new(sphere_mesh(&(Vec3::x() * x), radius, 2));
        // Boxes are made anew for each scene.
        let block = || Arc::new(box_mesh(&Aabb::new(Vec3::repeat(2.0), Vec3::repeat(3.0))));
        let domain = Aabb::new(Vec3::repeat(-9.0), Vec3::repeat(9.0));
        let (standing, moved) = (ball(0.0, 1.0), ball(5.0, 1.0));
        let none = AxisAngle { axis: [0.0, 0.0, 1.0], degrees: 0.0 };
        let keys = [0.0, 1.0].map(|time| Keyframe { time, shift: [time, 0.0, 0.0], turn: none });
        let law = KinematicLaw::through([0.0; 3], &keys, false, false);
        let moving =
            |solids: Solids| solids.with_kinematic_laws(vec![None, None, Some(law.clone())]);
        let meshes = || vec![Arc::clone(&standing), block(), Arc::clone(&moved)];
        let solids = Solids::from_shared(domain, vec![], meshes());
        solids.make_trees();
        assert_eq!(trees(&Solids::new_beside(&solids, domain, vec![], meshes())), trees(&solids));
        // The mesh that moves is not where it was, and stands in the other scene.
        let mut solids = moving(Solids::from_shared(domain, vec![], meshes()));
        solids.make_trees();
        solids.move_to(0.5);
        let beside = Solids::new_beside(&solids, domain, vec![], meshes());
        assert_eq!(trees(&beside), [trees(&solids)[0], None, None]);
        beside.make_trees();
        assert_eq!(
            beside.triangles[..],
            Solids::from_shared(domain, vec![], meshes()).triangles[..]
        );
        assert_eq!(beside.distance_to_mesh(2, &Vec3::x(), 9.0), Some(3.0));
        // The same file at another scale.
        let other = vec![ball(0.0, 0.9), block(), Arc::clone(&moved)];
        assert_eq!(trees(&Solids::new_beside(&solids, domain, vec![], other)), [None; 3]);
    }
}
