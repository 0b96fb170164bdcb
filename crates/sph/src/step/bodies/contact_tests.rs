//! Free bodies that touch walls, solids and each other, dry and under water.

use crate::step::bodies::lab::{
    dfsph, differences, freed, mesh, run, state, stepper, tank, water, with_contact,
};
use crate::step::stepper::Stepper;
use crate::step::time_step::limits::{Limit, StepLength};
use crate::world::{Density, Dfsph, FreeBody, Solver, Wcsph, World};
use hashfall_bodies::{BodyState, Twist};
use hashfall_core::{Real, parallel};
use hashfall_geometry::Point;
use hashfall_rigid::{Amount, MassProperties, Shape, ball_mass};
use hashfall_search::Structures;
use hashfall_solid::{AxisAngle, Keyframe, KinematicLaw};
use nalgebra::Vector3;

/// A tank with a ball, body 1.
fn with_ball(d: f64, extent: [f64; 3], depth: f64, centre: [f64; 3], density: f64) -> World {
    let radius = 0.1;
    let world = water(d, extent, dfsph()).sphere(centre.map(|x| x as Real), radius as Real);
    let world = world.block([0.0; 3], [extent[0], extent[1], depth].map(|x| x as Real));
    let mut world = world.build().unwrap();
    let law = KinematicLaw::driven(centre);
    world.solids = world.solids.with_kinematic_laws(vec![Some(law)]);
    let MassProperties { mass, inertia, .. } = ball_mass(radius, Amount::Density(density)).unwrap();
    world.free_bodies = vec![FreeBody::new(1, mass, inertia)];
    with_contact(world, &[Shape::ball(radius).unwrap()])
}

#[test]
fn a_dry_box_falls_on_the_floor_and_rests() {
    let mut world = tank(0.05, [1.0; 3], 0.0, &[([0.5, 0.5, 0.25], [0.1; 3], 500.0)]);
    assert!(world.particles.is_empty());
    let mut stepper = stepper(&mut world);
    run(&mut world, &mut stepper, 4e-3, 0.1);
    let falling = state(&world, 1);
    assert!((falling.position.z - (0.25 - 0.5 * 9.81 * 0.01)).abs() < 1e-6);
    run(&mut world, &mut stepper, 4e-3, 0.4);
    let start = state(&world, 1);
    assert!((start.position.z - 0.1).abs() < 1e-5, "{start:?}");
    run(&mut world, &mut stepper, 4e-3, 2.4);
    let end = state(&world, 1);
    assert!((end.position - start.position).norm() < 1e-6, "{start:?} {end:?}");
    assert!(end.velocity.norm() < 1e-6 && end.angular_velocity.norm() < 1e-5, "{end:?}");
}

#[test]
fn a_lift_takes_a_box_along() {
    let boxes = [([0.5, 0.5, 0.05], [0.2, 0.2, 0.05], 0.0), ([0.5, 0.5, 0.2], [0.1; 3], 500.0)];
    let mut world = tank(0.05, [1.0; 3], 0.0, &boxes);
    let path = [(0.0, 0.0), (1.0, 0.3)];
    let turn = AxisAngle { axis: [0.0, 0.0, 1.0], degrees: 0.0 };
    let key = |(time, z)| Keyframe { time, shift: [0.0, 0.0, z], turn };
    let lift = KinematicLaw::through([0.5, 0.5, 0.05], &path.map(key), true, false);
    let laws = vec![Some(lift), Some(KinematicLaw::driven(boxes[1].0))];
    world.solids = world.solids.with_kinematic_laws(laws);
    let mut world = with_contact(world, &[Shape::cuboid(Vector3::repeat(0.1)).unwrap()]);
    let mut stepper = stepper(&mut world);
    for k in 1..=10 {
        run(&mut world, &mut stepper, 4e-3, 0.1 * f64::from(k));
        let [lift, body] = [1, 2].map(|body| state(&world, body));
        assert!((body.position.z - lift.position.z - 0.15).abs() < 1e-4, "{lift:?} {body:?}");
    }
    assert!((state(&world, 2).position.z - 0.5).abs() < 1e-4);
}

