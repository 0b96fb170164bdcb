//! Confinement: particles between two solids that leave less room than one of them takes.
//!
//! A layer of particles is the thinnest fluid that there is. Where a body closes on it, what lies
//! between is squeezed out sideways while the two leave a spacing d of room. If they come nearer,
//! what has not left in time cannot be told from what has: its neighbours are farther away than
//! its support radius, and no pressure would be large enough. So where two opposed surfaces, one of
//! which has moved, leave g = ζₐ + ζᵦ < d,
//!
//! - the solids count as if they left d: distances grow to ζ d/g, and λ with its parts to
//!   λ (λ₀(ζₐ d/g) + λ₀(ζᵦ d/g))/(λ₀(ζₐ) + λ₀(ζᵦ)), with λ₀ that of a plane;
//! - their velocities across their surfaces are the mean of all, weighed by their parts of |∇λ|.
//!
//! Where the surfaces are not wholly opposed (cosines of [`OPPOSED`]), both hold in part.
//!
//! The particles stay between the two, as fluid of one layer, and move with both.
//!
//! Symbols: λ part of the kernel in solids \[–\], ζ distance to a surface, d spacing \[m\].

use crate::step::boundary::boundary_share::BoundaryShare;
use hashfall_core::{Real, Vec3};
use hashfall_solid::{NearSolid, SolidLayers, Solids};

/// Cosines between the normals of two surfaces from which on they are opposed in part, and wholly.
const OPPOSED: [Real; 2] = [-0.3, -0.8];

/// Room below which a particle counts as halfway between the two, in spacings.
const MIN_ROOM: Real = 1e-3;

/// How two opposed solids confine a particle.
#[derive(Clone, Copy, Debug)]
pub struct Confinement {
    /// Distances to both \[m\].
    distances: [Real; 2],
    /// How far they are opposed \[–\].
    weight: Real,
    /// d \[m\].
    spacing: Real,
}

impl Confinement {
    /// The narrowest of the pairs among `near_solids` that leave less than two spacings `d` \[m\].
    pub fn find(near_solids: &[NearSolid], solids: &Solids, d: Real) -> Option<Self> {
        if near_solids.len() < 2 || !solids.has_moving_bodies() {
            return None;
        }
        let moves = |solid: &NearSolid| solids.has_moved(solid.surface);
        let mut narrowest: Option<Confinement> = None;
        for (k, a) in near_solids.iter().enumerate() {
            for b in &near_solids[k + 1..] {
                let room = a.distance + b.distance;
                let is_narrower = room < narrowest.map_or(2.0 * d, |known| known.room());
                // A surface that deforms may fold on what lies on it.
                let is_pair = a.surface != b.surface || solids.deforms(a.surface);
                let may_close = is_pair && (moves(a) || moves(b));
                let cosine = a.normal.dot(&b.normal);
                if is_narrower && may_close && cosine < OPPOSED[0] {
                    let distances = [a.distance, b.distance];
                    let weight = ((OPPOSED[0] - cosine) / (OPPOSED[0] - OPPOSED[1])).min(1.0);
                    narrowest = Some(Confinement { distances, weight, spacing: d });
                }
            }
        }
        narrowest
    }

    /// g \[m\].
    pub fn room(&self) -> Real {
        self.distances[0] + self.distances[1]
    }

    /// Whether they leave less than a spacing.
    pub fn is_tight(&self) -> bool {
        self.room() < self.spacing
    }

    /// The distance of a surface that counts, for one at `distance` \[m\].
    fn widened(&self, distance: Real) -> Real {
        let wide = match self.room() {
            room if room > MIN_ROOM * self.spacing => distance.max(0.0) * (self.spacing / room),
            _ => 0.5 * self.spacing,
        };
        distance + self.weight * (wide - distance)
    }

    /// Gives the shares of the particle their mean velocity across their surfaces.
    pub fn close_no_more(&self, shares: &mut [BoundaryShare]) {
        let slopes: Real = shares.iter().map(|share| share.slope).sum();
        if slopes >= 0.0 {
            return;
        }
        let mean: Vec3 = shares.iter().map(|share| share.velocity * share.slope).sum();
        let mean = mean / slopes;
        for share in shares {
            let change = share.normal.dot(&(mean - share.velocity)) * self.weight;
            share.velocity += share.normal * change;
        }
    }

    /// How much of λ counts \[–\].
    pub fn solid_share(&self, layers: &SolidLayers) -> Real {
        let sum = |distances: [Real; 2]| -> Real {
            distances.iter().map(|distance| layers.sums(*distance, 0.0).fraction).sum()
        };
        let narrow = sum(self.distances.map(|distance| distance.max(0.0)));
        let wide = sum(self.distances.map(|distance| self.widened(distance)));
        if narrow > 0.0 { (wide / narrow).min(1.0) } else { 1.0 }
    }

