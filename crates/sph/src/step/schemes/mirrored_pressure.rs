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
//! Where fluids of several densities meet, the gradient of a pressure at rest has a kink, and g/ρ₀
//! has none. There pairs count by 2/(ρ₀ᵢ + ρ₀ⱼ), and g is that times ρ₀ᵢ, the gradient on its side.
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
use crate::step::pairs::moment::Moment;
use crate::step::pairs::moments::Moments;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::PairData;
use crate::step::pairs::row_sum::{self, RowSum};
use crate::step::schemes::context::StageContext;
use crate::step::schemes::free_flight::{RigidField, is_free};
use crate::step::schemes::pressure_operator::{Consistent, KnownForce, pressed_rows};
use crate::step::schemes::solid_forces::{Pressed, SolidForces};
use crate::world::World;
use hashfall_core::simd::{F32x8, Isa};
use hashfall_core::{Real, Vec3, parallel};

/// Finds how pressures act; keeps its buffers between steps.
#[derive(Debug)]
pub struct MirroredPressure {
    isa: Isa,
    /// g, and the force by which pressure acts, turned round.
    known: Vec<KnownForce>,
    /// g where fluids meet \[Pa/m\].
    mixed: Vec<Vec3>,
}

impl MirroredPressure {
    /// With this instruction set.
    pub fn new(isa: Isa) -> Self {
        MirroredPressure { isa, known: Vec::new(), mixed: Vec::new() }
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
        let acceleration = |i: usize| field.at(&particles.position[i]);
        pairs.set_scalars(|i| pressures[i]);
        pairs.set_both(|i| pressed_rows(&moments[i], pressures[i], rest_density(i)));
        self.known.resize(particles.len(), KnownForce::default());
        self.mixed.resize(particles.len(), Vec3::zeros());
        let sum = Consistent::<_, false> { neighborhood, pairs, moments, acceleration };
        row_sum::for_all(self.isa, &neighborhood.lists, pairs.blocks(), &sum, &mut self.known);
        if world.fluids.len() > 1 {
            let sum = MixedGradient { neighborhood, pairs, moments, acceleration };
            row_sum::for_all(self.isa, &neighborhood.lists, pairs.blocks(), &sum, &mut self.mixed);
            let mixed = &self.mixed;
            parallel::fill(&mut self.known, |i, known| {
                let adjoint = known.force - known.excess;
                known.gradient = mixed[i];
                known.excess = moments[i].excess_force(mixed[i], adjoint);
                known.force = adjoint + known.excess;
            });
        }
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

/// ρ₀ᵢ Lᵢ (Σⱼ V (pⱼ − pᵢ) 2/(ρ₀ᵢ + ρ₀ⱼ) ∇ᵢWᵢⱼ + walls). Rows as for [`Consistent`].
struct MixedGradient<'a, F> {
    neighborhood: &'a Neighborhood,
    pairs: &'a PairData,
    moments: &'a [Moment],
    /// Body forces \[m/s²\].
    acceleration: F,
}

impl<F: Fn(usize) -> Vec3 + Sync> RowSum<3, 1> for MixedGradient<'_, F> {
    type Out = Vec3;

    #[inline(always)]
    fn add<V: F32x8>(&self, [sum]: &mut [V; 1], particle: &[V; 3], other: &[V; 3], slope: V) {
        let x = particle[0] - other[0];
        let weight = slope.splat(2.0) / (particle[2] + other[2]).splat_fourth();
        *sum += slope * x.splat_fourth() * weight * x;
    }

    #[inline(always)]
    fn finish(&self, i: usize, [[x, y, z, _]]: [[Real; 4]; 1], out: &mut Vec3) {
        let [.., rest_density] = self.pairs.extra(i);
        let walls = self.neighborhood.boundary.mirror_rise(i, &(self.acceleration)(i));
        let sum = walls - Vec3::new(x, y, z) * self.neighborhood.volume;
        *out = self.moments[i].correction * sum * rest_density;
    }
}

#[cfg(test)]
mod tests;
