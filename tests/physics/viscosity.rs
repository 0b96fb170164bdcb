//! Viscosity: a shear wave decays as that of a fluid with its ν.

use super::support::{self, SPACING, fill, run_with};
use hashfall_core::kernel::{KernelKind, Mueller};
use hashfall_core::{Dimension, Real, Vec3};
use hashfall_search::NeighborKind;
use hashfall_sph::world::{Solver, ViscositySolver, Wcsph, World};
use std::f64::consts::TAU;

const WCSPH: Solver = Solver::Wcsph(Wcsph {
    sound_speed: Some(1.0),
    artificial_viscosity: Some(0.0),
    ..support::WCSPH
});
const VISCOSITY: f64 = 0.01;
/// Particles along the wave.
const COUNT: usize = 24;

/// Where in the wave a place is \[rad\].
fn phase(x: &Vec3) -> f64 {
    TAU * f64::from(x.x) / (COUNT as f64 * f64::from(SPACING))
}

/// Twice the mean of v_z cos kx: the wave's amplitude \[m/s\].
fn amplitude(world: &World) -> f64 {
    let p = &world.particles;
    let parts = (0..p.len()).map(|i| f64::from(p.velocity[i].z) * phase(&p.position[i]).cos());
    2.0 * parts.sum::<f64>() / p.len() as f64
}

/// A lattice with a shear wave so slow that no particle leaves its place, without walls.
fn wave(kernel: KernelKind, dimension: Dimension) -> World {
    let rows = if dimension == Dimension::Two { 1 } else { 6 };
    let size = [COUNT, rows, 6].map(|n| n as Real * SPACING);
    let mut world = support::world(size, &[1000.0], VISCOSITY as Real, WCSPH);
    world.gravity = Vec3::zeros();
    (world.dimension, world.kernel) = (dimension, kernel);
    world.support_radius = 3.0 * SPACING;
    world.periodic = [true, dimension == Dimension::Three, true];
    world.solids = world.solids.with_open_axes([true; 3]);
    let velocity = |x: &Vec3| Vec3::new(0.0, 0.0, 4e-4 * phase(x).cos() as Real);
    fill(&mut world, Vec3::zeros(), [COUNT, rows, 6], 0, velocity);
    if dimension == Dimension::Two {
        world.particles.position.iter_mut().for_each(|x| x.y = 0.0);
    }
    world
}

/// What Müller's viscosity comes to on the lattice, as part of ν: Σ V ∇²W (1 − cos kx)/k².
fn of_laplacian(world: &World, wavenumber: f64) -> f64 {
    let kernel = Mueller::new(world.dimension, world.support_radius);
    let depth = if world.dimension == Dimension::Two { 0 } else { 3 };
    let mut sum = 0.0;
    for (i, j, k) in
        (-3..=3).flat_map(|i| (-depth..=depth).flat_map(move |j| (-3..=3).map(move |k| (i, j, k))))
    {
        let r = ((i * i + j * j + k * k) as Real).sqrt() * SPACING;
        let turned = (wavenumber * f64::from(i) * f64::from(SPACING)).cos();
        sum += f64::from(kernel.laplacian(r)) * (1.0 - turned);
    }
    let volume = world.kernel().rest_volume(world.spacing());
    f64::from(volume) * sum / (wavenumber * wavenumber)
}

#[test]
fn a_shear_wave_decays_at_the_viscosity_with_every_kernel() {
    let wavenumber = TAU / (COUNT as f64 * f64::from(SPACING));
    for dimension in [Dimension::Two, Dimension::Three] {
        for kernel in KernelKind::ALL {
            let mut world = wave(kernel, dimension);
            let before = amplitude(&world);
            run_with(NeighborKind::SortedCells, &mut world, 0.5);
            let rate = (before / amplitude(&world)).ln() / 0.5;
            let found = rate / (VISCOSITY * wavenumber * wavenumber);
            let (expected, tolerance) = match kernel {
                // 6 % too little, on a lattice, and with a wave of 8 h.
                KernelKind::Mueller => (of_laplacian(&world, wavenumber), 0.01),
                _ => (1.0, 0.02),
            };
            assert!((found - 1.0).abs() < 0.07, "{kernel:?}, {dimension:?}: {found} ν");
            let error = found / expected - 1.0;
            assert!(error.abs() < tolerance, "{kernel:?}, {dimension:?}: {found} of {expected}");
        }
    }
}

