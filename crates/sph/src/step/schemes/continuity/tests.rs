//! Diffusion gives and takes alike, and spares what is linear.

use super::*;
use crate::step::pairs::moments::Moments;
use crate::step::schemes::mirrored_pressure::MirroredPressure;
use crate::step::tests::{WCSPH, neighborhood, splash};
use hashfall_core::{Dimension, Vec3};

const SOUND_SPEED: Real = 30.0;

/// A splash that stands still, with this pressure of each particle \[Pa\], and its dδ/dt by
/// diffusion \[1/s\], with χ.
fn rates(
    prepare: impl FnOnce(&mut World),
    pressure: impl Fn(&World, usize) -> f64,
) -> Vec<(f64, Real)> {
    let mut world = splash(WCSPH);
    assert_eq!(world.dimension, Dimension::Three);
    world.forces.clear();
    prepare(&mut world);
    let (neighborhood, mut pairs) = neighborhood(&mut world);
    let n = world.particles.len();
    world.particles.velocity.fill(Vec3::zeros());
    world.particles.pressure = (0..n).map(|i| pressure(&world, i) as Real).collect();
    let isa = Isa::current();
    let mut moments = Moments::new(isa);
    moments.update(&world, &neighborhood, &mut pairs);
    let mut forces = MirroredPressure::new(isa);
    forces.update(&world, &neighborhood, &mut pairs, &moments);
    let rest =
        |world: &World, i: usize| world.fluids[usize::from(world.particles.phase[i])].rest_density;
    world.particles.density = (0..n).map(|i| rest(&world, i)).collect();
    let dt = 1e-3;
    let mut continuity = Continuity::new(0.1, SOUND_SPEED, isa);
    let known = forces.known();
    continuity.advance_and_diffuse(&mut world, &neighborhood, &mut pairs, &moments.all, known, dt);
    let change = |i: usize| {
        let rest = rest(&world, i);
        f64::from((world.particles.density[i] - rest) / (rest * dt))
    };
    (0..n).map(|i| (change(i), moments.all[i].inside)).collect()
}

#[test]
fn densities_advance_by_the_moments_as_by_a_pass_of_their_own() {
    let mut world = splash(WCSPH);
    let (neighborhood, mut pairs) = neighborhood(&mut world);
    let positions = &world.particles.position;
    world.particles.velocity = positions.iter().map(|x| Vec3::new(x.y, x.z * x.x, -x.z)).collect();
    world.particles.density.fill(0.0);
    let isa = Isa::current();
    let mut moments = Moments::new(isa);
    moments.update(&world, &neighborhood, &mut pairs);
    let (mut by_moments, mut by_pass) = (world.clone(), world);
    Continuity::advance_by_moments(&mut by_moments, &moments.all, 1e-3);
    let mut continuity = Continuity::new(0.1, SOUND_SPEED, isa);
    continuity.advance(&mut by_pass, &neighborhood, &mut pairs, &moments.all, 1e-3);
    let [a, b] = [by_moments, by_pass].map(|world| world.particles.density);
    let largest = b.iter().fold(0.0, |most: Real, b| most.max(b.abs()));
    assert!(largest > 0.5, "{largest}");
    assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-4 * largest), "{a:?} {b:?}");
}

fn largest_inside(rates: &[(f64, Real)]) -> f64 {
    let inside = rates.iter().filter(|(_, inside)| *inside > 0.999);
    assert!(inside.clone().count() > 500);
    inside.fold(0.0, |most, (rate, _)| rate.abs().max(most))
}

#[test]
fn diffusion_gives_to_one_fluid_what_it_takes_from_the_other() {
    let pressure = |world: &World, i: usize| 1e4 * f64::from(world.particles.phase[i]);
    let rates = rates(|world| world.gravity = Vec3::zeros(), pressure);
    let all: f64 = rates.iter().map(|(rate, _)| rate.abs()).sum();
    let sum: f64 = rates.iter().map(|(rate, _)| rate).sum();
    assert!(all > 1.0 && sum.abs() < 1e-3 * all, "{sum} of {all}");
}

#[test]
fn linear_pressures_stay_and_noise_goes() {
    let one_fluid = |world: &mut World| {
        world.fluids.truncate(1);
        world.particles.phase.fill(0);
    };
    let depth = |world: &World, i: usize| 0.45 - f64::from(world.particles.position[i].z);
    let linear = rates(one_fluid, |world, i| 9810.0 * depth(world, i));
    let noise = rates(one_fluid, |_, i| 2450.0 * [1.0, -1.0][i % 2]);
    let (linear, noise) = (largest_inside(&linear), largest_inside(&noise));
    assert!(noise > 1.0 && linear < 0.02 * noise, "{linear} {noise}");
}
