//! The pump behind an emitter: how hard it pushes, and how it starts again after a stall.
//!
//! An emitter's fluid has its speed whatever stands before it. In a vessel that is full, an
//! incompressible fluid would answer with pressures without bound. So a pump gives at most
//!
//! - P = [`HEAD`] (ρ (v² + 2 g L) + 8 π μ v L/A) + ρ c v,
//!
//! for what flows, what falls, what goes through a pipe of the domain's length as wide as the
//! opening (Poiseuille), and where fluid is weakly compressible for the shock of a start
//! (Joukowsky). Beyond it the emitter stalls ([`super::exchange`]).
//!
//! - To set a column of length L into motion takes ρ L Δv/dt beside it, with Δv what the speed in
//!   the nozzle gains in the step.
//! - After a stall the speed grows by P/(ρ L), so that a start asks for no more than P again.
//! - What is forced in before it stalls has no room: where emitters are, fluid that must hold its
//!   density yields by its tolerance at P, in proportion ([`softness`]). Its pressures are bounded
//!   then, and so is what they do; below P it is as incompressible as it was asked to be.
//!
//! Symbols: v the emitter's speed across the opening \[m/s\], A the opening's area \[m²\], L the
//! domain's diagonal \[m\], c speed of sound \[m/s\], g gravity \[m/s²\], ρ and μ the largest rest
//! density \[kg/m³\] and dynamic viscosity \[Pa s\] of all fluids.

use crate::base::{Dimension, Real};
use crate::world::{Fluid, Solver, Wcsph, World};
use std::f64::consts::PI;

/// What a pump gives over what fluid that gives way asks for \[–\].
const HEAD: f64 = 2.0;

/// P of an emitter \[Pa\].
pub fn pressure(world: &World, e: usize) -> f64 {
    let (emitter, d) = (&world.exchange.emitters[e], f64::from(world.spacing()));
    let (speed, length) = (emitter.speed_across(), length(world));
    let across = emitter.places.len() as f64;
    let area = match world.dimension {
        Dimension::Three => across * d * d,
        Dimension::Two => (across * d).powi(2),
    };
    let falls = 2.0 * f64::from(world.gravity.norm()) * length;
    let flows = largest(world, |fluid| fluid.rest_density) * (speed * speed + falls);
    let viscosity = largest(world, |fluid| fluid.rest_density * fluid.viscosity);
    HEAD * (flows + 8.0 * PI * viscosity * speed * length / area) + shock(world, speed)
}

/// ρ c v, and the pressure that is everywhere \[Pa\].
fn shock(world: &World, speed: f64) -> f64 {
    match &world.solver {
        Solver::Wcsph(Wcsph { sound_speed, background_pressure, .. }) => {
            largest(world, |fluid| fluid.rest_density) * sound_speed * speed + background_pressure
        }
        Solver::Multiphase(_) => {
            largest(world, |fluid| fluid.rest_density * fluid.stiffness.sqrt()) * speed
        }
        Solver::Dfsph(_) | Solver::Ballistic(_) => 0.0,
    }
}

/// Mass of a column of length L over its cross-section \[kg/m²\].
pub fn column(world: &World) -> f64 {
    largest(world, |fluid| fluid.rest_density) * length(world)
}

/// The part of its speed that an emitter has at the end of a step of `dt` \[s\] \[–\].
pub fn pace(world: &World, e: usize, dt: f64) -> f64 {
    let rested_until = world.exchange.account.emitters[e].rests_until;
    if rested_until == 0.0 {
        return 1.0;
    }
    let reached = pressure(world, e) / column(world) * (world.time + dt - rested_until);
    (reached / world.exchange.emitters[e].speed_across()).clamp(0.0, 1.0)
}

/// Compression by pressure \[1/Pa\] of fluid that holds its density up to an `error` \[–\]; none
/// without emitters.
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
pub fn softness(world: &World, error: f64) -> Real {
    let pressures = (0..world.exchange.emitters.len()).map(|e| pressure(world, e));
    let strongest = pressures.fold(0.0, f64::max);
    if strongest > 0.0 { (error / strongest) as Real } else { 0.0 }
}

/// L \[m\].
fn length(world: &World) -> f64 {
    f64::from(world.solids.domain.extent().norm())
}

/// The largest of what the fluids have.
fn largest(world: &World, of: impl Fn(&Fluid) -> Real) -> f64 {
    f64::from(world.fluids.iter().map(of).fold(0.0, Real::max))
}
