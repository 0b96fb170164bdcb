//! What is changed between steps acts: as in a new simulation of the changed world, to the bit; or
//! it is an error that names the field, the value and what would be right.

use super::worlds;
use hashfall::core::Real;
use hashfall::prelude::*;

/// What is changed of a world, and how.
type Change<'a> = (&'a str, &'a dyn Fn(&mut World));

/// A world under way.
fn begun(world: World) -> Simulation {
    let mut simulation = Simulation::new(world).unwrap();
    for _ in 0..4 {
        simulation.step(1.0).unwrap();
    }
    simulation
}

/// The message of what a change of a dam leads to.
fn refusal(change: impl Fn(&mut World)) -> String {
    let mut simulation = begun(worlds::fluids(Solver::default()));
    change(simulation.world_mut());
    let error = simulation.step(1.0).unwrap_err();
    assert!(matches!(error, SimulationError::World(_)), "{error:?}");
    let mut other = simulation.world().clone();
    assert!(Stepper::new(&Structures::default(), &mut other).is_err(), "{error}");
    error.to_string()
}

#[test]
fn a_wrong_world_is_named() {
    let text = refusal(|it| it.particles.position.push(Vec3::zeros()));
    assert!(text.contains("`particles.velocity` has ") && text.contains("it must have"), "{text}");
    let text = refusal(|it| it.particles.density[3] = -1.0);
    assert!(
        text.starts_with("`particles.density of particle ") && text.contains("is -1"),
        "{text}"
    );
    assert_eq!(refusal(|it| it.fluids.clear()), "the world has no fluid, and no elastic body");
    let text = refusal(|it| it.fluids[1].rest_density = -2.0);
    assert_eq!(text, "`fluids[1].rest_density` is -2; it must be positive and finite");
    let text = refusal(|it| it.support_radius = 1e-4);
    assert_eq!(text, "`support_radius` is 0.0001 m; it must be at least the spacing, 0.05 m");
    let text = refusal(|it| it.solver = Solver::Dfsph(Dfsph { courant: 0.0, ..Dfsph::default() }));
    assert_eq!(text, "`courant` is 0; it must be positive and finite");
    let text = refusal(|it| it.particles.id[0] = u32::MAX);
    assert!(text.contains("duplicate particle id"), "{text}");
}

#[test]
fn a_world_that_was_put_right_goes_on() {
    let mut simulation = begun(worlds::fluids(Solver::default()));
    let mut other = begun(worlds::fluids(Solver::default()));
    let gravity = std::mem::replace(&mut simulation.world_mut().gravity.z, Real::NAN);
    assert!(simulation.step(1.0).is_err());
    simulation.world_mut().gravity.z = gravity;
    assert_eq!(simulation.step(1.0).unwrap(), other.step(1.0).unwrap());
    assert_eq!(simulation.world(), other.world());
}

#[test]
fn to_look_at_a_world_to_change_it_changes_nothing() {
    for (name, world) in worlds::all() {
        let (mut simulation, mut other) = (begun(world.clone()), begun(world));
        for _ in 0..3 {
            let same = simulation.world().clone();
            *simulation.world_mut() = same;
            let report = simulation.step(1.0).unwrap();
            assert_eq!(report, other.step(1.0).unwrap(), "{name}");
            assert_eq!(simulation.world(), other.world(), "{name}");
        }
    }
}

/// The world but for the work from outside: that alone tells what a caller brought.
fn without_account(simulation: &Simulation) -> World {
    let mut world = simulation.world().clone();
    world.open_boundaries.budget.outside = Default::default();
    world
}

#[test]
fn a_change_is_as_in_a_new_simulation_of_the_changed_world() {
    let solids = |it: &World| Solids::new(it.solids.domain, vec![], vec![]);
    let ball = Sphere { centre: Vec3::new(0.05, 0.3, 0.1), radius: 0.04 };
    let changes: [Change<'_>; 17] = [
        ("solver", &|it| it.solver = Solver::Wcsph(worlds::wcsph())),
        ("settings", &|it| it.solver = Solver::Dfsph(Dfsph { courant: 0.1, ..Dfsph::default() })),
        ("support", &|it| it.support_radius *= 1.25),
        ("kernel", &|it| it.kernel = KernelKind::WendlandC2),
        ("fluid", &|it| it.fluids[0].rest_density = 1200.0),
        ("tension", &|it| it.fluids[0].surface_tension = 0.07),
        ("viscosity", &|it| it.viscosity = ViscositySolver::Implicit),
        ("no solid", &|it| it.solids = solids(it)),
        ("a ball more", &|it| {
            let balls = [it.solids.spheres(), &[ball]].concat();
            it.solids = Solids::new(it.solids.domain, balls, vec![]);
        }),
        ("domain", &|it| it.solids.domain.max.x = 0.6),
        ("a place", &|it| it.particles.position[5].z += 0.1),
        ("a speed", &|it| it.particles.velocity[5].z += 3.0),
        ("order", &|it| {
            let p = &mut it.particles;
            (p.position.swap(0, 9), p.velocity.swap(0, 9), p.id.swap(0, 9)).2
        }),
        ("one more", &|it| {
            it.particles.push(Vec3::new(0.1, 0.1, 0.45), Vec3::zeros(), 0, 1000.0);
        }),
        ("half", &|it| it.particles.remove(|i| i % 2 == 0)),
        ("clock", &|it| it.time += 0.25),
        ("an emitter", &|it| it.open_boundaries = worlds::fountain().open_boundaries),
    ];
    for (name, change) in changes {
        let mut simulation = begun(worlds::fluids(Solver::default()));
        change(simulation.world_mut());
        let mut other = Simulation::new(simulation.world().clone()).unwrap();
        for _ in 0..3 {
            let report = simulation.step(1.0).unwrap();
            assert_eq!(report, other.step(1.0).unwrap(), "{name}");
            assert_eq!(without_account(&simulation), without_account(&other), "{name}");
        }
    }
}

