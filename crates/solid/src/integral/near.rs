//! The solids near a particle: what it may touch, and what the density is made of.
//!
//! Walls, spheres and solids of revolution count each on their own. Triangles are features of one
//! surface and serve twice. To the density each mesh is one solid, by the integral over its
//! triangles ([`super::mesh_integral`]), and over what stands for those that are not on the
//! boundary of the union as a whole ([`crate::union`]). To contact and friction they are faces:
//! the nearest counts as a plane through its nearest point. A further one counts as another face
//! only if it faces the particle (it is the nearest of its own surroundings, not the border of
//! something nearer), from a clearly different direction, and in front of the planes already
//! counted. So a flat or convex face counts once, however finely it is cut, and a concave edge
//! counts both its faces.
//!
//! Fine meshes are told by their hierarchies ([`super::fine`]) in place of the objects of the broad
//! phase, to the same faces.

mod mesh_streams;

use self::mesh_streams::{MeshParts, MeshStreams};
use super::clearance::WALL_MARGIN;
use super::cone::View;
use super::fine_near::FineNear;
use super::fraction::SolidFraction;
use super::layers::LayerSums;
use super::mesh_flux::MeshFlux;
use super::mesh_integral::Flux;
use super::plane_table::PlaneTable;
use super::query::{Query, SeenMesh};
use crate::convex_feature::ConvexFeature;
use crate::mesh_tree::{FACING, by_distance, is_another_face};
use crate::near_solid::NearSolid;
use crate::precision::{to_point, to_vec3};
use crate::solids::Solids;
use crate::surfaces::SurfaceId;
use crate::union::UnionBoundary;
use hashfall_core::{Real, Vec3};
use hashfall_geometry::Aabb;

/// A mesh that adds less to the density has no direction that could be told \[–\].
const MIN_FRACTION: Real = 1e-6;

/// A part of what the faces of a group add that their sum may miss zero by \[–\].
const NOISE: Real = 0.01;

/// What is near a particle; kept from one to the next.
#[derive(Clone, Debug, Default)]
pub struct NearSolids {
    /// The particle's place \[m\].
    pub(crate) at: Vec3,
    /// Walls, then spheres by id, then solids of revolution by id, then faces by distance.
    surfaces: Vec<NearSolid>,
    /// The number of walls and spheres.
    analytic: usize,
    /// What each solid of revolution adds.
    rounds: Vec<NearRound>,
    /// Mesh by mesh, those of a group one after the other.
    pub(crate) meshes: Vec<NearMesh>,
    /// What meshes cover of each wall, with the sign turned.
    covers: [SolidFraction; 6],
    /// Numbers of the faces near the particle.
    faces: Vec<u32>,
    /// Fine meshes that may be near, ascending, if that was [noted](NearSolids::note_fine).
    pub(super) fine_around: Option<Vec<u32>>,
    /// Fine meshes near the particle, ascending.
    pub(super) fine: Vec<FineNear>,
    /// Objects of one of them that are looked at one by one.
    gathered: Vec<u32>,
}

/// What a solid of revolution near a particle adds.
#[derive(Clone, Debug)]
pub(crate) struct NearRound {
    /// On its own.
    pub part: SolidFraction,
    /// Around all of it.
    pub bounds: Aabb,
    /// Whether what it hides is part of it.
    pub is_opaque: bool,
}

/// A mesh near a particle, as one solid.
#[derive(Clone, Debug)]
pub(crate) struct NearMesh {
    /// Among those that have triangles.
    pub number: u32,
    pub surface: SurfaceId,
    /// What its own surface adds.
    pub own: SolidFraction,
    /// The same with its covers of walls: what it adds to its group.
    pub whole: SolidFraction,
    /// To its nearest triangle \[m\].
    pub distance: Real,
    /// Around all of it.
    pub bounds: Aabb,
    /// Whether all that it shares with others of which that is so, and with walls, is taken off.
    pub is_solid: bool,
    /// Whether what it hides is part of it.
    pub is_opaque: bool,
    /// The group whose parts add up to that of a solid; `None` if the mesh is one.
    pub group: Option<u32>,
}

impl NearSolids {
    /// Walls and spheres alone.
    #[cfg(test)]
    pub(crate) fn from_analytic(surfaces: Vec<NearSolid>) -> Self {
        NearSolids { analytic: surfaces.len(), surfaces, ..NearSolids::default() }
    }

