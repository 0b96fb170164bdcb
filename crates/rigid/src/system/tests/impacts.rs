//! Impacts: restitution, momentum, and that nothing passes through anything.

use super::scenes::{GRAVITY, Scene, at, down, step};
use crate::body::{Material, RigidBody};
use crate::mass::{Amount, cuboid_mass};
use crate::shape::{Shape, ShapeError};
use crate::system::RigidSystem;
use hashfall_bodies::Wrench;
use hashfall_core::geometry::random::Random;
use nalgebra::{Isometry3, UnitQuaternion, Vector3};

/// Momentum and angular momentum about the origin of all free bodies.
fn momenta(system: &RigidSystem) -> [Vector3<f64>; 2] {
    let mut sums = [Vector3::zeros(); 2];
    for (body, state) in system.bodies().iter().zip(system.states()) {
        if body.mass().is_finite() {
            let momentum = state.velocity * body.mass();
            sums[0] += momentum;
            sums[1] += state.position.cross(&momentum) + body.angular_momentum(state);
        }
    }
    sums
}

fn energy(system: &RigidSystem) -> f64 {
    system
        .bodies()
        .iter()
        .zip(system.states())
        .map(|(body, state)| body.kinetic_energy(state))
        .sum()
}

#[test]
fn a_ball_rebounds_to_the_square_of_its_restitution() {
    for restitution in [0.0, 0.5, 0.9, 1.0] {
        let material = Material { friction: 0.3, restitution };
        let mut scene = Scene::default();
        scene.ground(material);
        let (radius, height) = (0.125, 1.0);
        let ball = scene.ball(radius, Vector3::z() * (radius + height), material);
        let mut system = scene.system();
        let dt = 1e-3;
        let fall = (2.0 * height / GRAVITY).sqrt();
        let mut highest: f64 = 0.0;
        let mut time = 0.0;
        while time < fall * (1.0 + 2.0 * restitution) - 3.0 * dt {
            step(&mut system, dt, &down());
            time += dt;
            let above = system.states()[ball].position.z - radius;
            assert!(above > -1e-9, "it sinks in by {above:e}");
            if time > fall {
                highest = highest.max(above);
            }
        }
        let expected = restitution * restitution * height;
        assert!((highest - expected).abs() < 3e-3, "{restitution}: {highest} m, not {expected} m");
    }
}

#[test]
fn a_ball_that_rebounds_comes_to_rest_and_stays() {
    let material = Material { friction: 0.3, restitution: 0.5 };
    let mut scene = Scene::default();
    scene.ground(material);
    let ball = scene.ball(0.125, Vector3::z() * 0.25, material);
    let mut system = scene.system();
    for _ in 0..1500 {
        step(&mut system, 1e-3, &down());
    }
    let state = &system.states()[ball];
    assert!(state.velocity.norm() < 1e-9, "{:e}", state.velocity.norm());
    assert!((state.position.z - 0.125).abs() < 1e-9);
}

#[test]
fn a_cradle_hands_its_momentum_to_the_last_ball() {
    let material = Material { friction: 0.0, restitution: 1.0 };
    let mut scene = Scene::default();
    let radius = 0.25;
    for k in 0..5 {
        // Apart by a thousandth of a radius, so that the impacts come one by one.
        let gap = if k == 0 { 0.25 } else { 0.0 };
        scene.ball(radius, Vector3::x() * (f64::from(k) * 2.002 * radius - gap), material);
    }
    let mut system = scene.system();
    let mut first = system.states()[0];
    first.velocity = Vector3::x();
    system.set_state(0, first);
    let before = (momenta(&system), energy(&system));
    for _ in 0..500 {
        step(&mut system, 1e-3, &Vector3::zeros());
    }
    let speeds: Vec<f64> = system.states().iter().map(|state| state.velocity.x).collect();
    assert!(speeds[..4].iter().all(|v| v.abs() < 1e-5), "{speeds:?}");
    assert!((speeds[4] - 1.0).abs() < 1e-5, "{speeds:?}");
    let after = (momenta(&system), energy(&system));
    assert!((after.0[0] - before.0[0]).norm() < 1e-12 * before.0[0].norm());
    assert!((after.1 / before.1 - 1.0).abs() < 1e-5);
}

