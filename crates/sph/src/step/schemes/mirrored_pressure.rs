//! How the pressure of transported densities acts: by a gradient that is exact for linear pressures
//! inside the fluid, and by the adjoint of the divergence at its free surface.
//!
//! With the [moments](crate::step::pairs::moments) L, χ of each particle, and the gradients g and G
//! p of [`crate::step::schemes::pressure_operator`], walls as
//! [mirrors](crate::step::boundary::mirror):
//!
//! - ρ₀ᵢ aᵢ = −χᵢ gᵢ − (1 − χᵢ) sᵢ (G p)ᵢ
//!
//! Densities follow the divergence D = −Gᵀ ([`crate::step::schemes::continuity`]), so that pressure
//! and compression exchange energy without a gain where χ = 0, as if particles there were 1/s as
//! heavy, and up to the difference of two gradients, both exact for linear pressures, where χ = 1.
//! G alone makes forces of disorder: a tank at rest boils, and vortices break up.
//!
//! s makes G exact up to flat surfaces ([`crate::step::pairs::surface_scale`]).
//!
//! What is beyond G p, no pair gives: it comes from solids
//! ([`crate::step::schemes::solid_forces`]); in free flight it is taken off again as a whole
//! ([`crate::step::schemes::free_flight`]).
//!
//! The wall's pressure grows with the body force across its surface, and so its part of the
//! gradient does: this is the hydrostatic pressure behind the wall.
//!
//! Symbols: p \[Pa\], ρ₀ \[kg/m³\], a \[m/s²\], g and G p \[Pa/m\], χ inside the fluid, s \[–\].

use crate::step::bodies::coupling::BodyCoupling;
use crate::step::pairs::moments::Moments;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::PairData;
use crate::step::schemes::context::StageContext;
use crate::step::schemes::free_flight::{RigidField, is_free};
use crate::step::schemes::known_pressure::{KnownForce, KnownPressure};
use crate::step::schemes::pressure_operator::pressed_rows;
use crate::step::schemes::solid_forces::{Pressed, SolidForces};
use crate::world::World;
use hashfall_core::parallel;
use hashfall_core::simd::Isa;

/// Finds how pressures act; keeps its buffers between steps.
#[derive(Debug)]
pub struct MirroredPressure {
    isa: Isa,
    /// g, and the force by which pressure acts, turned round.
    known: Vec<KnownForce>,
}

impl MirroredPressure {
    /// With this instruction set.
    pub fn new(isa: Isa) -> Self {
        MirroredPressure { isa, known: Vec::new() }
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
        neighborhood: &Neighborhood,
        pairs: &mut PairData,
        moments: &Moments,
    ) {
        let particles = &world.particles;
        let (pressures, moments) = (&particles.pressure, &moments.all);
        let field = world.body_field();
        let rest_density = |i: usize| world.fluids[usize::from(particles.phase[i])].rest_density;
        let weight = |i: usize| field.at(&particles.position[i]) * rest_density(i);
        pairs.set_scalars(|i| pressures[i]);
        pairs.set_both(|i| pressed_rows(&moments[i], pressures[i], rest_density(i)));
        self.known.resize(particles.len(), KnownForce::default());
        let known = KnownPressure { neighborhood, pairs, moments, weight };
        known.find(self.isa, world.one_density().is_none(), &mut self.known);
        self.keep_momentum(world, neighborhood);
    }

    /// Takes off what no pair and no solid gives, as a whole, of fluid that no solid is near.
    fn keep_momentum(&mut self, world: &World, neighborhood: &Neighborhood) {
        let (known, positions) = (&self.known, &world.particles.position);
        if !is_free(world, neighborhood) {
            return;
        }
        let whole = RigidField::new(known.len(), |_| 1.0, |i| positions[i], |i| known[i].excess);
        let Some(whole) = whole else { return };
        parallel::fill(&mut self.known, |i, known| {
            known.force -= whole.at(&positions[i]);
        });
    }

    /// Adds the accelerations by pressure, as found last, and gives solids their part.
    pub fn add(&self, world: &mut World, context: &mut StageContext<'_>, moments: &Moments) {
        let StageContext { neighborhood, reactions, bodies, .. } = context;
        let is_coupled = BodyCoupling::is_needed(world);
        let accounts = if is_coupled { bodies.known() } else { &mut **reactions };
        let volume = world.particle_volume();
        let (particles, fluids) = (&mut world.particles, &world.fluids);
        let (in_nozzle, phases, known) = (&particles.in_nozzle, &particles.phase, &self.known);
        let (positions, pressures) = (&particles.position, &particles.pressure);
        let moments = &moments.all;
        let pressed = Pressed { neighborhood, moments, known, positions, pressures, in_nozzle };
        let forces = SolidForces::new(pressed);
        accounts.fill(&mut particles.acceleration, |i, a, account| {
            if in_nozzle[i] == 0 {
                *a -= known[i].force * (1.0 / fluids[usize::from(phases[i])].rest_density);
                forces.add_reaction(i, volume, account);
            }
        });
        if is_coupled {
            accounts.act();
            bodies.integrate_known(world, known);
            reactions.act_with(bodies.known_forces());
        } else {
            reactions.act_too();
        }
    }
}

#[cfg(test)]
mod tests;