    /// Notes the fine meshes whose boxes overlap `query`, around all places that are looked at
    /// until the next note: many places share one look.
    pub fn note_fine(&mut self, solids: &Solids, query: &Aabb) {
        let around = self.fine_around.get_or_insert_default();
        around.clear();
        solids.for_each_fine(query, |mesh| around.push(mesh as u32));
        around.sort_unstable();
    }

    /// Walls, spheres, solids of revolution and faces.
    pub fn surfaces(&self) -> &[NearSolid] {
        &self.surfaces
    }

    /// Walls, then spheres by id.
    pub(crate) fn analytic(&self) -> &[NearSolid] {
        &self.surfaces[..self.analytic]
    }

    /// Solids of revolution by id.
    pub(crate) fn rounds(&self) -> impl Iterator<Item = (&NearSolid, &NearRound)> {
        self.surfaces[self.analytic..].iter().zip(&self.rounds)
    }

    /// The number of walls, spheres and solids of revolution.
    fn count_before_faces(&self) -> usize {
        self.analytic + self.rounds.len()
    }

    /// Faces by distance.
    pub(crate) fn faces(&self) -> &[NearSolid] {
        &self.surfaces[self.count_before_faces()..]
    }

    /// What meshes leave of what a wall or ball adds.
    pub(crate) fn uncovered(&self, solid: &NearSolid, sums: LayerSums) -> LayerSums {
        let Some(covers) = solid.surface.wall().map(|wall| &self.covers[wall]) else { return sums };
        if *covers == SolidFraction::NONE {
            return sums;
        }
        let slope = (sums.slope + covers.gradient.dot(&solid.normal)).min(0.0);
        let left = if sums.slope < 0.0 { slope / sums.slope } else { 0.0 };
        let fraction = (sums.fraction + covers.fraction).max(0.0);
        LayerSums { fraction, slope, moment: sums.moment * left }
    }

    /// Groups have their meshes one after the other, and the sign of what they enclose.
    fn gather_groups(&mut self) {
        if self.meshes.iter().all(|mesh| mesh.group.is_none()) {
            return;
        }
        self.meshes.sort_by_key(|mesh| mesh.group.unwrap_or(mesh.number));
        for group in self.meshes.chunk_by_mut(|a, b| a.group.is_some() && a.group == b.group) {
            let whole: Real = group.iter().map(|mesh| mesh.whole.fraction).sum();
            let own: Real = group.iter().map(|mesh| mesh.own.fraction.abs()).sum();
            let is_solid = group[0].group.is_some() && !group[0].is_opaque;
            if is_solid && -whole > NOISE * own {
                group.iter_mut().for_each(NearMesh::turn);
            }
        }
    }

    /// Takes the nearest border in, but only where nothing is nearer: an edge or corner in the air.
    fn take_border(&mut self, border: Option<NearSolid>, first_face: usize) {
        let fine_faces = self.fine.iter().map(|fine| &fine.nearest).filter(|it| it.is_face);
        if let Some(border) = border
            && self.surfaces[first_face..].iter().all(|face| by_distance(&border, face).is_lt())
            && fine_faces.map(|it| &it.near).all(|face| by_distance(&border, face).is_lt())
        {
            self.surfaces.push(border);
        }
    }
}

impl NearMesh {
    /// The particle is on the other side.
    fn turn(&mut self) {
        for part in [&mut self.own, &mut self.whole] {
            *part = SolidFraction { fraction: -part.fraction, gradient: -part.gradient };
        }
    }
}

impl Solids {
    /// Finds the solids closer than `reach` to `x`, and by `table` the kernel's part in meshes,
    /// over the boundary `union` of them all.
    ///
    /// `objects` are the candidates of the broad phase, ascending. `table` has tables of the solids
    /// of revolution, if there are some ([`PlaneTable::with_rounds`]).
    pub fn near(
        &self,
        objects: &[u32],
        x: &Vec3,
        reach: Real,
        union: &UnionBoundary,
        table: &PlaneTable,
        out: &mut NearSolids,
    ) {
        debug_assert!(objects.is_sorted(), "objects ascend, so that ties break the same way");
        let query = Query { x, at: to_point(x), reach, union, table };
        out.at = *x;
        let before = |end: usize| objects.partition_point(|&id| (id as usize) < end);
        let (first_round, first_triangle) =
            (before(self.spheres.len()), before(self.first_triangle()));
        self.find_analytic(&objects[..first_round], &query, &mut out.surfaces);
        out.analytic = out.surfaces.len();
        out.rounds.clear();
        self.find_rounds(&objects[first_round..first_triangle], &query, out);
        let first_face = out.surfaces.len();
        union.near(x, reach, &mut out.faces);
        out.meshes.clear();
        out.covers = [SolidFraction::NONE; 6];
        self.find_fine(&query, out);
        let border = self.find_meshes(&query, &objects[first_triangle..], out);
        out.gather_groups();
        out.take_border(border, first_face);
        let find_face =
            |fine: &FineNear, known: &[NearSolid]| self.find_face(fine, &query.at, reach, known);
        keep_faces(&mut out.surfaces, first_face, &mut out.fine, find_face);
    }

