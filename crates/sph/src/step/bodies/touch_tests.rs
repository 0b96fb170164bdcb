//! What contact of free bodies meets beside weight: restitution, inclines, solids of all kinds,
//! honey, and the limits of what can be stepped.

use crate::step::bodies::lab::{
    Cuboid, dfsph, differences, freed, mesh, run, state, stepper, tank, water, with_contact,
    with_material,
};
use crate::step::stepper::Stepper;
use crate::step::time_step::limits::{Limit, StepLength};
use crate::world::{FreeBody, PLANE_LOCKS, RigidContact, ViscositySolver, World, WorldError};
use hashfall_core::{Dimension, Real, parallel};
use hashfall_geometry::{Point, RoundSolid};
use hashfall_rigid::{Amount, Material, RigidSettings, Shape, ball_mass};
use hashfall_search::{BroadPhaseKind, Structures};
use hashfall_solid::{AxisAngle, BodySpec, ContactLaw, Keyframe, KinematicLaw, Slip};
use nalgebra::{Matrix3, Vector3};

const G: f64 = 9.81;

/// A dry box over the floor, with this restitution.
fn rebound(restitution: f64) -> f64 {
    let boxes = [([0.5, 0.5, 0.3], [0.1; 3], 500.0)];
    let world = tank(0.05, [1.0; 3], 0.0, &boxes);
    let shape = Shape::cuboid(Vector3::repeat(0.1)).unwrap();
    let mut world = with_material(world, &[shape], Material { friction: 0.5, restitution });
    let mut stepper = stepper(&mut world);
    let mut highest = 0.0_f64;
    while world.time < 0.4 {
        let until = world.time + 4e-3;
        stepper.step(&mut world, until).unwrap();
        let body = state(&world, 1);
        if body.velocity.z > 0.0 || highest > 0.0 {
            highest = highest.max(body.position.z - 0.1);
        }
    }
    highest
}

#[test]
fn a_box_rebounds_by_the_square_of_its_restitution() {
    for restitution in [0.3, 0.7] {
        let highest = rebound(restitution);
        let expected = restitution * restitution * 0.2;
        assert!((highest / expected - 1.0).abs() < 0.03, "{restitution}: {highest} {expected}");
    }
}

/// A box of the plane on a floor that leans by the angle of this tangent, after a time \[s\].
fn on_incline(tangent: f64, friction: f64, time: f64) -> f64 {
    let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
    let boxes: [Cuboid; 1] = [([0.3, 0.0, 0.1], [0.1; 3], 500.0)];
    let builder = water(0.05, [4.0, 0.0, 1.0], dfsph()).dimension(Dimension::Two);
    let builder = builder.gravity([(G * tangent * cosine) as Real, 0.0, (-G * cosine) as Real]);
    let mut world = builder.mesh(mesh(boxes[0].0, boxes[0].1)).build().unwrap();
    let law = KinematicLaw::driven(boxes[0].0);
    world.solids = world.solids.with_kinematic_laws(vec![Some(law)]);
    let mass = 500.0 * 0.04;
    let inertia = Matrix3::identity() * (mass * 0.04 / 6.0);
    world.free_bodies = vec![FreeBody::new(1, mass, inertia).with_locks(PLANE_LOCKS)];
    let shape = Shape::cuboid(Vector3::repeat(0.1)).unwrap();
    let mut world = with_material(world, &[shape], Material { friction, restitution: 0.0 });
    let mut stepper = stepper(&mut world);
    run(&mut world, &mut stepper, 4e-3, time);
    let body = state(&world, 1);
    assert!((body.position.z - 0.1).abs() < 1e-5 && body.position.y == 0.0, "{body:?}");
    body.position.x - 0.3
}

#[test]
fn a_box_in_the_plane_sticks_to_an_incline_or_slides_by_what_friction_leaves() {
    assert!(on_incline(0.35, 0.4, 0.5).abs() < 1e-6);
    let (tangent, friction, time) = (0.5, 0.3, 0.5);
    let cosine = 1.0 / (1.0_f64 + tangent * tangent).sqrt();
    let way = 0.5 * G * cosine * (tangent - friction) * time * time;
    let slid = on_incline(tangent, friction, time);
    assert!((slid / way - 1.0).abs() < 0.01, "{slid} of {way}");
}

