//! How shear dies out in time.

use crate::step::stepper::Stepper;
use crate::world::{Dfsph, Fluid, Solver, ViscositySolver, Wcsph, World};
use hashfall_core::{Dimension, Real};
use hashfall_search::Structures;
use std::f64::consts::TAU;

/// Spacing \[m\]; the box is 1 m wide.
const SPACING: f64 = 0.05;

/// A periodic square of one fluid that is sheared along x at this speed \[m/s\].
fn sheared(solver: Solver, viscosity: f64, speed: f64) -> World {
    let world = World::builder()
        .dimension(Dimension::Two)
        .solver(solver)
        .viscosity(ViscositySolver::Implicit)
        .spacing(SPACING as Real)
        .gravity([0.0; 3])
        .domain([0.0, 0.0, 0.0], [1.0, 0.0, 1.0])
        .periodic([true, false, true])
        .fluid(Fluid { viscosity: viscosity as Real, ..Fluid::default() })
        .block([0.0, 0.0, 0.0], [1.0, 0.0, 1.0]);
    let mut world = world.build().unwrap();
    let particles = &mut world.particles;
    for (v, x) in particles.velocity.iter_mut().zip(&particles.position) {
        v.x = (speed * (TAU * f64::from(x.z)).sin()) as Real;
    }
    world
}

/// The amplitude of the shear \[m/s\].
fn amplitude(world: &World) -> f64 {
    let p = &world.particles;
    let wave = |z: Real| (TAU * f64::from(z)).sin();
    let all = || p.position.iter().zip(&p.velocity);
    let product: f64 = all().map(|(x, v)| f64::from(v.x) * wave(x.z)).sum();
    product / all().map(|(x, _)| wave(x.z) * wave(x.z)).sum::<f64>()
}

fn speed2(world: &World) -> f64 {
    world.particles.velocity.iter().map(|v| f64::from(v.norm_squared())).sum()
}

/// Sound gives all steps one length. dt ν/d² is 2 with the longest.
#[test]
fn half_as_long_steps_leave_a_quarter_of_the_error() {
    let (rate, end) = (20.0, 0.08);
    let [a, b, c] = [0.4, 0.2, 0.1].map(|courant| {
        let wcsph = Wcsph {
            sound_speed: Some(2.0),
            artificial_viscosity: Some(0.0),
            courant: Some(courant),
            ..Wcsph::default()
        };
        let mut world = sheared(Solver::Wcsph(wcsph), rate / (TAU * TAU), 1e-3);
        let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
        while world.time < end {
            stepper.step(&mut world, end).unwrap();
        }
        amplitude(&world) / 1e-3
    });
    assert!((c / (-rate * end).exp() - 1.0).abs() < 0.02, "{c}");
    let order = ((a - b) / (b - c)).abs().log2();
    assert!((order - 2.0).abs() < 0.3, "{order}: {a} {b} {c}");
}

/// Of honey for which the first steps are some 10, 30 and 3000 times as long as d²/ν; each of those
/// that follow may be three times as long as the one before.
#[test]
fn stiff_shear_dies_out_at_once() {
    for viscosity in [4.0, 12.0, 1200.0] {
        let mut world = sheared(Solver::Dfsph(Dfsph::default()), viscosity, 1.0);
        let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
        let start = speed2(&world);
        let (mut left, mut steps) = (Vec::new(), Vec::new());
        for _ in 0..8 {
            let report = stepper.step(&mut world, 1e4).unwrap();
            assert!(!report.viscosity.capped, "{report:?}");
            left.push(amplitude(&world));
            steps.push(report.dt);
        }
        let most = 2.0 / (1.0 + viscosity * TAU * TAU * steps[0]);
        assert!(left.iter().all(|u| u.abs() < most + 1e-4), "{viscosity}: {left:?} {steps:?}");
        let all = speed2(&world) / start;
        assert!(left[7].abs() < 1e-2 && all < 1e-3, "{viscosity}: {left:?} {all}");
    }
}