#[test]
fn stacked_boxes_stay_under_water() {
    let boxes = [([0.3, 0.3, 0.1], [0.1; 3], 2000.0), ([0.3, 0.3, 0.25], [0.05; 3], 1500.0)];
    let mut world = tank(0.05, [0.6; 3], 0.5, &boxes);
    let mut stepper = stepper(&mut world);
    run(&mut world, &mut stepper, 1.0, 0.5);
    for (k, (centre, ..)) in boxes.iter().enumerate() {
        let state = state(&world, k + 1);
        let moved = (state.position - Point::from(*centre)).norm();
        assert!(moved < 1e-5 && state.velocity.norm() < 1e-4, "{moved} {state:?}");
    }
    // The floor bears both but for what the water displaced weighs: films carry it.
    let contact = world.rigid.as_ref().unwrap();
    let is_fixed = |body: u32| contact.bodies()[body as usize].mass().is_infinite();
    let on_floor = contact.contacts().filter(|(point, _)| point.bodies.map(is_fixed)[1]);
    let force: f64 = on_floor.map(|(_, force)| force.z.abs()).sum();
    let whole = 9.81 * (1000.0 * 0.008 + 500.0 * 0.001);
    assert!((force / whole - 1.0).abs() < 0.04, "{force} of {whole}");
}

#[test]
fn a_light_body_stays_under_a_ledge() {
    let boxes = [([0.3, 0.3, 0.4], [0.15, 0.15, 0.05], 0.0), ([0.3, 0.3, 0.25], [0.1; 3], 100.0)];
    let mut world = tank(0.05, [0.6, 0.6, 0.8], 0.6, &boxes);
    let mut stepper = stepper(&mut world);
    run(&mut world, &mut stepper, 1.0, 0.5);
    let body = state(&world, 2);
    assert!((body.position - Point::from(boxes[1].0)).norm() < 1e-4, "{body:?}");
    assert!(body.velocity.norm() < 1e-3, "{body:?}");
    let speeds = world.particles.velocity.iter().map(|v| f64::from(v.norm()));
    let fastest = speeds.fold(0.0, f64::max);
    assert!(fastest < 0.05, "{fastest}");
}

#[test]
fn a_heavy_ball_sinks_to_the_floor_and_stays() {
    let mut world = with_ball(0.05, [0.6; 3], 0.5, [0.3, 0.3, 0.3], 3000.0);
    let mut stepper = stepper(&mut world);
    let mut last = 0.3;
    for k in 1..=12 {
        run(&mut world, &mut stepper, 1.0, 0.1 * f64::from(k));
        let z = state(&world, 1).position.z;
        assert!(z < last + 1e-3 && z > 0.1 - 1e-4, "{z}");
        last = z;
    }
    let end = state(&world, 1);
    assert!(end.position.z < 0.101 && end.velocity.z.abs() < 1e-3, "{end:?}");
}

/// A cube on the floor beside a block of water that is thrown at it, at a Courant number; of a
/// density of zero it is fixed.
fn pushed_cube(courant: f64, density: f64) -> World {
    let cube = [([0.6, 0.3, 0.1], [0.1; 3], density)];
    let solver = Solver::Dfsph(Dfsph { courant, ..Dfsph::default() });
    let builder = water(0.05, [1.0, 0.6, 0.8], solver).mesh(mesh(cube[0].0, cube[0].1));
    let world = builder.block([0.0; 3], [1.0, 0.6, 0.3]);
    let world = world.moving_block([0.0, 0.0, 0.3], [0.3, 0.6, 0.5], [0.5, 0.0, 0.0]);
    freed(world.build().unwrap(), &cube)
}

