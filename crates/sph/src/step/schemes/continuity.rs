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
//! Of pairs that come so near that an explicit step of diffusion overshoots, by a kernel whose s
//! grows without bound (Müller's), it takes as much as it can: [`MAX_DIFFUSED`].
//!
//! Symbols: δ = ρ/ρ₀, ξ diffusion \[–\], c speed of sound \[m/s\], h support radius \[m\], p
//! \[Pa\], g \[Pa/m\], V volume \[m³\], s \[1/m⁵\].

use crate::step::pairs::moment::Moment;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::PairData;
use crate::step::pairs::row_sum;
use crate::step::schemes::known_pressure::KnownForce;
use crate::step::schemes::pressure_operator::{Divergence, find_divergence_and_jumps};
use crate::step::schemes::sound::{densest, squared_sound_speeds};
use crate::world::{Fluid, World};
use hashfall_core::simd::Isa;
use hashfall_core::{Real, parallel};

/// The most that a step of diffusion takes of a density that differs from all around it; above 1
/// two particles would pass it to and fro, and more each time \[–\].
const MAX_DIFFUSED: Real = 0.8;

/// Advances densities; keeps its buffers between steps.
#[derive(Debug)]
pub struct Continuity {
    isa: Isa,
    /// ξ \[–\].
    diffusion: Real,
    /// c in the densest fluid \[m/s\].
    sound_speed: Real,
    /// c in each fluid \[m/s\].
    speeds: Vec<Real>,
    /// D v \[1/s\].
    rates: Vec<Real>,
    /// 2 u·L ∇λ of solids that move \[1/s\].
    fluxes: Vec<Real>,
    /// D v, and what diffusion takes from the pressures \[1/s, Pa/m s\].
    changes: Vec<[Real; 2]>,
}

impl Continuity {
    /// With this diffusion ξ \[–\], this speed of sound in the densest fluid \[m/s\], and this
    /// instruction set.
    pub fn new(diffusion: Real, sound_speed: Real, isa: Isa) -> Self {
        Continuity {
            isa,
            diffusion,
            sound_speed,
            speeds: Vec::new(),
            rates: Vec::new(),
            fluxes: Vec::new(),
            changes: Vec::new(),
        }
    }

    /// Advances all densities by `dt` \[s\], at the present places and velocities, but for
    /// diffusion.
    pub fn advance(
        &mut self,
        world: &mut World,
        neighborhood: &Neighborhood,
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
        self.note_fluxes(world, neighborhood, moments);
        let [points, velocities, _] = pairs.blocks();
        let sum = Divergence { neighborhood, velocities, moments, fluxes: &self.fluxes };
        row_sum::for_all(
            self.isa,
            &neighborhood.lists,
            [points, velocities],
            &sum,
            &mut self.rates,
        );
        let (rates, fluids, particles) = (&self.rates, &world.fluids, &mut world.particles);
        let phases = &particles.phase;
        parallel::fill(&mut particles.density, |i, density| {
            *density -= dt * rates[i] * fluids[usize::from(phases[i])].rest_density;
        });
    }

    /// Advances all densities by `dt` \[s\] as [`Continuity::advance`] does, at the velocities for
    /// which the moments were found.
    pub fn advance_by_moments(world: &mut World, moments: &[Moment], dt: Real) {
        let (fluids, particles) = (&world.fluids, &mut world.particles);
        let phases = &particles.phase;
        parallel::fill(&mut particles.density, |i, density| {
            let rest_density = fluids[usize::from(phases[i])].rest_density;
            *density -= dt * moments[i].divergence * rest_density;
        });
    }

    /// Advances all densities by half of `dt` \[s\], and diffuses for all of it, with the present
    /// pressures and their gradients g \[Pa/m\].
    pub fn advance_and_diffuse(
        &mut self,
        world: &mut World,
        neighborhood: &Neighborhood,
        pairs: &mut PairData,
        moments: &[Moment],
        known: &[KnownForce],
        dt: Real,
    ) {
        if self.diffusion <= 0.0 {
            return self.advance(world, neighborhood, pairs, moments, 0.5 * dt);
        }
        let (p, fluids, sound_speed) = (&world.particles, &world.fluids, self.sound_speed);
        self.speeds.clear();
        self.speeds.extend(squared_sound_speeds(fluids, sound_speed).map(Real::sqrt));
        let speeds = &self.speeds;
        let slowness = |fluid: usize| 1.0 / speeds[fluid];
        let one = world.one_density().map(|_| slowness(0));
        if one.is_none() {
            pairs.set_scalars(|i| slowness(usize::from(p.phase[i])));
        }
        pairs.set_both(|i| {
            let (v, g) = (&p.velocity[i], &known[i].gradient);
            [[v.x, v.y, v.z, p.pressure[i]], [g.x, g.y, g.z, 0.0]]
        });
        self.changes.resize(p.len(), [0.0; 2]);
        self.note_fluxes(world, neighborhood, moments);
        let blocks = pairs.blocks();
        let sum = Divergence { neighborhood, velocities: blocks[1], moments, fluxes: &self.fluxes };
        // With 1/c in place of ρ₀ the jumps have the harmonic means.
        find_divergence_and_jumps(self.isa, blocks, sum, one, &mut self.changes);
        let bulk = densest(fluids) * sound_speed * sound_speed;
        let rate = self.diffusion * world.support_radius / bulk;
        let longest = dt * self.diffusion * world.support_radius;
        let (changes, speeds, particles) = (&self.changes, &self.speeds, &mut world.particles);
        let phases = &particles.phase;
        parallel::fill(&mut particles.density, |i, density| {
            let [divergence, jumps] = changes[i];
            let phase = usize::from(phases[i]);
            let Fluid { rest_density, .. } = &fluids[phase];
            let diffused = longest * speeds[phase] * moments[i].weight * rest_density;
            let taken = if diffused > MAX_DIFFUSED { MAX_DIFFUSED / diffused } else { 1.0 };
            let change = dt * (rate * taken * jumps - 0.5 * divergence);
            *density += change * rest_density;
        });
    }

    /// 2 u·L ∇λ of solids that move.
    fn note_fluxes(&mut self, world: &World, neighborhood: &Neighborhood, moments: &[Moment]) {
        self.fluxes.clear();
        if world.solids.has_moving_bodies() {
            self.fluxes.resize(moments.len(), 0.0);
            parallel::fill(&mut self.fluxes, |i, flux| {
                *flux = neighborhood.boundary.mirror_flux(i, &moments[i].correction);
            });
        }
    }
}

#[cfg(test)]
mod tests;
