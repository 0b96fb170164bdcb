//! The pump behind an emitter: how hard it pushes, and how it starts again after a stall.
//!
//! An emitter's fluid has its speed whatever stands before it. In a vessel that is full, an
//! incompressible fluid would answer with pressures without bound. So a pump gives at most
//!
//! - P = [`HEAD`] (ρ (v² + 2 a L) + 8 π μ u L/A + 4 σ/d) + ρ c u + p₀,
//!
//! for what flows, what falls, what goes through a pipe of the domain's length as wide as the
//! opening (Poiseuille; more than enough for the gap that it is in the plane), the smallest drops,
//! and where fluid is weakly compressible the shock of a start (Joukowsky) and the pressure that is
//! everywhere. Beyond it the emitter stalls ([`crate::step::inflow::nozzles`]).
//!
//! - To set a column of length L into motion takes ρ L Δu/dt beside it, with Δu what the speed in
//!   the nozzle gains in the step.
//! - Once it has stalled, its speed grows by no more than P/(ρ L) in a second, so that a start asks
//!   for no more than P again.
//! - What was forced in before the first stall has no room. From then on fluid that must hold its
//!   density yields by its tolerance at P, in proportion (its compliance): its pressures are
//!   bounded, and so is what they do.
//!
//! Symbols: u the emitter's speed across the opening, v the largest of all emitters and bodies
//! \[m/s\], A the opening's area, in the plane its width squared \[m²\], L the domain's diagonal, d
//! spacing \[m\], a the strongest body force \[m/s²\], c speed of sound \[m/s\], ρ, μ and σ the
//! largest rest density \[kg/m³\], dynamic viscosity \[Pa s\] and tension \[N/m\] of all fluids, p₀
//! the background pressure \[Pa\].

use crate::step::inflow::nozzle::emitter_of;
use crate::step::schemes::scheme::PressureScheme;
use crate::step::time_step::limits;
use crate::world::{Fluid, World};
use hashfall_core::{Dimension, Real, vec3};
use std::f64::consts::PI;

/// What a pump gives over what fluid that gives way asks for \[–\].
const HEAD: f64 = 2.0;

/// The most that fluid yields at P \[–\]: it shall bear many times that.
const MAX_COMPLIANCE: f64 = 1e-3;

/// P of an emitter \[Pa\].
pub fn pressure(world: &World, e: usize, scheme: &dyn PressureScheme) -> f64 {
    let (emitter, d) = (&world.open_boundaries.emitters[e], f64::from(world.spacing()));
    let (emitter_speed, length) = (emitter.speed_across(), length(world));
    let across = emitter.places.len() as f64;
    let area = match world.dimension {
        Dimension::Three => across * d * d,
        Dimension::Two => (across * d).powi(2),
    };
    let speed = emitter_speed.max(limits::boundary_speed(world, 0.0));
    let flows = densest(world) * (speed * speed + 2.0 * strongest_force(world) * length);
    let viscosity = largest(world, |fluid| fluid.rest_density * fluid.viscosity);
    let interfaces = world.interfaces.iter().map(|it| f64::from(it.tension));
    let tension = interfaces.fold(largest(world, |fluid| fluid.surface_tension), f64::max);
    let through = 8.0 * PI * viscosity * emitter_speed * length / area;
    HEAD * (flows + through + 4.0 * tension / d) + scheme.shock_pressure(world, emitter_speed)
}

/// Mass of a column of length L over its cross-section \[kg/m²\].
pub fn column(world: &World) -> f64 {
    densest(world) * length(world)
}

/// The part of its speed that an emitter has at the end of a step of `dt` \[s\] \[–\].
pub fn speed_ratio(world: &World, e: usize, scheme: &dyn PressureScheme, dt: f64) -> f64 {
    if !has_stalled(world, e) {
        return 1.0;
    }
    let reached = speed(world, e) + pressure(world, e, scheme) / column(world) * dt;
    (reached / world.open_boundaries.emitters[e].speed_across()).min(1.0)
}

/// The speed across the opening that the fluid in a nozzle has \[m/s\].
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
pub fn speed(world: &World, e: usize) -> f64 {
    let (p, emitter) = (&world.particles, &world.open_boundaries.emitters[e]);
    if world.open_boundaries.budget.emitters[e].travelled == 0.0 {
        return 0.0;
    }
    let in_nozzle = (0..p.len()).find(|&i| emitter_of(p.in_nozzle[i]) == Some(e));
    in_nozzle.map_or(emitter.speed_across(), |i| p.velocity[i].dot(&vec3(emitter.normal)) as f64)
}

/// Compression by pressure \[1/Pa\] of fluid that holds its density up to an `error` \[–\]; none
/// before an emitter has stalled.
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
pub fn compliance(world: &World, scheme: &dyn PressureScheme, error: f64) -> Real {
    let stalled = (0..world.open_boundaries.emitters.len()).filter(|&e| has_stalled(world, e));
    let strongest = stalled.map(|e| pressure(world, e, scheme)).fold(0.0, f64::max);
    if strongest > 0.0 { (error.min(MAX_COMPLIANCE) / strongest) as Real } else { 0.0 }
}