#[test]
fn a_body_that_is_held_bears_another_until_it_is_let_go() {
    let boxes: [Cuboid; 2] =
        [([0.5, 0.5, 0.4], [0.2, 0.2, 0.1], 500.0), ([0.5, 0.5, 0.6], [0.1; 3], 500.0)];
    let mut world = tank(0.05, [1.0; 3], 0.0, &boxes);
    world.free_bodies[0].release = 0.2;
    let mut stepper = stepper(&mut world);
    run(&mut world, &mut stepper, 4e-3, 0.2);
    let held = [1, 2].map(|body| state(&world, body).position.z);
    assert!(held[0] == 0.4 && (held[1] - 0.6).abs() < 1e-5, "{held:?}");
    run(&mut world, &mut stepper, 4e-3, 0.35);
    let fallen = [1, 2].map(|body| held[body - 1] - state(&world, body).position.z);
    let expected = 0.5 * G * 0.15 * 0.15;
    assert!(fallen.iter().all(|way| (way / expected - 1.0).abs() < 0.01), "{fallen:?}");
}

/// The least and the last height of a ball that falls on the middle of a standing solid.
fn on_solid(world: World) -> [f64; 2] {
    let mut world = world;
    let mass = ball_mass(0.1, Amount::Density(500.0)).unwrap();
    world.free_bodies = vec![FreeBody::new(1, mass.mass, mass.inertia)];
    let laws = vec![Some(KinematicLaw::driven([0.5, 0.5, 0.6]))];
    world.solids = world.solids.with_kinematic_laws(laws);
    let mut world = with_contact(world, &[Shape::ball(0.1).unwrap()]);
    let mut stepper = stepper(&mut world);
    let mut least = f64::INFINITY;
    while world.time < 0.5 {
        let until = world.time + 4e-3;
        stepper.step(&mut world, until).unwrap();
        least = least.min(state(&world, 1).position.z);
    }
    [least, state(&world, 1).position.z]
}

#[test]
fn a_ball_comes_to_rest_on_solids_of_every_kind() {
    let at = |z: f64| Point::new(0.5, 0.5, z);
    let rounds = [
        RoundSolid::capsule(at(0.1), at(0.2), 0.1),
        RoundSolid::cylinder(at(0.05), at(0.3), 0.2),
        RoundSolid::cone(at(0.0), at(0.3), 0.3, 0.1),
        RoundSolid::cone(at(0.3), at(0.0), 0.2, 0.0),
    ];
    let start = || water(0.05, [1.0; 3], dfsph()).sphere([0.5, 0.5, 0.6], 0.1);
    let with_round = |round: RoundSolid| {
        let mut world = start().build().unwrap();
        world.solids = world.solids.with_rounds(vec![round]);
        world
    };
    let mut worlds: Vec<World> = rounds.into_iter().map(with_round).collect();
    worlds.push(start().mesh(mesh([0.5, 0.5, 0.15], [0.2, 0.2, 0.15])).build().unwrap());
    for (kind, world) in worlds.into_iter().enumerate() {
        let [least, last] = on_solid(world);
        assert!((least - 0.4).abs() < 2e-4 && (last - 0.4).abs() < 2e-4, "{kind}: {least} {last}");
    }
}

#[test]
fn a_platform_under_water_carries_a_body_along() {
    let boxes: [Cuboid; 2] =
        [([0.3, 0.3, 0.1], [0.15, 0.15, 0.05], 0.0), ([0.3, 0.3, 0.2], [0.05; 3], 3000.0)];
    let world = tank(0.05, [0.8, 0.6, 0.6], 0.4, &boxes);
    let turn = AxisAngle { axis: [0.0, 0.0, 1.0], degrees: 0.0 };
    let key = |time, x| Keyframe { time, shift: [x, 0.0, 0.0], turn };
    let path = [key(0.0, 0.0), key(0.5, 0.06)];
    let platform = KinematicLaw::through(boxes[0].0, &path, true, false);
    let mut world = world;
    let laws = vec![Some(platform), Some(KinematicLaw::driven(boxes[1].0))];
    world.solids = world.solids.with_kinematic_laws(laws);
    let mut world = with_contact(world, &[Shape::cuboid(Vector3::repeat(0.05)).unwrap()]);
    let mut stepper = stepper(&mut world);
    run(&mut world, &mut stepper, 1.0, 0.5);
    let moved = state(&world, 2).position - Point::from(boxes[1].0);
    assert!((moved.x - 0.06).abs() < 3e-3 && moved.z.abs() < 1e-4, "{moved:?}");
}

#[test]
fn a_light_cube_rises_from_the_floor_and_from_above_it() {
    for height in [0.1, 0.16] {
        let boxes: [Cuboid; 1] = [([0.3, 0.3, height], [0.1; 3], 500.0)];
        let mut world = tank(0.05, [0.6; 3], 0.5, &boxes);
        let mut stepper = stepper(&mut world);
        run(&mut world, &mut stepper, 1.0, 0.15);
        let risen = state(&world, 1).position.z - height;
        assert!(risen > 0.01, "{height}: {risen}");
    }
}