#[test]
fn a_cube_on_the_floor_stays_in_its_place() {
    for courant in [0.4, 0.1] {
        let mut world = pushed_cube(courant, 2700.0);
        let mut stepper = stepper(&mut world);
        run(&mut world, &mut stepper, 1.0, 0.3);
        let cube = state(&world, 1);
        assert!((cube.position - Point::new(0.6, 0.3, 0.1)).norm() < 1e-7, "{cube:?}");
        assert!(cube.velocity.norm() < 1e-6, "{cube:?}");
    }
}

/// Holds a free cube against a fixed one at these times \[s\].
fn assert_is_as_fixed(times: &[f64]) {
    for courant in [0.4, 0.1] {
        let mut all = [2700.0, 0.0].map(|density| {
            let mut world = pushed_cube(courant, density);
            let stepper = stepper(&mut world);
            (world, stepper)
        });
        for until in times {
            all.iter_mut().for_each(|(world, stepper)| run(world, stepper, 1.0, *until));
            let [v, p] = differences(&all[0].0, &all[1].0);
            assert!(v < 1e-3 && p < 1e-3, "{courant}, {until} s: {v} {p}");
        }
    }
}

/// In double precision rounding moves the cube by 1e-11 m, so that it is no longer flush with the
/// floor; a fixed solid moved by 1e-12 m gives velocities that differ by as much, 1 %.
#[test]
fn a_cube_on_the_floor_is_a_fixed_solid() {
    assert_is_as_fixed(&[0.1]);
}

#[test]
#[ignore = "misses by 0.0042, 0.0096: spray amplifies rounding; two fixed cubes, in water that \
            starts 1e-6 m apart, came to differ by 0.0095, 0.041"]
fn a_cube_on_the_floor_is_a_fixed_solid_in_the_splash() {
    assert_is_as_fixed(&[0.1, 0.2]);
}

/// After 0.25 s water breaks over the cube, and flows part: where the cube is fixed, too, pressures
/// differ by 1 % if the water is thrown faster by a part in five millions.
#[test]
#[ignore = "misses at short steps: velocities differ by 1.7 %, pressures by 17 %"]
fn a_cube_on_the_floor_is_a_fixed_solid_where_water_breaks_over_it() {
    assert_is_as_fixed(&[0.3]);
}

#[test]
fn contact_has_the_same_bits_for_any_threads_after_a_rollback_and_when_resumed() {
    let density = Some(Density::Continuity { diffusion: 0.1 });
    let continuity = Wcsph { density, sound_speed: Some(30.0), ..Wcsph::default() };
    for solver in [dfsph(), Solver::Wcsph(continuity)] {
        check_bits(solver);
    }
}

fn check_bits(solver: Solver) {
    let start = || {
        // One falls on the other, which lies on the floor.
        let boxes = [([0.3, 0.3, 0.1], [0.1; 3], 2000.0), ([0.32, 0.3, 0.27], [0.05; 3], 3000.0)];
        let mut world = tank(0.05, [0.6; 3], 0.5, &boxes);
        world.solver = solver;
        let stepper = stepper(&mut world);
        (world, stepper)
    };
    let digests = |threads| {
        parallel::with_threads(threads, || {
            let (mut world, mut stepper) = start();
            run(&mut world, &mut stepper, 1.0, 0.1);
            (world.digest(), world.body_digest(), stepper.take_impulses())
        })
    };
    let one = digests(1);
    assert_eq!(digests(2), one);
    assert_eq!(digests(3), one);
    let ((mut world, mut stepper), (mut other, mut steady)) = (start(), start());
    let first = world.rigid.clone();
    for _ in 0..12 {
        let dt = stepper.stable_step(&world).0;
        stepper.snapshot.save(&world);
        stepper.try_step(&mut world, StepLength::new(3.0 * dt, Limit::Frame), 10.0).unwrap();
        stepper.rollback(&mut world);
        assert!(world == other);
        let mut third = World { rigid: first.clone(), ..world.clone() };
        third.set_contact_state(&world.contact_state()).unwrap();
        assert!(third == world);
        let memory = stepper.memory();
        let mut resumed = Stepper::resume(&Structures::default(), &mut third, &memory).unwrap();
        stepper.step(&mut world, 10.0).unwrap();
        steady.step(&mut other, 10.0).unwrap();
        resumed.step(&mut third, 10.0).unwrap();
        assert!((world.body_digest(), &world) == (other.body_digest(), &other));
        assert!((world.body_digest(), &world) == (third.body_digest(), &third));
    }
    assert!(state(&world, 2).position.z < 0.27 - 1e-5);
}

