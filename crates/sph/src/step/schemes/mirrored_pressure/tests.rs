//! Pressures that are linear act exactly, walls included, and vortices between walls gain nothing.

use super::*;
use crate::step::stepper::Stepper;
use crate::step::tests::{WCSPH, neighborhood, splash};
use crate::world::{Fluid, Solver, Wcsph};
use hashfall_core::kernel::KernelKind;
use hashfall_core::{Dimension, Real, Vec3};
use hashfall_search::Structures;
use std::f64::consts::PI;

/// Under its weight a fluid between walls feels the gradient of its pressure, however its particles
/// stand.
#[test]
fn the_gradient_of_a_linear_pressure_is_exact_inside() {
    let mut world = splash(WCSPH);
    world.forces.clear();
    world.fluids.truncate(1);
    world.particles.phase.fill(0);
    let (neighborhood, mut pairs) = neighborhood(&mut world);
    let pressure = |x: &Vec3| 9810.0 * (0.45 - x.z);
    world.particles.pressure = world.particles.position.iter().map(pressure).collect();
    let mut moments = Moments::new(Isa::current());
    moments.update(&world, &neighborhood, &mut pairs);
    let mut forces = MirroredPressure::new(Isa::current());
    forces.update(&world, &neighborhood, &mut pairs, &moments);
    let inside = forces.known().iter().zip(&moments.all).filter(|(_, m)| m.inside > 0.999);
    assert!(inside.clone().count() > 500);
    for (KnownForce { gradient, force, .. }, _) in inside {
        for g in [gradient, force] {
            assert!((g / 9810.0 + Vec3::z()).norm() < 0.02, "{g}");
        }
    }
}

/// A vortex that stands still in a box without friction, 16² particles, after 2 s: its kinetic
/// energy, and the part of its velocity that is left, both of those at the start.
fn vortex(kernel: KernelKind, width: Real, sound_speed: f64) -> [f64; 2] {
    let d = 1.0 / 16.0;
    let mut world = World::builder()
        .dimension(Dimension::Two)
        .kernel(kernel)
        .spacing(d)
        .support_radius(width * d)
        .gravity([0.0; 3])
        .fluid(Fluid { viscosity: 0.0, ..Fluid::default() })
        .solver(Solver::Wcsph(Wcsph { sound_speed: Some(sound_speed), ..Wcsph::default() }))
        .domain([0.0; 3], [1.0, 0.0, 1.0])
        .block([0.0; 3], [1.0, 0.0, 1.0])
        .build()
        .unwrap();
    let steady = |x: &Vec3| {
        let [x, z] = [f64::from(x.x) * PI, f64::from(x.z) * PI];
        [x.sin() * z.cos(), -x.cos() * z.sin()]
    };
    let p = &mut world.particles;
    for (x, v) in p.position.iter().zip(&mut p.velocity) {
        let [u, w] = steady(x);
        *v = Vec3::new(u as Real, 0.0, w as Real);
    }
    let energies = |world: &World| {
        let p = &world.particles;
        p.position.iter().zip(&p.velocity).fold([0.0; 3], |[kinetic, along, whole], (x, v)| {
            let [u, w] = steady(x);
            let product = f64::from(v.x) * u + f64::from(v.z) * w;
            [kinetic + f64::from(v.norm_squared()), along + product, whole + u * u + w * w]
        })
    };
    let [start, ..] = energies(&world);
    let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
    while world.time < 2.0 {
        stepper.step(&mut world, 2.0).unwrap();
    }
    let [kinetic, along, whole] = energies(&world);
    [kinetic / start, along / whole]
}

#[test]
fn a_vortex_between_walls_gains_no_energy_and_keeps_its_form() {
    for (kernel, width, sound_speed) in [
        (KernelKind::CubicSpline, 2.5, 10.0),
        (KernelKind::CubicSpline, 4.0, 10.0),
        (KernelKind::WendlandC2, 3.0, 10.0),
        (KernelKind::WendlandC2, 3.0, 20.0),
    ] {
        let [kinetic, mode] = vortex(kernel, width, sound_speed);
        let case = format!("{kernel:?} {width} {sound_speed}: {kinetic} {mode}");
        assert!(kinetic <= 1.0 && mode > 0.85, "{case}");
    }
}

/// Still water under a flat surface, on a lattice, feels its weight and nothing else, layer by
/// layer.
#[test]
fn a_start_in_balance_is_at_rest_up_to_the_surface() {
    for (kernel, width) in [(KernelKind::CubicSpline, 2.0), (KernelKind::WendlandC2, 4.0)] {
        let d = 0.05;
        let mut world = World::builder()
            .dimension(Dimension::Two)
            .kernel(kernel)
            .spacing(d)
            .support_radius(width * d)
            .fluid(Fluid::default())
            .solver(Solver::Wcsph(Wcsph { sound_speed: Some(30.0), ..Wcsph::default() }))
            .domain([0.0; 3], [1.0, 0.0, 2.0])
            .block([0.0; 3], [1.0, 0.0, 1.0])
            .build()
            .unwrap();
        let weight = |x: &Vec3| 9810.0 * (1.0 - x.z);
        world.particles.pressure = world.particles.position.iter().map(weight).collect();
        let (neighborhood, mut pairs) = neighborhood(&mut world);
        let mut moments = Moments::new(Isa::current());
        moments.update(&world, &neighborhood, &mut pairs);
        let mut forces = MirroredPressure::new(Isa::current());
        forces.update(&world, &neighborhood, &mut pairs, &moments);
        for (known, x) in forces.known().iter().zip(&world.particles.position) {
            let left = known.force / 9810.0 + Vec3::z();
            // In corners of walls and surface the layers are told apart less well.
            let is_corner = x.x.min(1.0 - x.x) < world.support_radius;
            let most = if is_corner { 0.3 } else { 0.02 };
            assert!(left.norm() < most, "{kernel:?} {x}: {left}");
        }
    }
}