#[test]
fn bodies_that_collide_in_free_space_keep_both_momenta_and_gain_no_energy() {
    let mut random = Random::new(41);
    for restitution in [0.0, 0.7] {
        let material = Material { friction: 0.4, restitution };
        let mut scene = Scene::default();
        for k in 0..12 {
            let place = random.point(-0.5, 0.5) + Vector3::new(0.0, 0.0, 0.9 * f64::from(k % 3));
            let turn = UnitQuaternion::from_scaled_axis(random.point(-1.0, 1.0));
            let lattice = Vector3::new(f64::from(k / 6), f64::from(k / 3 % 2), f64::from(k % 3));
            let place = lattice * 0.8 + place * 0.1;
            let half = random.point(0.1, 0.25);
            scene.cuboid(half, Isometry3::from_parts(place.into(), turn), material);
        }
        for state in &mut scene.states {
            state.velocity = random.point(-1.0, 1.0) - state.position * 2.0;
            state.angular_velocity = random.point(-3.0, 3.0);
        }
        let mut system = scene.system();
        let (before, start) = (momenta(&system), energy(&system));
        let mut last = start;
        let mut met = 0;
        for _ in 0..500 {
            met += step(&mut system, 2e-3, &Vector3::zeros()).impacts as usize;
            met += system.contacts().filter(|(_, force)| force.norm() > 0.0).count();
            last = energy(&system);
            assert!(last < 1.02 * start, "{last} J of {start} J");
        }
        assert!(met > 20 && last < 0.9 * start, "{met} impacts, {last} of {start} J");
        let after = momenta(&system);
        for k in 0..2 {
            let scale: f64 = start.sqrt() * 10.0;
            let drift = (after[k] - before[k]).norm();
            assert!(drift < 1e-11 * scale, "momentum {k} drifts by {drift:e}");
        }
    }
}

/// A hollow box of thin walls, one body, and a fast small one inside.
fn cage(random: &mut Random, restitution: f64) -> Result<(Scene, usize), ShapeError> {
    let material = Material { friction: random.number(0.0, 0.6), restitution };
    let mut scene = Scene::default();
    let thin = 1e-3;
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let mut half = Vector3::repeat(1.0 + thin);
            half[axis] = 0.5 * thin;
            let mut place = Vector3::zeros();
            place[axis] = side * (1.0 + 0.5 * thin);
            let wall = Shape::cuboid(half)?;
            scene.add(RigidBody::fixed(&wall, material), at(place.x, place.y, place.z));
        }
    }
    let half = random.point(0.02, 0.1);
    let mass = cuboid_mass(half, Amount::Density(1000.0)).unwrap();
    let turn = UnitQuaternion::from_scaled_axis(random.point(-1.0, 1.0));
    let pose = Isometry3::from_parts(random.point(-0.7, 0.7).into(), turn);
    let body = RigidBody::free(&mass, &Shape::cuboid(half)?, material).unwrap();
    let body = scene.add(body, pose);
    let speed = 10.0_f64.powf(random.number(-1.0, 5.0));
    scene.states[body].velocity = random.direction() * speed;
    scene.states[body].angular_velocity = random.direction() * (random.number(0.0, 2.0) * speed);
    Ok((scene, body))
}

/// Throws bodies at thin walls, up to 1000 of their lengths a step; how many got out.
fn escapes(seed: u64, count: usize) -> usize {
    let mut random = Random::new(seed);
    let mut out = 0;
    for _ in 0..count {
        let restitution = if random.number(0.0, 1.0) < 0.5 { 0.0 } else { 0.9 };
        let (scene, body) = cage(&mut random, restitution).unwrap();
        let mut system = scene.system();
        let wrenches = vec![Wrench::default(); 7];
        for _ in 0..5 {
            system.begin_step(1e-3).unwrap();
            system.kick(5e-4, &wrenches).unwrap();
            system.drift(1e-3).unwrap();
            system.kick(5e-4, &wrenches).unwrap();
        }
        out += usize::from(system.states()[body].position.amax() > 1.0);
    }
    out
}

#[test]
fn no_body_passes_a_thin_wall_whatever_its_speed() {
    assert_eq!(escapes(51, 200), 0);
}

#[test]
#[ignore = "by hand: minutes"]
fn no_body_of_ten_thousand_passes_a_thin_wall() {
    assert_eq!(escapes(52, 10_000), 0);
}