#[test]
fn a_body_in_contact_goes_on_from_where_a_caller_puts_it() {
    let boxes = [([0.3, 0.3, 0.1], [0.1; 3], 2000.0), ([0.3, 0.3, 0.25], [0.05; 3], 1500.0)];
    let mut world = tank(0.05, [0.6; 3], 0.0, &boxes);
    let mut first = stepper(&mut world);
    run(&mut world, &mut first, 4e-3, 0.1);
    assert!(world.rigid.as_ref().unwrap().contacts().count() >= 8);
    let (start, lifted) = (world.time, Point::new(0.3, 0.35, 0.4));
    let put = BodyState { position: lifted, ..state(&world, 2) };
    world.solids.set_body_state(2, put.with_twist(Twist::default())).unwrap();
    let mut other = world.clone();
    let mut second = stepper(&mut other);
    for k in 1..=10 {
        let until = start + 4e-3 * f64::from(k);
        first.step(&mut world, until).unwrap();
        second.step(&mut other, until).unwrap();
        assert_eq!((world.body_digest(), &world), (other.body_digest(), &other));
        let fallen = lifted - Point::z() * (0.5 * 9.81 * (world.time - start).powi(2));
        assert!((state(&world, 2).position - fallen).norm() < 1e-7, "{:?}", state(&world, 2));
    }
}

#[test]
fn bytes_of_contact_have_the_states_of_the_solids() {
    let boxes = [([0.5, 0.5, 0.05], [0.2, 0.2, 0.05], 0.0), ([0.5, 0.5, 0.2], [0.1; 3], 500.0)];
    let mut world = tank(0.05, [1.0; 3], 0.0, &boxes);
    let spin = KinematicLaw::spin([0.5, 0.5, 0.05], [0.0, 0.0, 1.0], 60.0);
    let laws = vec![Some(spin), Some(KinematicLaw::driven(boxes[1].0))];
    world.solids = world.solids.with_kinematic_laws(laws);
    let mut world = with_contact(world, &[Shape::cuboid(Vector3::repeat(0.1)).unwrap()]);
    let mut stepper = stepper(&mut world);
    run(&mut world, &mut stepper, 4e-3, 0.1);
    let bytes = world.contact_state();
    let numbers: Vec<f64> = bytes.as_chunks().0.iter().map(|x| f64::from_le_bytes(*x)).collect();
    // The free body, six walls, and what spins, of each also an acceleration and a reach.
    let of_body = |k: usize| std::array::from_fn(|n| numbers[2 + 20 * k + n]);
    assert_eq!(BodyState::from_quaternion_array(&of_body(0)), state(&world, 2));
    let (law, found) = (state(&world, 1), BodyState::from_quaternion_array(&of_body(7)));
    assert!((found.position - law.position).norm() < 1e-15 && found.twist() == law.twist());
    assert!((found.orientation.matrix() - law.orientation.matrix()).amax() < 1e-15);
    world.check_contact_state(&bytes).unwrap();
    let mut moved = bytes.clone();
    moved[8 * 22..8 * 23].copy_from_slice(&0.25_f64.to_le_bytes());
    assert!(world.check_contact_state(&moved).is_err(), "a wall that moved");
    let before = world.clone();
    world.set_contact_state(&bytes).unwrap();
    assert!(world == before);
    world.rigid = None;
    assert!(world.check_contact_state(&bytes).is_err() && world.contact_state().is_empty());
}