    /// Finds what each mesh adds, and its faces; returns the nearest border of any.
    fn find_meshes(
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

    /// Adds the near solids of revolution, with what each adds.
    fn find_rounds(&self, rounds: &[u32], query: &Query<'_>, out: &mut NearSolids) {
        let Query { at, reach, table, .. } = query;
        for &id in rounds {
            let number = id as usize - self.spheres.len();
            let round = &self.rounds[number];
            let near = ConvexFeature::Round(*round).near(at, self.shapes.laws.surface_of(id));
            if near.distance < *reach {
                let own = table.rounds().of(number);
                let part = own.part(round, at);
                let (bounds, is_opaque) = (round.aabb(), own.is_opaque);
                out.surfaces.push(near);
                out.rounds.push(NearRound { part, bounds, is_opaque });
            }
        }
    }

    /// Finds the near walls and balls.
    fn find_analytic(&self, balls: &[u32], query: &Query<'_>, out: &mut Vec<NearSolid>) {
        let &Query { ref at, reach, .. } = query;
        out.clear();
        let within = |near: &NearSolid| near.distance < reach;
        // Most are told to be too far without a root; a little more is let through.
        let surely = WALL_MARGIN * f64::from(reach);
        if !self.is_clear_of_walls(at, surely) {
            let may_be_near = |w: &usize| !self.is_clear_of_wall(*w, at, surely);
            let near = |w: usize| self.wall(w).near(at, SurfaceId::from_wall(w));
            out.extend(self.walls().filter(may_be_near).map(near).filter(within));
        }
        let may_be_near = |ball: &&u32| !self.is_clear_of_ball(**ball, at, surely);
        let near = |id: u32| self.object(id).near(at, self.shapes.laws.surface_of(id));
        let balls = balls.iter().filter(may_be_near).map(|&id| near(id));
        out.extend(balls.filter(within));
    }
}

/// A flux in the precision of the state.
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
fn fraction_of(flux: &Flux) -> SolidFraction {
    SolidFraction { fraction: flux.fraction as Real, gradient: to_vec3(&flux.gradient) }
}

/// Of the triangles in `out[first..]`, and of those of fine meshes near the particle, keeps one for
/// each face, nearest first. `find_face` finds the nearest face of a fine mesh that is none of
/// those known.
fn keep_faces(
    out: &mut Vec<NearSolid>,
    first: usize,
    fine: &mut [FineNear],
    find_face: impl Fn(&FineNear, &[NearSolid]) -> Option<NearSolid>,
) {
    for mesh in fine.iter_mut().filter(|mesh| !mesh.nearest.is_face) {
        mesh.next_face = find_face(mesh, &[]);
    }
    let mut kept = first;
    loop {
        let listed = (kept..out.len()).min_by(|&a, &b| by_distance(&out[a], &out[b]));
        let mut nearest = listed.map(|k| out[k]);
        let mut is_listed = true;
        for face in fine.iter().filter_map(|mesh| mesh.next_face) {
            if nearest.is_none_or(|near| by_distance(&face, &near).is_lt()) {
                (nearest, is_listed) = (Some(face), false);
            }
        }
        let Some(face) = nearest else { return };
        match listed.filter(|_| is_listed) {
            Some(at) => out.swap(kept, at),
            None => {
                out.push(face);
                let last = out.len() - 1;
                out.swap(kept, last);
            }
        }
        kept += 1;
        for mesh in &mut *fine {
            if mesh.next_face.is_some_and(|next| !is_another_face(&face, &next)) {
                mesh.next_face = find_face(mesh, &out[first..kept]);
            }
        }
        let mut end = kept;
        for k in kept..out.len() {
            if is_another_face(&face, &out[k]) {
                out[end] = out[k];
                end += 1;
            }
        }
        out.truncate(end);
    }
}

#[cfg(test)]
mod tests;