/// A heavy cube on the floor beside a block of honey that is thrown at it, free and fixed.
fn cubes_in_honey() -> [World; 2] {
    [2700.0, 0.0].map(|density| {
        let cube = [([0.6, 0.3, 0.1], [0.1; 3], density)];
        let builder = water(0.05, [1.0, 0.6, 0.8], dfsph()).mesh(mesh(cube[0].0, cube[0].1));
        let world = builder
            .viscosity(ViscositySolver::Implicit)
            .block([0.0; 3], [1.0, 0.6, 0.3])
            .moving_block([0.0, 0.0, 0.3], [0.3, 0.6, 0.5], [0.5, 0.0, 0.0]);
        let mut world = world.build().unwrap();
        world.fluids[0].viscosity = 0.05;
        let law = ContactLaw { slip: Slip::No, ..ContactLaw::default() };
        world.solids = world.solids.with_bodies(&[BodySpec {
            meshes: 1,
            contact: law,
            ..BodySpec::default()
        }]);
        let mut world = freed(world, &cube);
        let mut stepper = stepper(&mut world);
        run(&mut world, &mut stepper, 1.0, 0.2);
        world
    })
}

#[test]
#[cfg_attr(feature = "f64", ignore = "misses by 0.05 %: faces that are flush but for rounding")]
fn in_honey_a_heavy_cube_on_the_floor_is_a_fixed_solid() {
    let [free, fixed] = cubes_in_honey();
    let [v, p] = differences(&free, &fixed);
    assert!(v < 1e-2 && p < 1e-2, "{v} {p}");
}

#[test]
#[ignore = "misses by 4 %: it creeps by 1.04e-5 m"]
fn in_honey_a_heavy_cube_on_the_floor_stays() {
    let [free, _] = cubes_in_honey();
    assert!((state(&free, 1).position - Point::new(0.6, 0.3, 0.1)).norm() < 1e-5);
}

#[test]
fn honey_as_a_force_stops_the_spin_of_a_light_ball_and_never_turns_it_round() {
    let centre = [4.02, 4.03, 4.0];
    let world = water(0.05, [8.0; 3], dfsph())
        .viscosity(ViscositySolver::Explicit)
        .gravity([0.0; 3])
        .block([3.6; 3], [4.4; 3])
        .sphere(centre.map(|x| x as Real), 0.15);
    let mut world = world.build().unwrap();
    world.fluids[0].viscosity = 0.1;
    let contact = ContactLaw { slip: Slip::No, ..ContactLaw::default() };
    let spec = BodySpec { spheres: 1, contact, ..BodySpec::default() };
    let law = KinematicLaw::driven(centre);
    world.solids = world.solids.with_bodies(&[spec]).with_kinematic_laws(vec![Some(law)]);
    let mass = ball_mass(0.15, Amount::Density(20.0)).unwrap();
    world.free_bodies = vec![FreeBody::new(1, mass.mass, mass.inertia)];
    let spin = Point::new(0.0, 0.0, 5.0);
    world.solids.set_body_velocity(1, Point::zeros(), spin).unwrap();
    let mut stepper = stepper(&mut world);
    let (mut least, mut last) = (spin.z, 0.0);
    for _ in 0..60 {
        stepper.step(&mut world, 10.0).unwrap();
        last = state(&world, 1).angular_velocity.z;
        least = least.min(last);
    }
    // Without a bound of the body's own, steps are 3 ms, a hundred times as long.
    assert!(world.time < 0.01 && least > -0.05 && last < 0.5, "{} {least} {last}", world.time);
}

#[test]
fn angular_momentum_that_the_fluid_gives_is_what_a_spinning_body_gets() {
    let boxes: [Cuboid; 1] = [([4.02, 4.03, 4.0], [0.2, 0.1, 0.15], 700.0)];
    let builder = water(0.05, [8.0; 3], dfsph()).gravity([0.0; 3]);
    let world = builder.block([3.6; 3], [4.4; 3]).mesh(mesh(boxes[0].0, boxes[0].1));
    let mut world = freed(world.build().unwrap(), &boxes);
    world.free_bodies[0].release = 1e-6;
    world.free_bodies[0].release_twist.spin.z = 4.0;
    let mut stepper = stepper(&mut world);
    stepper.step(&mut world, 1.0).unwrap();
    let momentum = |world: &World| {
        let (body, free) = (state(world, 1), &world.free_bodies[0]);
        let turn = body.orientation.matrix();
        let inertia = turn * free.inertia * turn.transpose();
        inertia * body.angular_velocity + body.position.cross(&body.velocity) * free.mass
    };
    stepper.take_impulses();
    let (start, mut given, mut all) = (momentum(&world), Point::zeros(), 0.0);
    for _ in 0..40 {
        stepper.step(&mut world, 10.0).unwrap();
        let impulse = stepper.take_impulses()[1].torque;
        given += impulse;
        all += impulse.norm();
    }
    let missed = (momentum(&world) - start - given).norm();
    assert!(missed < 1e-9 * all.max(start.norm()), "{missed} of {all}");
    let spin = state(&world, 1).angular_velocity.z;
    assert!(spin > 0.1 && spin < 3.9, "the water is stirred: {spin}");
}

