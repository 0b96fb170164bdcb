//! What callers do with bodies: prescribe motions, lock axes, couple by the mobility, roll back.

use super::scenes::{GRAVITY, Scene, at, down, rough, step, weights};
use crate::body::{Locks, RigidBody};
use crate::shape::Shape;
use crate::system::{RigidError, RigidSettings, RigidSystem};
use hashfall_bodies::{Twist, Wrench};
use nalgebra::{Isometry3, UnitQuaternion, Vector3};

#[test]
fn a_pyramid_of_cubes_rests() {
    let mut scene = Scene::default();
    scene.ground(rough(0.5));
    for (row, count) in [(0_u32, 4_u32), (1, 3), (2, 2), (3, 1)] {
        for k in 0..count {
            let x = 1.25 * (f64::from(k) - 0.5 * f64::from(count));
            let pose = at(x, 0.0, 0.5 + f64::from(row));
            scene.cuboid(Vector3::repeat(0.5), pose, rough(0.5));
        }
    }
    let mut system = scene.system();
    let start = system.states().to_vec();
    for _ in 0..500 {
        step(&mut system, 4e-3, &down());
    }
    for (now, then) in system.states().iter().zip(&start) {
        assert!((now.position - then.position).norm() < 1e-6);
        assert!(now.orientation.quaternion().angle() < 1e-6);
    }
}

#[test]
fn a_plate_that_moves_takes_a_rough_block_along_and_lands_where_it_is_told() {
    let mut scene = Scene::default();
    let plate = Shape::cuboid(Vector3::new(2.0, 2.0, 0.1)).unwrap();
    let plate = scene.add(RigidBody::prescribed(&plate, rough(0.8)), at(0.0, 0.0, -0.1));
    let block = scene.cuboid(Vector3::repeat(0.2), at(0.0, 0.0, 0.2), rough(0.8));
    let mut system = scene.system();
    let dt = 1e-3;
    // Half of what friction could give: μ g.
    let acceleration = 0.4 * GRAVITY;
    let wrenches = weights(&system, &down());
    let place = |time: f64| 0.5 * acceleration * time * time;
    for k in 0..500_u32 {
        let time = f64::from(k + 1) * dt;
        system.begin_step(dt).unwrap();
        let mut end = system.states()[plate];
        end.position.x = place(time);
        end.velocity = Vector3::x() * (acceleration * time);
        system.prescribe(plate, end);
        system.kick(0.5 * dt, &wrenches).unwrap();
        system.drift(dt).unwrap();
        assert_eq!(system.states()[plate], end);
        system.kick(0.5 * dt, &wrenches).unwrap();
    }
    let state = &system.states()[block];
    let time = 500.0 * dt;
    assert!((state.velocity.x / (acceleration * time) - 1.0).abs() < 1e-5);
    assert!((state.position.x / place(time) - 1.0).abs() < 1e-2);
    assert!((state.position.z - 0.2).abs() < 1e-7);
}

#[test]
fn a_body_of_the_plane_stays_in_it_and_tumbles_there() {
    let mut scene = Scene::default();
    scene.ground(rough(0.5));
    let turn = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), 0.3);
    let pose = Isometry3::from_parts(Vector3::new(0.0, 0.25, 1.0).into(), turn);
    let block = scene.cuboid(Vector3::new(0.3, 0.1, 0.2), pose, rough(0.5));
    scene.bodies[block] = scene.bodies[block].clone().with_locks(Locks::PLANE);
    // Not in the plane: the locks take it away.
    scene.states[block].velocity = Vector3::new(1.0, 1.0, 0.0);
    scene.states[block].angular_velocity = Vector3::new(1.0, -2.0, 1.0);
    let mut system = scene.system();
    for _ in 0..1500 {
        step(&mut system, 2e-3, &down());
        let state = &system.states()[block];
        assert_eq!([state.position.y, state.velocity.y], [0.25, 0.0]);
        assert_eq!([state.angular_velocity.x, state.angular_velocity.z], [0.0, 0.0]);
        assert!((state.orientation.rotate(&Vector3::y()) - Vector3::y()).norm() < 1e-12);
    }
    let state = &system.states()[block];
    assert!(state.velocity.norm() < 1e-6 && state.angular_velocity.norm() < 1e-6, "it lies still");
    let height = state.position.z;
    assert!((height - 0.2).abs() < 1e-6 || (height - 0.3).abs() < 1e-6, "{height}");
}

/// A block at rest on the ground, and one in the air.
fn two_blocks() -> RigidSystem {
    let mut scene = Scene::default();
    scene.ground(rough(0.5));
    scene.cuboid(Vector3::repeat(0.5), at(0.0, 0.0, 0.5), rough(0.5));
    scene.cuboid(Vector3::repeat(0.5), at(5.0, 0.0, 4.0), rough(0.5));
    scene.system()
}

#[test]
fn the_mobility_predicts_what_other_wrenches_give() {
    let mut system = two_blocks();
    let dt = 1e-3;
    step(&mut system, dt, &down());
    let wrenches = weights(&system, &down());
    let before = system.solve_contacts(dt, &wrenches).unwrap().twists.clone();
    let mobility = system.mobility();
    let weight = wrenches[1].force.norm();
    let push = Wrench {
        force: Vector3::new(0.1, 0.05, 0.3) * weight,
        torque: Vector3::new(0.02, 0.03, 0.01) * weight,
    };
    let change = [Wrench::default(), push, push];
    let mut rates = vec![Twist::default(); 3];
    mobility.apply(&change, &mut rates);
    let pushed: Vec<Wrench> = wrenches.iter().zip(change).map(|(w, c)| *w + c).collect();
    let after = &system.solve_contacts(dt, &pushed).unwrap().twists;
    for body in 0..3 {
        let error = after[body] - before[body] - rates[body] * dt;
        assert!(error.velocity.norm() + error.spin.norm() < 1e-6 * GRAVITY * dt, "body {body}");
    }
    assert!(rates[1].velocity.norm() < 1e-9, "what rests on rough ground does not move");
    assert!(rates[2].velocity.norm() > 1.0, "what flies does");
    let states = system.states().to_vec();
    system.solve_contacts(dt, &pushed).unwrap();
    assert_eq!(system.states(), states, "nothing moves before it is accepted");
}

#[test]
fn lists_of_another_length_and_bodies_that_are_nowhere_are_refused() {
    let mut system = two_blocks();
    system.begin_step(1e-3).unwrap();
    let error = system.kick(1e-3, &[Wrench::default()]).unwrap_err();
    assert_eq!(error, RigidError::Count { found: 1, bodies: 3 });
    let bodies = system.bodies().to_vec();
    let none = RigidSystem::new(bodies, Vec::new(), RigidSettings::default());
    assert!(matches!(none, Err(RigidError::Count { found: 0, bodies: 3 })));
    let force = Vector3::repeat(f64::NAN);
    let wrenches = [Wrench { force, ..Wrench::default() }; 3];
    system.kick(1e-3, &wrenches).unwrap();
    assert!(matches!(system.drift(1e-3), Err(RigidError::Pairs(_))));
}
