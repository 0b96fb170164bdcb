//! What is near a particle: walls, balls and solids of revolution each on their own, meshes as
//! solids and by their faces.

use super::fine_near::FineNear;
use crate::integral::fraction::SolidFraction;
use crate::integral::layers::LayerSums;
use crate::near_solid::NearSolid;
use crate::solids::Solids;
use crate::surfaces::SurfaceId;
use hashfall_core::{Real, Vec3};
use hashfall_geometry::Aabb;

/// A part of what the faces of a group add that their sum may miss zero by \[–\].
const NOISE: Real = 0.01;

/// What is near a particle; kept from one to the next.
#[derive(Clone, Debug, Default)]
pub struct NearSolids {
    /// The particle's place \[m\].
    pub(crate) at: Vec3,
    /// Walls, then spheres by id, then solids of revolution by id, then faces by distance.
    pub(super) surfaces: Vec<NearSolid>,
    /// The number of walls and spheres.
    pub(super) analytic: usize,
    /// What each solid of revolution adds.
    pub(super) rounds: Vec<NearRound>,
    /// Mesh by mesh, those of a group one after the other.
    pub(crate) meshes: Vec<NearMesh>,
    /// What meshes cover of each wall, with the sign turned.
    pub(super) covers: [SolidFraction; 6],
    /// Numbers of the faces near the particle.
    pub(super) faces: Vec<u32>,
    /// Fine meshes that may be near, ascending, if that was [noted](NearSolids::note_fine).
    pub(super) fine_around: Option<Vec<u32>>,
    /// Fine meshes near the particle, ascending.
    pub(super) fine: Vec<FineNear>,
    /// Objects of one of them that are looked at one by one.
    pub(super) gathered: Vec<u32>,
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
    pub(super) fn count_before_faces(&self) -> usize {
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
    pub(super) fn gather_groups(&mut self) {
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
}

impl NearMesh {
    /// The particle is on the other side.
    fn turn(&mut self) {
        for part in [&mut self.own, &mut self.whole] {
            *part = SolidFraction { fraction: -part.fraction, gradient: -part.gradient };
        }
    }
}
