//! Density that goes with the flow instead of being summed.
//!
//! A sum over neighbours finds too little density at a free surface, so that the fluid draws
//! together there; and it jumps about as neighbours pass by. Here a particle starts at rest density
//! and keeps account of what comes and goes (Monaghan 1992, eq. 2.17), with a diffusion against the
//! noise that pressure waves leave (δ-SPH: Molteni & Colagrossi 2009), from which the linear part
//! is taken off (Antuono et al. 2010, eq. 7), so that stratification and waves are spared:
//!
//! - dδᵢ/dt = −(D v)ᵢ − 2 ξ ½h Σⱼ V cᵢⱼ (pᵢ − pⱼ − xᵢⱼ·½(gᵢ + gⱼ)) |sᵢⱼ|/(ρ₀c²)
//!
//! with D of [`crate::step::schemes::pressure_operator`], whose adjoint is the pressure at free
//! surfaces, and g the gradient of the pressure ([`crate::step::schemes::mirrored_pressure`]). Half
//! of a step goes with the places before it and half with those after, both with the velocity
//! between them: the same backwards. All of the diffusion goes with the places before it. What this
//! costs: nothing brings a density back that has drifted from what a sum would find; places are put
//! right instead ([`crate::step::schemes::shifting`]).
//!
//! Deviations: pressures diffuse in place of densities, which is the same in one fluid, and right
//! for several of one ρ₀c², in which p is the same on both sides of an interface. cᵢⱼ is the
//! harmonic mean of the speeds of sound at both: noise goes with sound, and by that of the densest
//! fluid alone a lighter one, in which sound is faster, would be damped so much less.
//!
//! Symbols: δ = ρ/ρ₀, ξ diffusion \[–\], c speed of sound \[m/s\], h support radius \[m\], p
//! \[Pa\], g \[Pa/m\], V volume \[m³\], s \[1/m⁵\].

use crate::step::pairs::moments::Moment;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::PairData;
use crate::step::pairs::pair_sum::{self, PairSum, displacement, dot};
use crate::step::schemes::pressure_operator::{Divergence, KnownForce};
use crate::step::schemes::sound::{densest, squared_sound_speeds};
use crate::world::World;
use hashfall_core::simd::{F32x8, Isa};
use hashfall_core::{Real, parallel};

/// Advances densities; keeps its buffers between steps.
#[derive(Debug)]
pub struct Continuity {
    isa: Isa,
    /// ξ \[–\].
    diffusion: Real,
    /// c² in each fluid \[m²/s²\].
    squares: Vec<Real>,
    /// D v \[1/s\].
    rates: Vec<Real>,
    /// 2 u·L ∇λ of solids that move \[1/s\].
    fluxes: Vec<Real>,
    /// What pressures have beyond linear ones \[Pa s/m⁶\].
    jumps: Vec<Real>,
}

impl Continuity {
    /// With this diffusion ξ \[–\], and this instruction set.
    pub fn new(diffusion: Real, isa: Isa) -> Self {
        Continuity {
            isa,
            diffusion,
            squares: Vec::new(),
            rates: Vec::new(),
            fluxes: Vec::new(),
            jumps: Vec::new(),
        }
    }

    /// Advances all densities by `dt` \[s\], at the present places and velocities, but for
    /// diffusion.
    pub fn advance(
        &mut self,
        world: &mut World,
        near: &Neighborhood,
        pairs: &mut PairData,
        moments: &[Moment],
        dt: Real,
    ) {
        let p = &world.particles;
        pairs.set_vectors(|i| {
            let v = &p.velocity[i];
            [v.x, v.y, v.z, 0.0]
        });
        self.rates.resize(p.len(), 0.0);
        self.fluxes.clear();
        if world.solids.has_moving_bodies() {
            self.fluxes.resize(p.len(), 0.0);
            parallel::fill(&mut self.fluxes, |i, flux| {
                *flux = near.boundary.mirror_flux(i, &moments[i].correction);
            });
        }
        let sum = Divergence { near, pairs, moments, fluxes: &self.fluxes };
        pair_sum::for_all(self.isa, &near.lists, pairs, &sum, &mut self.rates);
        let (rates, fluids, particles) = (&self.rates, &world.fluids, &mut world.particles);
        let phases = &particles.phase;
        parallel::fill(&mut particles.density, |i, density| {
            *density -= dt * rates[i] * fluids[usize::from(phases[i])].rest_density;
        });
    }

    /// Diffuses for `dt` \[s\], with the gradients g of the present pressures \[Pa/m\].
    pub fn diffuse(
        &mut self,
        world: &mut World,
        near: &Neighborhood,
        pairs: &mut PairData,
        known: &[KnownForce],
        sound_speed: Real,
        dt: Real,
    ) {
        if self.diffusion <= 0.0 {
            return;
        }
        let (p, fluids) = (&world.particles, &world.fluids);
        self.squares.clear();
        self.squares.extend(squared_sound_speeds(fluids, sound_speed));
        let squares = &self.squares;
        pairs.set_scalars(|i| 1.0 / squares[usize::from(p.phase[i])].sqrt());
        pairs.set_vectors(|i| {
            let g = &known[i].gradient;
            [g.x, g.y, g.z, p.pressure[i]]
        });
        self.jumps.resize(p.len(), 0.0);
        pair_sum::for_all(self.isa, &near.lists, pairs, &PressureJumps, &mut self.jumps);
        let bulk = densest(fluids) * sound_speed * sound_speed;
        let rate = 2.0 * self.diffusion * world.support_radius * near.volume / bulk;
        let (jumps, particles) = (&self.jumps, &mut world.particles);
        let phases = &particles.phase;
        parallel::fill(&mut particles.density, |i, density| {
            *density += dt * rate * jumps[i] * fluids[usize::from(phases[i])].rest_density;
        });
    }
}

/// Σ s (pᵢ − pⱼ − xᵢⱼ·½(gᵢ + gⱼ))/(1/cᵢ + 1/cⱼ). Points carry 1/c, vectors g and p.
struct PressureJumps;

impl PairSum<8, 1> for PressureJumps {
    type Out = Real;

    #[inline(always)]
    fn add<V: F32x8>(&self, [sum]: &mut [V; 1], own: &[V; 8], other: &[V; 8], slope: V) {
        let mean = [own[4] + other[4], own[5] + other[5], own[6] + other[6]];
        let linear = slope.splat(0.5) * dot(mean, displacement(own, other));
        *sum += slope * (own[7] - other[7] - linear) / (own[3] + other[3]);
    }

    #[inline(always)]
    fn finish(&self, _: usize, [sum]: [Real; 1], out: &mut Real) {
        *out = sum;
    }
}

#[cfg(test)]
mod tests;