#[test]
fn contact_has_the_same_bits_for_all_threads_and_every_broad_phase() {
    let boxes: [Cuboid; 2] =
        [([0.3, 0.3, 0.1], [0.1; 3], 2000.0), ([0.32, 0.3, 0.27], [0.05; 3], 3000.0)];
    let digest = |threads: usize, broad_phase: BroadPhaseKind| {
        parallel::with_threads(threads, || {
            let mut world = tank(0.05, [0.6; 3], 0.4, &boxes);
            let shapes = boxes.map(|it| Shape::cuboid(Vector3::from(it.1)).unwrap());
            let materials = vec![Material { friction: 0.5, restitution: 0.2 }; 2];
            let settings = RigidSettings { broad_phase, ..RigidSettings::default() };
            let contact = RigidContact::new(&world, &shapes, &materials, settings);
            world.rigid = Some(contact.unwrap());
            let structures = Structures { broad_phase, ..Structures::default() };
            let mut stepper = Stepper::new(&structures, &mut world).unwrap();
            run(&mut world, &mut stepper, 1.0, 0.06);
            (world.digest(), world.body_digest())
        })
    };
    let first = digest(1, BroadPhaseKind::DynamicHierarchicalHash);
    for threads in [2, 3, 5] {
        assert_eq!(digest(threads, BroadPhaseKind::DynamicHierarchicalHash), first);
    }
    for kind in BroadPhaseKind::ALL {
        assert_eq!(digest(2, kind), first, "{kind:?}");
    }
}

#[test]
fn a_body_let_go_in_honey_has_the_same_bits_after_a_step_that_was_taken_back() {
    let start = || {
        let boxes: [Cuboid; 1] = [([0.3, 0.3, 0.15], [0.1; 3], 2000.0)];
        let mut world = tank(0.05, [0.6; 3], 0.4, &boxes);
        world.viscosity = ViscositySolver::Implicit;
        world.fluids[0].viscosity = 0.05;
        world.free_bodies[0].release = 0.02;
        let stepper = stepper(&mut world);
        (world, stepper)
    };
    let ((mut world, mut stepper), (mut other, mut steady)) = (start(), start());
    while other.time < 0.04 {
        let dt = stepper.stable_step(&world).0.min(0.02);
        stepper.snapshot.save(&world);
        stepper.try_step(&mut world, StepLength::new(dt, Limit::Frame), 10.0).unwrap();
        stepper.rollback(&mut world);
        assert!(world == other, "{}", other.time);
        stepper.step(&mut world, 10.0).unwrap();
        steady.step(&mut other, 10.0).unwrap();
        assert_eq!((world.digest(), world.body_digest()), (other.digest(), other.body_digest()));
    }
    assert!(state(&world, 1).velocity.z < 0.0);
}

#[test]
fn what_contact_leaves_unsolved_is_told() {
    let boxes: [Cuboid; 2] =
        [([0.3, 0.3, 0.1], [0.1; 3], 2000.0), ([0.3, 0.3, 0.25], [0.05; 3], 1500.0)];
    let mut world = tank(0.05, [0.6; 3], 0.4, &boxes);
    let shapes = boxes.map(|it| Shape::cuboid(Vector3::from(it.1)).unwrap());
    let materials = vec![Material { friction: 0.5, restitution: 0.0 }; 2];
    for (max_iterations, is_inexact) in [(100, false), (1, true)] {
        let settings = RigidSettings { max_iterations, ..RigidSettings::default() };
        let contact = RigidContact::new(&world, &shapes, &materials, settings);
        world.rigid = Some(contact.unwrap());
        let mut world = world.clone();
        let mut stepper = stepper(&mut world);
        let report = stepper.step(&mut world, 1.0).unwrap().contact;
        assert_eq!(report.is_inexact(), is_inexact, "{report:?}");
        assert!(report.points >= 8 && (report.residual > 1e-6) == is_inexact, "{report:?}");
    }
}

#[test]
fn bodies_that_can_cross_a_periodic_side_are_refused() {
    let boxes: [Cuboid; 1] = [([0.5, 0.5, 0.25], [0.1; 3], 500.0)];
    let mut world = tank(0.05, [1.0; 3], 0.0, &boxes);
    world.periodic = [true, false, false];
    assert!(matches!(world.validate(), Err(WorldError::FreeBody { body: 1, .. })));
    world.free_bodies[0].locks[0] = true;
    world.validate().unwrap();
}
