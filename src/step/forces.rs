//! Accelerations: gravity, viscosity and pressure.
//!
//! With δ = ρ/ρ₀, equal rest volumes V and ∇ᵢWᵢⱼ = sᵢⱼ xᵢⱼ (see [`super::neighborhood`]):
//!
//! - pressure: ρ₀ᵢ aᵢ = −Σⱼ V (kᵢ + kⱼ) ∇ᵢWᵢⱼ − (kᵢ + kˢᵢ) ∇λᵢ, with k = p/δ². A solid answers with
//!   kˢ, the mean of k around the particle (in the spirit of Adami et al. 2012). Both other choices
//!   were measured in a tank 40 layers deep: the particle's own k feeds the fluid, which then never
//!   comes to rest (0.39 J of motion after 2 s); no answer at all draws the first layer to the wall
//!   (0.02 J); the mean does neither (0.007 J).
//! - viscosity (Monaghan 2005, eq. 4.7, for three dimensions):
//!   ρ₀ᵢ aᵢ = Σⱼ V (10 μᵢⱼ + αcd ρ₀ᵢⱼ [vᵢⱼ·xᵢⱼ < 0]) (vᵢⱼ·xᵢⱼ)/(r² + 0.01 h²) ∇ᵢWᵢⱼ,
//!   the second part is Monaghan's artificial viscosity between particles that approach.
//!
//! Both are equal and opposite for a pair, so they keep momentum exactly up to rounding.
//!
//! Symbols: p pressure \[Pa\], μ = ρ₀ν dynamic viscosity \[Pa s\], α artificial viscosity \[–\],
//! c speed of sound \[m/s\], d spacing \[m\], h support radius \[m\].

use super::neighborhood::Neighborhood;
use crate::base::{Real, Vec3, parallel};
use crate::world::{Fluid, World};

/// The acceleration that the factors k = p/δ² \[Pa\] give to particle `i` \[m/s²\].
#[inline(always)]
pub fn pressure_acceleration(
    i: usize,
    factors: &[Real],
    near: &Neighborhood,
    x: &[Vec3],
    rest_density: Real,
) -> Vec3 {
    let mut sum = Vec3::zeros();
    for (j, slope) in near.pairs_of(i) {
        sum += (x[i] - x[j]) * ((factors[i] + factors[j]) * slope);
    }
    let solid = match near.solids.fraction[i] > 0.0 {
        true => near.solids.gradient[i] * (factors[i] + answer_of_solids(i, factors, near)),
        false => Vec3::zeros(),
    };
    (sum * near.volume + solid) * (-1.0 / rest_density)
}

/// kˢ: the mean of the factors around particle `i`, each weighted by the slope of the kernel.
fn answer_of_solids(i: usize, factors: &[Real], near: &Neighborhood) -> Real {
    let mut sum = 0.0;
    let mut weight = 0.0;
    for (j, slope) in near.pairs_of(i) {
        sum += slope * factors[j];
        weight += slope;
    }
    if weight < 0.0 { sum / weight } else { factors[i] }
}

/// The viscous part of the forces, prepared once a step.
#[derive(Clone, Copy, Debug)]
pub struct Viscosity<'a> {
    /// Materials, for their viscosities and rest densities.
    pub fluids: &'a [Fluid],
    /// α c d of the artificial viscosity \[m²/s\].
    pub artificial: Real,
    /// 0.01 h² \[m²\]: keeps coincident particles from dividing by zero.
    pub softening: Real,
}

impl<'a> Viscosity<'a> {
    /// The viscous forces of a world, with artificial viscosity α c d \[m²/s\].
    pub fn of(world: &'a World, artificial: Real) -> Self {
        Viscosity {
            fluids: &world.fluids,
            artificial,
            softening: 0.01 * world.support_radius * world.support_radius,
        }
    }

    /// The acceleration that viscosity gives to particle `i` \[m/s²\].
    #[inline(always)]
    fn acceleration(&self, i: usize, world: &World, near: &Neighborhood) -> Vec3 {
        let p = &world.particles;
        let own = &self.fluids[p.phase[i] as usize];
        let mut sum = Vec3::zeros();
        for (j, slope) in near.pairs_of(i) {
            let other = &self.fluids[p.phase[j] as usize];
            let (x, v) = (p.position[i] - p.position[j], p.velocity[i] - p.velocity[j]);
            let approach = v.dot(&x);
            let density = 0.5 * (own.rest_density + other.rest_density);
            let physical =
                5.0 * (own.viscosity * own.rest_density + other.viscosity * other.rest_density);
            let artificial = if approach < 0.0 { self.artificial * density } else { 0.0 };
            let strength = approach / (x.norm_squared() + self.softening);
            sum += x * ((physical + artificial) * strength * slope);
        }
        sum * (near.volume / own.rest_density)
    }
}

/// Writes gravity and viscosity into the world's accelerations.
pub fn body_forces(world: &mut World, near: &Neighborhood, artificial: Real) {
    let mut accelerations = std::mem::take(&mut world.particles.acceleration);
    let viscosity = Viscosity::of(world, artificial);
    parallel::fill(&mut accelerations, |i, a| {
        *a = world.gravity + viscosity.acceleration(i, world, near);
    });
    world.particles.acceleration = accelerations;
}

/// Kicks every particle: v += a·dt.
pub fn kick(world: &mut World, dt: Real) {
    let accelerations = &world.particles.acceleration;
    parallel::fill(&mut world.particles.velocity, |i, v| *v += accelerations[i] * dt);
}