    /// Moves the surfaces of the shares apart.
    pub fn widen(&self, shares: &mut [BoundaryShare]) {
        shares.iter_mut().for_each(|share| share.distance = self.widened(share.distance));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::kernel::{Kernel, KernelKind};
    use hashfall_core::{Dimension, vec3};
    use hashfall_geometry::Aabb;
    use hashfall_geometry::shape::box_mesh;
    use hashfall_solid::{
        AxisAngle, Keyframe, KinematicLaw, NearSolids, PlaneTable, UnionBoundary,
    };

    const D: Real = 0.1;

    fn layers() -> SolidLayers {
        SolidLayers::new(Kernel::new(KernelKind::CubicSpline, Dimension::Three, 2.0 * D), D)
    }

    /// A floor, and a plate that stands or comes down to `gap` \[m\] over it; what is near the
    /// height `z` \[m\] between them.
    fn between_plates(gap: Real, z: Real, moves: bool) -> (Solids, Vec<NearSolid>) {
        let domain = Aabb::new(Vec3::zeros(), Vec3::repeat(9.0));
        let start = if moves { 1.0 } else { gap };
        let plate = Aabb::new(Vec3::new(1.0, 1.0, start), Vec3::new(8.0, 8.0, start + 1.0));
        let none = AxisAngle { axis: [0.0, 0.0, 1.0], degrees: 0.0 };
        let down = f64::from(gap - start);
        let key = |time, z| Keyframe { time, shift: [0.0, 0.0, z], turn: none };
        let law = KinematicLaw::through([0.0; 3], &[key(0.0, 0.0), key(1.0, down)], false, false);
        let solids = Solids::new(domain, vec![], vec![box_mesh(&plate)])
            .with_kinematic_laws(vec![moves.then_some(law)]);
        let mut solids = solids;
        solids.move_to(1.0);
        let objects: Vec<u32> = (0..solids.object_count() as u32).collect();
        let (union, table) = (UnionBoundary::new(&solids), PlaneTable::new(&layers()));
        let mut near_solids = NearSolids::default();
        solids.near(
            &objects,
            &vec3([4.5, 4.3, f64::from(z)]),
            2.0 * D,
            &union,
            &table,
            &mut near_solids,
        );
        let surfaces = near_solids.surfaces().to_vec();
        (solids, surfaces)
    }

    fn found(gap: Real, z: Real, moves: bool) -> Option<Confinement> {
        let (solids, surfaces) = between_plates(gap, z, moves);
        Confinement::find(&surfaces, &solids, D)
    }

    #[test]
    fn only_solids_that_move_and_leave_less_than_a_spacing_confine() {
        assert!(found(0.8 * D, 0.3 * D, true).is_some_and(|it| it.is_tight()));
        assert!(found(1.2 * D, 0.3 * D, true).is_some_and(|it| !it.is_tight()));
        assert!(found(0.8 * D, 0.3 * D, false).is_none());
        assert!((found(0.8 * D, 0.3 * D, true).unwrap().room() - 0.8 * D).abs() < 1e-4 * D);
    }

    /// λ between plates: of both, each as a plane.
    #[test]
    fn a_confined_particle_has_the_density_that_it_has_where_a_spacing_is_left() {
        let lambda = |distance: Real| layers().sums(distance, 0.0).fraction;
        for gap in [0.9, 0.5, 0.1, 1e-4].map(|gap: Real| gap * D) {
            for part in [0.5, 0.3] {
                let confinement = found(gap, part * gap, true).unwrap();
                let narrow = lambda(part * gap) + lambda((1.0 - part) * gap);
                let part = if gap < MIN_ROOM * D { 0.5 } else { part };
                let wide = lambda(part * D) + lambda((1.0 - part) * D);
                let counted = confinement.solid_share(&layers()) * narrow;
                assert!((counted - wide).abs() < 2e-3, "{gap}, {part}: {counted}, {wide}");
            }
        }
    }

    #[test]
    fn a_confined_particle_sees_nothing_close() {
        let (solids, surfaces) = between_plates(0.5 * D, 0.25 * D, true);
        let confinement = Confinement::find(&surfaces, &solids, D).unwrap();
        let share = |solid: &NearSolid| {
            BoundaryShare::new(solid.surface, solid.normal, -1.0, 0.0, solid.distance)
        };
        let mut shares: Vec<BoundaryShare> = surfaces.iter().map(share).collect();
        let [down, along] = [vec3([0.0, 0.0, -1.0]), vec3([3.0, 0.0, 0.0])];
        let plate = surfaces.iter().position(|solid| solid.normal.z < 0.0).unwrap();
        shares[plate].velocity = down + along;
        confinement.close_no_more(&mut shares);
        let across = |share: &BoundaryShare| share.velocity.z;
        assert!(shares.iter().all(|share| (across(share) + 0.5).abs() < 1e-6));
        assert!((shares[plate].velocity.x - 3.0).abs() < 1e-6, "what slides goes on");
        confinement.widen(&mut shares);
        assert!(shares.iter().all(|share| (share.distance - 0.5 * D).abs() < 1e-4 * D));
    }
}