#[test]
fn a_shear_wave_decays_at_the_implicit_viscosity_however_long_the_steps() {
    let wavenumber = TAU / (COUNT as f64 * f64::from(SPACING));
    for dimension in [Dimension::Two, Dimension::Three] {
        for kernel in [KernelKind::CubicSpline, KernelKind::WendlandC2] {
            let mut world = wave(kernel, dimension);
            world.viscosity = ViscositySolver::Implicit;
            let before = amplitude(&world);
            let reports = run_with(NeighborKind::SortedCells, &mut world, 0.5);
            let (rate, steps) = ((before / amplitude(&world)).ln() / 0.5, reports.len());
            let found = rate / (VISCOSITY * wavenumber * wavenumber);
            assert!((found - 1.0).abs() < 0.02, "{kernel:?}, {dimension:?}: {found} ν");
            // With a thousand times the viscosity it is as many steps, and nothing is left.
            world.fluids[0].viscosity *= 1000.0;
            let until = 2.0 * world.time;
            let more = run_with(NeighborKind::SortedCells, &mut world, until).len();
            assert!(more <= steps + 2, "{more} steps, {steps} before");
            assert!(amplitude(&world).abs() < 0.02 * before, "{kernel:?}, {dimension:?}");
        }
    }
}

#[test]
fn thick_fluid_turns_for_ever() {
    for solver in [WCSPH, Solver::Dfsph(support::DFSPH)] {
        let mut world = support::world([2.0, 1.0, 2.0], &[1000.0], 10.0, solver);
        (world.dimension, world.gravity) = (Dimension::Two, Vec3::zeros());
        world.solids = world.solids.with_open_axes([false, true, false]);
        world.viscosity = ViscositySolver::Implicit;
        let middle = Vec3::new(1.0, 0.0, 1.0);
        let rate = 0.5;
        for (i, k) in (-8..8).flat_map(|i| (-8..8).map(move |k| (i, k))) {
            let x = Vec3::new(i as Real + 0.5, 0.0, k as Real + 0.5) * SPACING;
            if x.norm() < 8.0 * SPACING {
                let v = Vec3::new(-x.z, 0.0, x.x) * rate;
                world.particles.push(middle + x, v, 0, 1000.0);
            }
        }
        let spin = |world: &World| {
            let p = &world.particles;
            let parts = p.position.iter().zip(&p.velocity).map(|(x, v)| {
                let x = x - middle;
                f64::from(x.x * v.z - x.z * v.x)
            });
            parts.sum::<f64>()
        };
        let before = spin(&world);
        run_with(NeighborKind::SortedCells, &mut world, 0.5);
        let kept = spin(&world) / before;
        assert!((kept - 1.0).abs() < 0.002, "{solver:?}: {kept} of the spin");
    }
}

/// What implicit viscosity starts from is what contact leaves: else it spreads the weight that the
/// floor carries, and honey at rest moves at 3 cm/s for ever.
#[test]
fn thick_fluid_at_rest_stays_at_rest() {
    let size = [8.0 * SPACING, 8.0 * SPACING, 16.0 * SPACING];
    let mut world = support::world(size, &[1400.0], 0.01, Solver::Dfsph(support::DFSPH));
    world.viscosity = ViscositySolver::Implicit;
    fill(&mut world, Vec3::zeros(), [8; 3], 0, |_| Vec3::zeros());
    run_with(NeighborKind::SortedCells, &mut world, 1.0);
    let squares = world.particles.velocity.iter().map(|v| f64::from(v.norm_squared()));
    let speed = (squares.sum::<f64>() / world.particles.len() as f64).sqrt();
    assert!(speed < 6e-3, "{speed} m/s");
}
