//! Fine meshes near a particle: their nearest triangles, and what they add.

use super::cone::View;
use super::field::Source;
use super::mesh_flux::MeshFlux;
use super::near::NearSolids;
use super::plane_table::PlaneTable;
use crate::mesh_tree::{MeshTree, NearTriangle};
use crate::near_solid::NearSolid;
use crate::precision::to_point;
use crate::solids::Solids;
use crate::surfaces::SurfaceId;
use crate::union::UnionBoundary;
use hashfall_core::{Real, Vec3};
use hashfall_geometry::triangle::offset_to_triangle;
use hashfall_geometry::{Aabb, Point};

/// Of fewer triangles those near a particle are summed one by one, to the bit as without a
/// hierarchy: that costs no more than a field, which has an error \[–\].
const MIN_TRIANGLES: usize = 1024;

/// A fine mesh near a particle.
#[derive(Clone, Copy, Debug)]
pub(super) struct FineNear {
    /// Among those that have triangles.
    pub mesh: usize,
    pub surface: SurfaceId,
    /// Its nearest triangle.
    pub nearest: NearTriangle,
}

impl Solids {
    /// Finds the fine meshes closer than `reach` to `x`, ascending.
    pub(super) fn find_fine(
        &self,
        x: &Vec3,
        reach: Real,
        union: &UnionBoundary,
        out: &mut NearSolids,
    ) {
        out.fine.clear();
        if !union.keeps_fields() {
            return;
        }
        let at = to_point(x);
        self.for_each_fine(&Aabb::of_ball(x, reach), |mesh| {
            if union.field(mesh).is_some()
                && let Some((tree, triangles)) = self.fine(mesh)
            {
                let surface = self.shapes.laws.surface_of(self.mesh_ends[mesh].0 - 1);
                let nearest = tree.nearest(triangles, &at, reach, surface);
                out.fine.extend(nearest.map(|nearest| FineNear { mesh, surface, nearest }));
            }
        });
        out.fine.sort_unstable_by_key(|fine| fine.mesh);
    }

    /// The nearest face of a fine mesh closer than `bound` \[m\] that is none of those `known`.
    pub(super) fn next_face(
        &self,
        fine: &FineNear,
        at: &Point,
        bound: Real,
        known: &[NearSolid],
    ) -> Option<NearSolid> {
        let nearest = &fine.nearest;
        if nearest.near.distance >= bound {
            return None;
        }
        if known.is_empty() && nearest.is_face {
            return Some(nearest.near);
        }
        let (tree, triangles) = self.fine(fine.mesh)?;
        let found = tree.nearest_face(triangles, at, bound, fine.surface, known);
        found.map(|found| found.near)
    }

    /// Adds what a fine mesh adds; where it hides what is behind it, is cut, or has few triangles,
    /// triangle by triangle.
    pub(super) fn add_fine_flux(
        &self,
        mesh: usize,
        (x, at, reach): (&Vec3, &Point, Real),
        union: &UnionBoundary,
        table: &PlaneTable,
        view: Option<&View<'_>>,
        (gathered, flux): (&mut Vec<u32>, &mut MeshFlux),
    ) {
        let (Some(fine), Some((tree, triangles))) = (union.field(mesh), self.fine(mesh)) else {
            return;
        };
        let is_cut = !fine.cut_nodes.is_empty()
            && tree.is_marked_within(&fine.cut_nodes, at, f64::from(reach));
        if view.is_none() && !is_cut && triangles.len() >= MIN_TRIANGLES {
            flux.own = fine.field.flux(&Source { tree, triangles, table }, at);
            return;
        }
        gathered.clear();
        self.add_triangles_of(mesh, x, reach, gathered);
        gathered.sort_unstable();
        let (first, is_sheet) = (self.first_triangle(), !union.member(mesh).is_solid());
        for triangle in gathered.iter().map(|&id| id as usize - first) {
            let seen = self.triangles[triangle].map(|c| to_point(&c) - at);
            let distance = offset_to_triangle(&Point::zeros(), &seen).norm();
            if distance < f64::from(reach) && !union.is_cut(triangle) {
                match view {
                    Some(view) => flux.add_opaque(view, &seen, is_sheet),
                    None => flux.own.add(table, &seen, distance),
                }
            }
        }
    }

    /// The hierarchy of a fine mesh, and its triangles.
    fn fine(&self, mesh: usize) -> Option<(&MeshTree, &[[Vec3; 3]])> {
        let tree = self.tree(mesh)?;
        Some((tree, &self.triangles[self.triangles_of(mesh)]))
    }
}

#[cfg(test)]
mod tests;
