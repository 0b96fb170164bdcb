//! Speeds of sound in several fluids of one stiffness, and the speed that pressure gives.

use crate::world::{Fluid, World};
use hashfall_core::{Real, parallel};

/// ρ₀ₘₐₓ \[kg/m³\].
pub fn densest(fluids: &[Fluid]) -> Real {
    fluids.iter().map(|fluid| fluid.rest_density).fold(0.0, Real::max)
}

/// c² in each fluid \[m²/s²\], with that in the densest given \[m/s\].
pub fn squared_sound_speeds(
    fluids: &[Fluid],
    sound_speed: Real,
) -> impl Iterator<Item = Real> + '_ {
    let densest = densest(fluids);
    fluids.iter().map(move |fluid| sound_speed * sound_speed * (densest / fluid.rest_density))
}

/// How much faster than in the densest fluid sound is in the lightest of these `fluids`.
pub fn faster(world: &World, fluids: &[Fluid]) -> f64 {
    let least = fluids.iter().map(|fluid| fluid.rest_density).fold(Real::INFINITY, Real::min);
    (f64::from(densest(&world.fluids)) / f64::from(least)).sqrt()
}

/// How fast pressure can drive the fluid \[m/s\]: √(p/ρ₀) with p the mean of pressures that weighs
/// each by itself. Of a deep tank that is two thirds of the largest, but no single particle, thrown
/// against a wall, makes steps short for all: the shorter they are, the larger its pressure is.
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
pub fn pressure_speed(world: &World) -> Real {
    let particles = &world.particles;
    let [squares, sum] = parallel::sum(particles.len(), |i| {
        let rest_density = world.fluids[usize::from(particles.phase[i])].rest_density;
        let square = f64::from((particles.pressure[i] / rest_density).abs());
        [square * square, square]
    });
    if sum > 0.0 { (squares / sum).sqrt() as Real } else { 0.0 }
}