fn has_stalled(world: &World, e: usize) -> bool {
    world.open_boundaries.budget.emitters[e].rests_until > 0.0
}

/// The largest rest density \[kg/m³\].
pub fn densest(world: &World) -> f64 {
    largest(world, |fluid| fluid.rest_density)
}

/// The largest of what the fluids have.
pub fn largest(world: &World, of: impl Fn(&Fluid) -> Real) -> f64 {
    f64::from(world.fluids.iter().map(of).fold(0.0, Real::max))
}

/// L \[m\].
fn length(world: &World) -> f64 {
    f64::from(world.solids.domain.extent().norm())
}

/// The strongest that gravity and other forces are in the domain \[m/s²\], or more.
fn strongest_force(world: &World) -> f64 {
    let (field, domain) = (world.body_field(), &world.solids.domain);
    let middle = (domain.min + domain.max) * 0.5;
    f64::from(field.at(&middle).norm()) + 0.5 * field.gradient_bound() * length(world)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::schemes::registry::new_scheme;
    use crate::step::tests::box_of_one;
    use crate::world::{Emitter, OpenBoundaries};
    use hashfall_core::Vec3;
    use hashfall_core::simd::Isa;

    fn scheme(world: &World) -> Box<dyn PressureScheme> {
        new_scheme(&world.solver, Isa::current())
    }

    /// A box with an emitter of 2 m/s, of four places along a row, whose fluid has gone some way.
    fn pumped() -> World {
        let mut world = box_of_one(Vec3::zeros());
        let d = world.spacing();
        let emitter = Emitter {
            phase: 0,
            places: (0..4).map(|k| Vec3::x() * (k as Real * d)).collect(),
            normal: [0.0, 0.0, -1.0],
            velocity: [0.0, 0.0, -2.0],
            start: 0.0,
            end: 10.0,
            depth: 2,
            tunnel: vec![],
            rim: vec![],
        };
        world.fluids.truncate(1);
        (world.interfaces, world.forces) = (vec![], vec![]);
        world.open_boundaries = OpenBoundaries::new(vec![emitter], vec![], None, 1);
        world.open_boundaries.budget.emitters[0].travelled = 1.0;
        world
    }

    #[test]
    fn a_pump_gives_what_flows_and_falls_and_is_thick_ask_for() {
        let mut world = pumped();
        let (rho, d) = (densest(&world), f64::from(world.spacing()));
        let length = f64::from(world.solids.domain.extent().norm());
        world.gravity = Vec3::new(0.0, 0.0, -10.0);
        (world.fluids[0].viscosity, world.fluids[0].surface_tension) = (0.0, 0.0);
        let is_about = |found: f64, expected: f64| (found / expected - 1.0).abs() < 1e-5;
        let thin = pressure(&world, 0, scheme(&world).as_ref());
        assert!(
            is_about(
                thin,
                2.0 * rho * (4.0 + 20.0 * length) + scheme(&world).shock_pressure(&world, 2.0)
            ),
            "{thin}"
        );
        world.fluids[0].viscosity = 0.5;
        let thick = pressure(&world, 0, scheme(&world).as_ref()) - thin;
        assert!(is_about(thick, 2.0 * 8.0 * PI * rho * 0.5 * 2.0 * length / (4.0 * d * d)));
        world.dimension = Dimension::Two;
        assert!(is_about(pressure(&world, 0, scheme(&world).as_ref()) - thin, 0.25 * thick));
    }

    #[test]
    fn an_emitter_that_has_stalled_gathers_speed_again_and_its_fluid_yields() {
        let mut world = pumped();
        assert_eq!(
            (
                speed_ratio(&world, 0, scheme(&world).as_ref(), 1e-6),
                compliance(&world, scheme(&world).as_ref(), 1e-4)
            ),
            (1.0, 0.0)
        );
        world.open_boundaries.budget.emitters[0].rests_until = 0.1;
        let yielded = f64::from(compliance(&world, scheme(&world).as_ref(), 1e-4))
            * pressure(&world, 0, scheme(&world).as_ref());
        assert!((yielded / 1e-4 - 1.0).abs() < 1e-5, "{yielded}");
        assert!(
            f64::from(compliance(&world, scheme(&world).as_ref(), 0.1))
                * pressure(&world, 0, scheme(&world).as_ref())
                < 1.1e-3
        );
        world.emit(0, Vec3::zeros(), 0.25, 0.0, true);
        let gain = pressure(&world, 0, scheme(&world).as_ref()) / column(&world);
        let speed_ratios = [0.0, 0.5 / gain, 10.0 / gain]
            .map(|dt| speed_ratio(&world, 0, scheme(&world).as_ref(), dt));
        for (speed_ratio, expected) in speed_ratios.into_iter().zip([0.25, 0.5, 1.0]) {
            assert!((speed_ratio - expected).abs() < 1e-5, "{speed_ratio} for {expected}");
        }
    }
}
