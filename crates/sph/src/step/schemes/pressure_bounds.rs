//! How large pressures may be: bounds by the fluid's motion and its weight.
//!
//! The time step is no part of them: what a particle needs to be stopped within a step grows as the
//! step gets shorter, and is no pressure of water.
//!
//! Symbols: p \[Pa\], ρ₀ \[kg/m³\], v \[m/s\].

use crate::step::time_step::limits;
use crate::world::World;
use hashfall_core::{Length, Real, parallel};

/// Pressures above this times ρ₀v², with the largest speed of fluid and solids, are no pressures of
/// water: an impact that ends within a hundredth of a spacing has a tenth of it \[–\].
const MAX_DYNAMIC_PRESSURE: f64 = 1e3;

/// Nor are those above this times the weight of as much fluid as the domain is large \[–\].
const MAX_STATIC_PRESSURE: f64 = 10.0;

/// A rise of pressure by more than this times ρ₀v², with the largest speed of fluid and solids, is
/// that of an impact, and over with the step \[–\].
const MAX_DYNAMIC_RISE: f64 = 1.0;

/// And by more than this times the weight of as much fluid as the domain is large \[–\].
const MAX_STATIC_RISE: f64 = 0.5;

/// The pressure over ρ₀ \[m²/s²\] by these parts of motion and of weight, with the largest
/// acceleration but for pressure \[m/s²\].
fn pressure_scale(world: &World, dt: f64, acceleration: f64, [motion, weight]: [f64; 2]) -> f64 {
    let velocities = &world.particles.velocity;
    let square = |i: usize| f64::from(velocities[i].norm_squared());
    let fluid = parallel::max(velocities.len(), 0.0, square);
    let body = limits::boundary_speed(world, dt);
    let depth = f64::from((world.solids.domain.max - world.solids.domain.min).length());
    motion * (fluid + body * body) + weight * acceleration * depth
}

/// The largest pressure over ρ₀ \[m²/s²\]: what solids that close on a particle squeeze is held
/// with this one, and compressed.
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
pub fn largest_pressure(world: &World, dt: f64) -> Real {
    let parts = [MAX_DYNAMIC_PRESSURE, MAX_STATIC_PRESSURE];
    pressure_scale(world, dt, limits::strongest_force(world), parts) as Real
}

/// The largest rise over ρ₀ \[m²/s²\] that is kept from one step to the next, with the largest
/// acceleration but for pressure \[m/s²\].
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
pub fn largest_rise(world: &World, dt: f64, acceleration: f64) -> Real {
    let parts = [MAX_DYNAMIC_RISE, MAX_STATIC_RISE];
    pressure_scale(world, dt, acceleration, parts) as Real
}
