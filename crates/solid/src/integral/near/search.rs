//! The solids near a particle: what it may touch, and what the density is made of.
//!
//! Walls, spheres and solids of revolution count each on their own. Triangles are features of one
//! surface and serve twice: to the density each mesh is one solid ([`super::meshes`]), to contact
//! and friction they are faces ([`super::faces`]).
//!
//! Fine meshes are told by their hierarchies ([`super::fine`]) in place of the objects of the broad
//! phase, to the same faces.

use super::faces::keep_faces;
use super::fine_near::FineNear;
use super::near_solids::{NearRound, NearSolids};
use super::query::Query;
use crate::convex_feature::ConvexFeature;
use crate::integral::clearance::WALL_MARGIN;
use crate::integral::fraction::SolidFraction;
use crate::integral::plane_table::PlaneTable;
use crate::near_solid::NearSolid;
use crate::precision::to_point;
use crate::solids::Solids;
use crate::surfaces::SurfaceId;
use crate::union::UnionBoundary;
use hashfall_core::{Real, Vec3};

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
