//! How the pressure of transported densities acts: by a gradient that is exact for linear pressures
//! inside the fluid, and by the adjoint of the divergence at its free surface.
//!
//! With the [moments](crate::step::pairs::moments) L, χ of each particle, and the gradients g and G
//! p of [`crate::step::schemes::pressure_operator`], walls as
//! [mirrors](crate::step::boundary::mirror):
//!
//! - ρ₀ᵢ aᵢ = −χᵢ gᵢ − (1 − χᵢ) (G p)ᵢ
//!
//! Densities follow the divergence D = −Gᵀ ([`crate::step::schemes::continuity`]), so that pressure
//! and compression exchange energy without a gain where χ = 0, and up to the difference of two
//! gradients, both exact for linear pressures, where χ = 1. G alone makes forces of disorder: a
//! tank at rest boils, and vortices break up.
//!
//! What is beyond G p, no pair gives: χ (g − G p). Solids take it where they are near, and what
//! particles farther off have of it by axis as they push; in free flight its sum is taken off
//! again, so that momentum is kept, as in [`crate::step::schemes::projection`].
//!
//! The wall's pressure grows with the body force across its surface, and so its part of the
//! gradient does: this is the hydrostatic pressure behind the wall.
//!
//! Symbols: p \[Pa\], ρ₀ \[kg/m³\], a \[m/s²\], g and G p \[Pa/m\], χ inside the fluid \[–\].

use crate::step::boundary::reactions::Reactions;
use crate::step::pairs::moments::{Moment, Moments};
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::PairData;
use crate::step::pairs::pair_sum;
use crate::step::schemes::pressure_operator::{Consistent, KnownForce, pressure_columns};
use crate::world::World;
use hashfall_core::simd::Isa;
use hashfall_core::{Real, Vec3, parallel, to_f64};
use rayon::prelude::*;

/// Finds how pressures act; keeps its buffers between steps.
#[derive(Debug)]
pub struct MirroredPressure {
    isa: Isa,
    /// g, and the force by which pressure acts, turned round.
    known: Vec<KnownForce>,
    /// Body forces \[m/s²\].
    body: Vec<Vec3>,
}

impl MirroredPressure {
    /// With this instruction set.
    pub fn new(isa: Isa) -> Self {
        MirroredPressure { isa, known: Vec::new(), body: Vec::new() }
    }

    /// g of each particle, and the force by which its pressure acts, turned round \[Pa/m\], as
    /// found last.
    pub fn known(&self) -> &[KnownForce] {
        &self.known
    }

    /// Finds the gradients of the present pressures.
    pub fn update(
        &mut self,
        world: &World,
        near: &Neighborhood,
        pairs: &mut PairData,
        moments: &Moments,
    ) {
        let particles = &world.particles;
        let (pressures, moments) = (&particles.pressure, &moments.all);
        let field = world.body_field();
        let rest_density = |i: usize| world.fluids[usize::from(particles.phase[i])].rest_density;
        self.body.resize(particles.len(), Vec3::zeros());
        parallel::fill(&mut self.body, |i, a| *a = field.at(&particles.position[i]));
        let columns =
            |i: usize| pressure_columns(pressures[i], &moments[i].correction, rest_density(i));
        pairs.set_scalars(|i| pressures[i]);
        pairs.set_vectors(|i| columns(i)[0]);
        pairs.set_extras(|i| columns(i)[1]);
        self.known.resize(particles.len(), KnownForce::default());
        let sum = Consistent { near, pairs, moments, accelerations: &self.body };
        pair_sum::for_all(self.isa, &near.lists, pairs, &sum, &mut self.known);
        self.keep_momentum(world, near, moments);
    }

    /// Takes off the sum of what no pair and no solid gives, of fluid that no solid is near.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    fn keep_momentum(&mut self, world: &World, near: &Neighborhood, moments: &[Moment]) {
        let in_nozzle = &world.particles.in_nozzle;
        let is_held = |i: usize| near.boundary.fraction[i] > 0.0 || in_nozzle[i] > 0;
        let known = &self.known;
        if (0..known.len()).into_par_iter().any(is_held) {
            return;
        }
        let [x, y, z, weight] = parallel::sum(known.len(), |i| {
            let [x, y, z] = to_f64(&known[i].excess);
            [x, y, z, f64::from(moments[i].inside)]
        });
        if weight <= 0.0 {
            return;
        }
        let mean = Vec3::new((x / weight) as Real, (y / weight) as Real, (z / weight) as Real);
        parallel::fill(&mut self.known, |i, known| known.force -= mean * moments[i].inside);
    }

    /// Adds the accelerations by pressure, as found last, and gives solids their part.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub fn add(
        &self,
        world: &mut World,
        near: &Neighborhood,
        moments: &Moments,
        reactions: &mut Reactions,
    ) {
        let volume = world.particle_volume();
        let (particles, fluids) = (&mut world.particles, &world.fluids);
        let (positions, phases) = (&particles.position, &particles.phase);
        let (in_nozzle, pressures, known) =
            (&particles.in_nozzle, &particles.pressure, &self.known);
        let push = |i: usize| {
            let slope = near.boundary.gradient[i] * (2.0 * pressures[i]);
            -(moments.all[i].correction * slope + known[i].excess)
        };
        let is_near = |i: usize| near.boundary.gives_force(i);
        let sums = parallel::sum(known.len(), |i| {
            if in_nozzle[i] > 0 {
                return [0.0; 6];
            }
            if !is_near(i) {
                let [x, y, z] = to_f64(&-known[i].excess);
                return [x, y, z, 0.0, 0.0, 0.0];
            }
            let [x, y, z] = to_f64(&push(i)).map(f64::abs);
            [0.0, 0.0, 0.0, x, y, z]
        });
        let share = Vec3::from_fn(|axis, _| {
            let (given, pushed) = (sums[axis], sums[3 + axis]);
            if pushed > 0.0 { (given / pushed) as Real } else { 0.0 }
        });
        reactions.fill(&mut particles.acceleration, |i, a, account| {
            if in_nozzle[i] > 0 {
                return;
            }
            *a -= known[i].force * (1.0 / fluids[usize::from(phases[i])].rest_density);
            if is_near(i) {
                let own = push(i);
                let by_solids = own + own.abs().component_mul(&share);
                let at = to_f64(&positions[i]);
                near.boundary.distribute_force(i, by_solids, |surface, force| {
                    account.add(surface.body(), at, to_f64(&(force * volume)));
                });
            }
        });
        reactions.act_too();
    }
}

#[cfg(test)]
mod tests;
