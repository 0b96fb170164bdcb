//! Individual steps keep what common steps keep, and continue from anywhere.

use super::*;
use crate::step::stepper::Stepper;
use crate::step::tests::{WCSPH, splash};
use crate::world::{Audit, Solver, Wcsph};
use hashfall_search::Structures;

/// A splash whose sound goes at 10 m/s in the denser fluid.
fn slow_sound(individual_steps: u32) -> World {
    let Solver::Wcsph(wcsph) = WCSPH else { unreachable!("by its name") };
    let individual_steps = f64::from(individual_steps);
    splash(Solver::Wcsph(Wcsph { individual_steps, sound_speed: Some(10.0), ..wcsph }))
}

/// A column of it goes up at 20 m/s, twice as fast as sound, through fluid at rest.
fn with_fast_ones(individual_steps: u32) -> World {
    let mut world = slow_sound(individual_steps);
    let p = &mut world.particles;
    for i in 0..p.len() {
        let x = p.position[i];
        p.velocity[i] = if x.x < 0.1 && x.y < 0.1 { Vec3::z() * 20.0 } else { Vec3::zeros() };
    }
    world
}

/// One fluid is so thick that its steps are a sixth of those of the other.
fn with_a_thick_fluid(individual_steps: u32) -> World {
    let mut world = slow_sound(individual_steps);
    world.fluids[0].viscosity = 0.65;
    world
}

/// The centre, the kinetic energy \[J\] and the number of whole steps after 0.02 s, and how often
/// the longest was halved.
fn after_a_while(mut world: World) -> (nalgebra::Vector3<f64>, f64, u64, u32) {
    let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
    let mut max_level = 0;
    while world.time < 0.02 {
        stepper.step(&mut world, 0.02).unwrap();
        max_level = max_level.max(stepper.individual.max_level);
    }
    let sum: nalgebra::Vector3<f64> =
        world.particles.position.iter().map(|x| x.map(f64::from)).sum();
    let centre = sum / world.particles.len() as f64;
    (centre, Audit::new(&world).kinetic_energy, world.steps, max_level)
}

#[test]
fn levels_are_the_least_that_are_enough_and_those_of_neighbours_are_near() {
    let mut world = slow_sound(4);
    world.particles.velocity[100] = Vec3::x() * 150.0;
    let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
    let shortest = stepper.stable_step(&world).0;
    let bounds =
        world.fluids.iter().map(|f| stepper.scheme.bounds(&world, std::slice::from_ref(f)));
    let whole = stepper.individual.longest_step(&world, bounds, shortest);
    let dt = stepper.individual.begin(&world, &stepper.neighborhood, &stepper.pairs, whole);
    assert_eq!((whole / shortest, dt), (8.0, shortest));
    let (individual, lists) = (&stepper.individual, &stepper.neighborhood.lists);
    let step_of = |level: u8| whole / f64::from(1 << level);
    let mut counts = [0; 4];
    for (i, &level) in individual.levels.iter().enumerate() {
        let may = individual.particle_step(&world, i) * (1.0 + ROUNDING);
        let others = || lists.of(i).iter().map(|&j| individual.levels[j as usize]);
        assert!(step_of(level) <= may && others().all(|other| other.abs_diff(level) <= 1));
        let is_asked = others().any(|other| other == level + 1);
        assert!(level == 0 || is_asked || step_of(level - 1) > may, "{level}");
        counts[usize::from(level)] += 1;
    }
    assert!(counts[3] == 1 && counts[2] > 10 && counts[1] > counts[2] && counts[0] > counts[1]);
}

#[test]
fn individual_steps_are_those_of_all_where_nobody_is_faster() {
    let run = |individual_steps| {
        let Solver::Wcsph(wcsph) = WCSPH else { unreachable!("by its name") };
        let individual_steps = f64::from(individual_steps);
        let mut world = splash(Solver::Wcsph(Wcsph { individual_steps, ..wcsph }));
        let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
        for _ in 0..20 {
            stepper.step(&mut world, 10.0).unwrap();
        }
        world.digest()
    };
    // Sound at 30 m/s leaves all of them a step within a factor of two.
    assert_eq!(run(4), run(0));
}

/// Common steps half as long move the energy by 0.3 %, individual ones by 1.1 %.
#[test]
fn where_few_are_faster_than_sound_individual_steps_keep_what_common_ones_keep() {
    let (all, energy, steps, _) = after_a_while(with_fast_ones(0));
    let (individual, individual_energy, individual_steps, max_level) =
        after_a_while(with_fast_ones(4));
    assert!(max_level > 0 && 2 * individual_steps < steps, "{individual_steps} for {steps}");
    // Two thousandths of a spacing.
    assert!((all - individual).norm() < 5e-5, "{all} {individual}");
    assert!((individual_energy / energy - 1.0).abs() < 0.02, "{individual_energy} for {energy}");
}

#[test]
fn where_one_fluid_is_thick_individual_steps_keep_what_common_ones_keep() {
    let (all, energy, steps, _) = after_a_while(with_a_thick_fluid(0));
    let (individual, individual_energy, individual_steps, max_level) =
        after_a_while(with_a_thick_fluid(4));
    assert!(max_level == 2 && 3 * individual_steps < steps, "{individual_steps} for {steps}");
    assert!((all - individual).norm() < 1e-5, "{all} {individual}");
    assert!((individual_energy / energy - 1.0).abs() < 1e-3, "{individual_energy} for {energy}");
}

#[test]
fn individual_steps_go_on_from_anywhere_on_any_number_of_threads() {
    let run = |threads| {
        parallel::with_threads(threads, || {
            let mut world = with_fast_ones(4);
            let mut first = Stepper::new(&Structures::default(), &mut world).unwrap();
            for _ in 0..12 {
                let mut other = world.clone();
                let mut second =
                    Stepper::resume(&Structures::default(), &mut other, &first.memory()).unwrap();
                let report = first.step(&mut world, 10.0).unwrap();
                assert_eq!(second.step(&mut other, 10.0).unwrap(), report);
                assert_eq!(other, world);
            }
            world.digest()
        })
    };
    assert_eq!(run(3), run(1));
}

#[test]
fn individual_steps_are_the_same_by_any_search() {
    let run = |kind: hashfall_search::NeighborKind| {
        let mut world = with_fast_ones(4);
        world.periodic = [true, false, false];
        world.solids = world.solids.with_open_axes(world.periodic);
        let mut stepper = Stepper::new(&Structures::from(kind), &mut world).unwrap();
        for _ in 0..6 {
            stepper.step(&mut world, 10.0).unwrap();
        }
        world.digest()
    };
    let wanted = run(hashfall_search::NeighborKind::SortedCells);
    for kind in hashfall_search::NeighborKind::ALL {
        assert_eq!(run(kind), wanted, "{kind:?}");
    }
}
