//! Speeds of sound in several fluids of one stiffness.

use crate::world::{Fluid, World};
use hashfall_core::Real;

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
