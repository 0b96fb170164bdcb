//! Fine meshes of bodies that move as a whole by velocities set from outside: their hierarchies
//! stand still in the frame of the body.
//!
//! Source: Onderik & Ďurikovič, Efficient neighbor search for particle-based fluids (2008), section
//! 3.3: what does not change of a body is kept in the body's frame, and places are taken there. A
//! body of n triangles so costs a pose in each step, and not n boxes of the broad phase.
//!
//! Bodies are often many of one kind. A mesh that is another one at another place, but for
//! rounding, shares its hierarchy and all that is computed of it: with R, s the pose of its body
//! and o from the other to it, a place y of the hierarchy is at R (y + o) + s. Shared shapes are
//! off by what rounds the corners, as corners are that are placed.
//!
//! Symbols: R turn \[–\], s shift \[m\], o offset \[m\], n number of triangles \[–\].

use super::fine_mesh::FineMesh;
use super::nearest::{NearTriangle, RISES};
use crate::integral::{Flux, MeshField, PlaneTable, Source};
use crate::near_solid::NearSolid;
use crate::precision::{to_point, to_vec3};
use crate::surfaces::SurfaceId;
use hashfall_bodies::Pose;
use hashfall_core::{Real, Vec3};
use hashfall_geometry::Point;
use std::sync::Arc;

/// Corners rise this far above the faces of a mesh that passes for convex, at the most, over what
/// tells a face \[–\].
const PROTRUSION: f64 = 0.1;

/// A mesh of a body that moves.
#[derive(Clone, Debug)]
pub(crate) struct DrivenMesh {
    /// What is kept of the shape, maybe with others.
    pub fine: Arc<FineMesh>,
    /// The body, by its number among those that move.
    pub(super) body: usize,
    /// From the shape to where the scene places the mesh \[m\].
    pub(super) offset: Point,
}

/// A fine mesh where it is now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedMesh<'a> {
    pub fine: &'a FineMesh,
    /// Those of the hierarchy, where it has them.
    pub triangles: &'a [[Vec3; 3]],
    /// Takes these to where they are; `None` if they are there.
    pub(super) pose: Option<Pose>,
}

impl<'a> PlacedMesh<'a> {
    /// One whose hierarchy is of these triangles, where they are.
    pub(super) fn standing(fine: &'a FineMesh, triangles: &'a [[Vec3; 3]]) -> Self {
        PlacedMesh { fine, triangles, pose: None }
    }

    /// Whether it may be elsewhere than its hierarchy.
    pub fn moves(&self) -> bool {
        self.pose.is_some()
    }

    /// Where a place is for the hierarchy \[m\].
    #[inline]
    fn local(&self, x: &Point) -> Point {
        self.pose.as_ref().map_or(*x, |pose| pose.apply_inverse(x))
    }

    #[inline]
    fn placed(&self, found: NearTriangle) -> NearTriangle {
        let Some(pose) = &self.pose else { return found };
        let normal = to_vec3(&(pose.turn * to_point(&found.near.normal)));
        NearTriangle { near: NearSolid { normal, ..found.near }, ..found }
    }

    /// The triangle nearest to `x`, if one is nearer than `reach` \[m\].
    pub fn nearest(&self, x: &Point, reach: Real, surface: SurfaceId) -> Option<NearTriangle> {
        let found = self.fine.tree.nearest(self.triangles, &self.local(x), reach, surface);
        found.map(|found| self.placed(found))
    }

    /// The same by what a field keeps, of a mesh that moves.
    #[inline]
    pub fn nearest_by(
        &self,
        field: &MeshField,
        table: &PlaneTable,
        x: &Point,
        reach: Real,
        surface: SurfaceId,
    ) -> Option<NearTriangle> {
        if !self.moves() {
            return self.nearest(x, reach, surface);
        }
        let source = Source { tree: &self.fine.tree, triangles: self.triangles, table };
        let found = field.nearest(&source, &self.local(x), reach, surface);
        found.map(|found| self.placed(found))
    }

    /// Whether no triangle can be another face than the nearest, which is known: the mesh is
    /// convex, and seen from outside all of it is behind the plane through its nearest point.
    pub fn is_one_face(&self, nearest: &NearTriangle) -> bool {
        let bound = f64::from(RISES * nearest.near.distance) * PROTRUSION;
        nearest.is_face
            && nearest.is_in_front
            && self.fine.protrusion(self.triangles).is_some_and(|most| most <= bound)
    }

    /// The nearest of the triangles that face `x`, are nearer than `reach` \[m\], and belong to
    /// other faces than all of `known`.
    pub fn nearest_face(
        &self,
        x: &Point,
        reach: Real,
        surface: SurfaceId,
        known: &[NearSolid],
    ) -> Option<NearTriangle> {
        let (tree, triangles, at) = (&self.fine.tree, self.triangles, self.local(x));
        let Some(pose) = &self.pose else {
            return tree.nearest_face(triangles, &at, reach, surface, known);
        };
        let turned = |face: &NearSolid| {
            let normal = to_vec3(&pose.turn.tr_mul(&to_point(&face.normal)));
            NearSolid { normal, ..*face }
        };
        let known: Vec<NearSolid> = known.iter().map(turned).collect();
        let found = tree.nearest_face(triangles, &at, reach, surface, &known);
        found.map(|found| self.placed(found))
    }

    /// Adds the triangles that come within `reach` \[m\] of `x`, and maybe some that come nearly so
    /// near, in no order; their numbers start from `first`.
    pub fn add_within(&self, x: &Point, reach: Real, first: u32, found: &mut Vec<u32>) {
        // Corners that are placed are rounded.
        let rounding = 4.0 * Real::EPSILON * (to_vec3(x).amax() + 2.0 * reach);
        let reach = if self.pose.is_some() { reach + rounding } else { reach };
        self.fine.tree.add_within(self.triangles, &self.local(x), reach, first, found);
    }

    /// Whether a place lies in the mesh, which is closed.
    pub fn contains(&self, x: &Vec3) -> bool {
        match &self.pose {
            Some(pose) => {
                let at = to_vec3(&pose.apply_inverse(&to_point(x)));
                self.fine.tree.contains(self.triangles, &at)
            }
            None => self.fine.tree.contains(self.triangles, x),
        }
    }

    /// Whether the box of a marked leaf comes within `reach` \[m\] of `x`.
    pub fn is_marked_within(&self, marks: &[bool], x: &Point, reach: f64) -> bool {
        self.fine.tree.is_marked_within(marks, &self.local(x), reach)
    }

    /// What the mesh adds at `x` by its field.
    #[inline]
    pub fn flux(&self, field: &MeshField, table: &PlaneTable, x: &Point) -> Flux {
        let source = Source { tree: &self.fine.tree, triangles: self.triangles, table };
        let flux = field.flux(&source, &self.local(x));
        match &self.pose {
            Some(pose) => Flux { gradient: pose.turn * flux.gradient, ..flux },
            None => flux,
        }
    }
}

#[cfg(test)]
mod tests;
