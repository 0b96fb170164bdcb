//! Fine meshes near a particle: their nearest triangles, and what they add.

use super::fine_near::FineNear;
use super::near_solids::NearSolids;
use super::query::{Query, SeenMesh};
use crate::integral::mesh_flux::MeshFlux;
use crate::mesh_tree::NearTriangle;
use crate::near_solid::NearSolid;
use crate::precision::to_point;
use crate::solids::Solids;
use crate::union::FineField;
use hashfall_core::Real;
use hashfall_geometry::triangle::offset_to_triangle;
use hashfall_geometry::{Aabb, Point};

/// Of a mesh that stands and has fewer triangles those near a particle are summed one by one, to
/// the bit as without a hierarchy: a field has an error \[–\].
const MIN_TRIANGLES: usize = 1024;

impl Solids {
    /// Finds the near fine meshes, ascending.
    pub(super) fn find_fine(&self, query: &Query<'_>, out: &mut NearSolids) {
        let &Query { x, ref at, reach, union, table } = query;
        out.fine.clear();
        if !union.keeps_fields() {
            return;
        }
        let ball = Aabb::of_ball(x, reach);
        let NearSolids { fine, fine_around, .. } = out;
        let mut look_at = |mesh: usize| {
            if let Some(FineField { field, .. }) = union.field(mesh)
                && let Some(placed) = self.placed(mesh)
            {
                let surface = self.shapes.laws.surface_of(self.mesh_ends[mesh].0 - 1);
                let nearest = placed.nearest_by(field, table, at, reach, surface);
                let near = |nearest: NearTriangle| {
                    let next_face = nearest.is_face.then_some(nearest.near);
                    FineNear { mesh, surface, nearest, next_face }
                };
                fine.extend(nearest.map(near));
            }
        };
        match fine_around {
            Some(around) => {
                let near = around.iter().map(|mesh| *mesh as usize);
                near.filter(|&mesh| self.mesh_ends[mesh].1.overlaps(&ball)).for_each(look_at);
            }
            None => {
                self.for_each_fine(&ball, &mut look_at);
                fine.sort_unstable_by_key(|fine| fine.mesh);
            }
        }
    }

    /// The nearest face of a fine mesh closer than `reach` \[m\] that is none of those `known`.
    pub(super) fn find_face(
        &self,
        fine: &FineNear,
        at: &Point,
        reach: Real,
        known: &[NearSolid],
    ) -> Option<NearSolid> {
        let (placed, nearest) = (self.placed(fine.mesh)?, &fine.nearest);
        if known.contains(&nearest.near) && placed.is_one_face(nearest) {
            return None;
        }
        placed.nearest_face(at, reach, fine.surface, known).map(|found| found.near)
    }

    /// Adds what a fine mesh adds; where it hides what is behind it, is cut, or has few triangles,
    /// triangle by triangle, with `gathered` as the buffer of their ids.
    pub(super) fn add_fine_flux(
        &self,
        mesh: usize,
        query: &Query<'_>,
        seen: &SeenMesh<'_>,
        gathered: &mut Vec<u32>,
        flux: &mut MeshFlux,
    ) {
        let &Query { x, ref at, reach, union, table } = query;
        let (Some(fine), Some(placed)) = (union.field(mesh), self.placed(mesh)) else {
            return;
        };
        let is_cut = !fine.cut_nodes.is_empty()
            && placed.is_marked_within(&fine.cut_nodes, at, f64::from(reach));
        let is_field = placed.moves() || placed.triangles.len() >= MIN_TRIANGLES;
        if seen.view.is_none() && !is_cut && is_field {
            flux.own = placed.flux(&fine.field, table, at);
            return;
        }
        gathered.clear();
        self.add_triangles_of(mesh, x, reach, gathered);
        gathered.sort_unstable();
        let first = self.first_triangle();
        for triangle in gathered.iter().map(|&id| id as usize - first) {
            let corners = self.triangles[triangle].map(|c| to_point(&c) - at);
            let distance = offset_to_triangle(&Point::zeros(), &corners).norm();
            if distance < f64::from(reach) && !union.is_cut(triangle) {
                match seen.view {
                    Some(view) => flux.add_opaque(view, &corners, seen.is_sheet),
                    None => flux.own.add(table, &corners, distance),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