#[test]
fn a_stepper_that_is_given_another_world_steps_that() {
    // A new stepper begins with its nozzles at rest.
    let all = worlds::all().into_iter().map(|(_, world)| world);
    let all: Vec<World> = all.filter(|world| !world.open_boundaries.is_open()).collect();
    let mut first = all[0].clone();
    let mut stepper = Stepper::new(&Structures::default(), &mut first).unwrap();
    for world in &all {
        let mut world = begun(world.clone()).world().clone();
        let mut other = world.clone();
        let report = stepper.step(&mut world, 1.0).unwrap();
        let mut alone = Stepper::new(&Structures::default(), &mut other).unwrap();
        assert_eq!(report, alone.step(&mut other, 1.0).unwrap());
        assert_eq!(world, other);
    }
}

#[test]
fn a_step_that_failed_midway_leaves_nothing_that_the_next_one_takes_for_true() {
    let good = worlds::fluids(Solver::default());
    let mut world = good.clone();
    let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
    world.particles.velocity[5].z = 1e30;
    let failed = (0..9).find_map(|_| stepper.step(&mut world, 1.0).err());
    assert!(matches!(failed, Some(StepError::BlowUp(_))), "{failed:?}");
    // The caller goes on from a state of before, and does not say so.
    let mut other = good.clone();
    world = good;
    let mut other_stepper = Stepper::new(&Structures::default(), &mut other).unwrap();
    for _ in 0..3 {
        let report = stepper.step(&mut world, 1.0).unwrap();
        assert_eq!(report, other_stepper.step(&mut other, 1.0).unwrap());
        assert_eq!(world, other);
    }
}

#[test]
fn forces_of_ones_own_and_impulses_stay() {
    let mut simulation = begun(worlds::fluids(Solver::default()));
    simulation.stepper_mut().add_force(|_: &World, accelerations: &mut [Vec3]| {
        accelerations.iter_mut().for_each(|a| a.x += 1000.0);
    });
    drop(simulation.stepper_mut().take_impulses());
    simulation.step(1.0).unwrap();
    simulation.world_mut().solver = Solver::Wcsph(worlds::wcsph());
    let before: Real = simulation.world().particles.velocity.iter().map(|v| v.x).sum();
    simulation.step(1.0).unwrap();
    let after: Real = simulation.world().particles.velocity.iter().map(|v| v.x).sum();
    assert!(after > before + 1.0, "the force acts: {before} {after}");
    let impulses = simulation.stepper_mut().take_impulses();
    assert!(impulses.iter().all(|it| it.force.norm().is_finite() && it.torque.norm().is_finite()));
}

/// The velocity that a caller gives to a free body that touches others is the one it has.
#[test]
fn a_free_body_in_contact_is_set() {
    let mut simulation = begun(worlds::free_ball());
    let up = Point::new(0.0, 0.0, 2.0);
    simulation.world_mut().solids.set_body_velocity(1, up, Point::zeros()).unwrap();
    let before = simulation.world().solids.body_state(1).unwrap().position.z;
    let dt = simulation.step(1.0).unwrap().dt;
    let way = simulation.world().solids.body_state(1).unwrap().position.z - before;
    assert!(way > 1.0 * dt, "{way} m in {dt} s");
}

#[test]
fn a_step_into_the_past_is_refused() {
    let mut simulation = begun(worlds::fluids(Solver::default()));
    for until in [-1.0, f64::NAN] {
        let error = simulation.step(until).unwrap_err();
        assert!(matches!(error, SimulationError::Time(_)), "{error:?}");
    }
}

#[test]
fn bodies_in_contact_have_a_shape_and_a_material_each() {
    use hashfall_rigid::{Material, RigidSettings, Shape};
    use hashfall_sph::world::RigidContact;
    let world = worlds::free_ball();
    let ball = || Shape::ball(0.06).unwrap();
    let material = Material { friction: 0.3, restitution: 0.5 };
    let made = |shapes: &[Shape], materials: &[Material]| {
        RigidContact::new(&world, shapes, materials, RigidSettings::default()).is_ok()
    };
    assert!(made(&[ball()], &[material]));
    assert!(!made(&[ball(), ball()], &[material]), "a shape too many");
    assert!(!made(&[ball()], &[material; 2]), "a material too many");
    assert!(!made(&[], &[]), "none");
}
