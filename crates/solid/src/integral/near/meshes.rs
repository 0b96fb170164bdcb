//! What the meshes near a particle add to the density, and which of their triangles it may touch.
//!
//! Each mesh is one solid, by the integral over its triangles
//! ([`mesh_integral`](crate::integral::mesh_integral)), and over what stands for those that are not
//! on the boundary of the union as a whole ([`crate::union`]). What comes of a mesh is merged from
//! three streams ([`super::mesh_streams`]); triangles that face the particle are listed for
//! [`super::faces`], and the nearest of the others is a border.

use super::mesh_streams::{MeshParts, MeshStreams};
use super::near_solids::{NearMesh, NearSolids};
use super::query::{Query, SeenMesh};
use crate::convex_feature::ConvexFeature;
use crate::integral::cone::View;
use crate::integral::fraction::SolidFraction;
use crate::integral::mesh_flux::MeshFlux;
use crate::integral::mesh_integral::Flux;
use crate::mesh_tree::{FACING, by_distance};
use crate::near_solid::NearSolid;
use crate::precision::to_vec3;
use crate::solids::Solids;
use crate::surfaces::SurfaceId;
use crate::union::UnionBoundary;
use hashfall_core::Real;

/// A mesh that adds less to the density has no direction that could be told \[–\].
const MIN_FRACTION: Real = 1e-6;

impl Solids {
    /// Finds what each mesh adds, and its faces; returns the nearest border of any.
    pub(super) fn find_meshes(
        &self,
        query: &Query<'_>,
        triangles: &[u32],
        out: &mut NearSolids,
    ) -> Option<NearSolid> {
        let &Query { union, table, .. } = query;
        let borders = out.fine.iter().filter(|fine| !fine.nearest.is_face);
        let mut border = borders.map(|fine| fine.nearest.near).min_by(by_distance);
        let mut streams = MeshStreams::new(triangles);
        let mut view = None;
        while let Some(parts) = streams.next(self, union, &out.faces, &out.fine) {
            let MeshParts { mesh, triangles, fine, faces } = parts;
            let member = union.member(mesh);
            let view = member.is_opaque.then(|| {
                &*view.get_or_insert_with(|| View::new(table, &out.surfaces[..out.analytic]))
            });
            let surface = self.shapes.laws.surface_of(self.mesh_ends[mesh].0 - 1);
            let seen = SeenMesh { surface, is_sheet: !member.is_solid(), view };
            let mut flux = MeshFlux::NONE;
            if let Some(fine) = fine {
                flux.distance = out.fine[fine].nearest.near.distance;
                self.add_fine_flux(mesh, query, &seen, &mut out.gathered, &mut flux);
            }
            // Those of fine meshes are known.
            if union.field(mesh).is_none() {
                let surfaces = &mut out.surfaces;
                self.add_triangles(query, triangles, &seen, &mut flux, surfaces, &mut border);
            }
            seen.add_faces(query, &out.faces[faces], &mut flux);
            self.add_mesh(mesh, surface, &flux, union, out);
        }
        border
    }

    /// Adds triangles of a mesh to its flux, and those that face the place to the surfaces found;
    /// the nearest of the others is a border.
    #[inline]
    fn add_triangles(
        &self,
        query: &Query<'_>,
        triangles: &[u32],
        seen: &SeenMesh<'_>,
        flux: &mut MeshFlux,
        surfaces: &mut Vec<NearSolid>,
        border: &mut Option<NearSolid>,
    ) {
        let &Query { at, reach, union, table, .. } = query;
        let features = triangles.iter().map(|&id| (id, self.object(id)));
        let near = features.map(|(id, feature)| (id, feature, feature.near(&at, seen.surface)));
        for (id, feature, near) in near.filter(|(_, _, near)| near.distance < reach) {
            flux.distance = flux.distance.min(near.distance);
            if let ConvexFeature::Triangle(corners) = &feature
                && !union.is_cut(id as usize - self.first_triangle())
            {
                let (corners, distance) = (corners.map(|c| c - at), f64::from(near.distance));
                match seen.view {
                    Some(view) => flux.add_opaque(view, &corners, seen.is_sheet),
                    None => flux.own.add(table, &corners, distance),
                }
            }
            if feature.faces(&near.normal, FACING) {
                surfaces.push(near);
            } else if border.is_none_or(|border| by_distance(&near, &border).is_lt()) {
                *border = Some(near);
            }
        }
    }

    /// Notes what a mesh adds.
    fn add_mesh(
        &self,
        mesh: usize,
        surface: SurfaceId,
        flux: &MeshFlux,
        union: &UnionBoundary,
        out: &mut NearSolids,
    ) {
        let member = union.member(mesh);
        let (own, whole) = match member.group() {
            None => {
                let (fraction, gradient) = flux.own.part();
                let part = SolidFraction { fraction, gradient };
                (part, part)
            }
            Some(_) => {
                let (own, mut whole) = (fraction_of(&flux.own), flux.own);
                for (cover, sum) in flux.covers.iter().zip(&mut out.covers) {
                    whole.fraction += cover.fraction;
                    whole.gradient += cover.gradient;
                    let cover = fraction_of(cover);
                    sum.fraction += cover.fraction;
                    sum.gradient += cover.gradient;
                }
                (own, fraction_of(&whole))
            }
        };
        if own.fraction > MIN_FRACTION || whole.fraction.abs() > MIN_FRACTION {
            out.meshes.push(NearMesh {
                number: mesh as u32,
                surface,
                own,
                whole,
                distance: flux.distance,
                bounds: self.mesh_ends[mesh].1,
                is_solid: member.is_solid(),
                is_opaque: member.is_opaque,
                group: member.group(),
            });
        }
    }
}

/// A flux in the precision of the state.
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
fn fraction_of(flux: &Flux) -> SolidFraction {
    SolidFraction { fraction: flux.fraction as Real, gradient: to_vec3(&flux.gradient) }
}
