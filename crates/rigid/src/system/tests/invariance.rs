//! Same bits for any number of threads and any broad phase, after a rollback and after a resume;
//! the same scene in other units.

use super::scenes::{DENSITY, GRAVITY, Scene, step, weights};
use crate::body::{Locks, Material, RigidBody};
use crate::mass::{Amount, ball_mass, cuboid_mass};
use crate::shape::Shape;
use crate::system::{RigidSettings, RigidSnapshot, RigidSystem};
use hashfall_bodies::BodyState;
use hashfall_core::digest::Digest;
use hashfall_core::geometry::random::Random;
use hashfall_core::parallel::with_threads;
use hashfall_search::BroadPhaseKind;
use nalgebra::{Isometry3, UnitQuaternion, Vector3};

/// Boxes and balls that fall in a pit, in a unit of length \[m\].
fn pit(settings: RigidSettings, unit: f64) -> RigidSystem {
    let mut random = Random::new(61);
    let mut scene = Scene::default();
    let material = Material { friction: 0.4, restitution: 0.25 };
    let walls = [
        (Vector3::z(), 0.0),
        (Vector3::x(), -0.4),
        (-Vector3::x(), 0.4),
        (Vector3::y(), -0.4),
        (-Vector3::y(), 0.4),
    ];
    for (normal, offset) in walls {
        let place = if offset < 0.0 { normal * offset } else { -normal * offset };
        let shape = Shape::half_space(normal).unwrap();
        let pose = Isometry3::from_parts((place * unit).into(), UnitQuaternion::identity());
        scene.add(RigidBody::fixed(&shape, material), pose);
    }
    for k in 0..40_u32 {
        let lattice = Vector3::new(f64::from(k % 3), f64::from(k / 3 % 3), f64::from(k / 9));
        let place = (lattice - Vector3::new(1.0, 1.0, -0.75)) * 0.25 + random.point(-0.01, 0.01);
        let turn = UnitQuaternion::from_scaled_axis(random.point(-1.0, 1.0));
        let pose = Isometry3::from_parts((place * unit).into(), turn);
        let amount = Amount::Density(DENSITY);
        let (mass, shape) = if k % 2 == 0 {
            let radius = 0.1 * unit;
            (ball_mass(radius, amount).unwrap(), Shape::ball(radius).unwrap())
        } else {
            let half = random.point(0.03, 0.08) * unit;
            (cuboid_mass(half, amount).unwrap(), Shape::cuboid(half).unwrap())
        };
        let body = RigidBody::free(&mass, &shape, material).unwrap();
        let locks = if k % 10 == 7 { Locks::SPIN_Z } else { Locks::NONE };
        scene.add(body.with_locks(locks), pose);
    }
    scene.system_with(settings)
}

fn digest(system: &RigidSystem) -> u64 {
    let mut digest = Digest::default();
    system.feed(&mut digest);
    digest.value()
}

fn run(system: &mut RigidSystem, steps: usize) {
    for _ in 0..steps {
        step(system, 2.0_f64.powi(-8), &(-Vector3::z() * GRAVITY));
    }
}

#[test]
fn every_broad_phase_and_number_of_threads_gives_the_same_bits() {
    let result = |broad_phase: BroadPhaseKind, threads: usize| {
        let settings = RigidSettings { broad_phase, ..RigidSettings::default() };
        let mut system = pit(settings, 1.0);
        with_threads(threads, || run(&mut system, 100));
        let count = system.contacts().count();
        assert!(count > 20, "{count} contacts");
        digest(&system)
    };
    let expected = result(BroadPhaseKind::Brute, 1);
    for (number, kind) in BroadPhaseKind::ALL.into_iter().enumerate() {
        assert_eq!(result(kind, [1, 2, 3, 5][number % 4]), expected, "{kind:?}");
    }
}

#[test]
fn rollback_and_resume_give_the_bits_of_the_run_that_never_stopped() {
    let mut system = pit(RigidSettings::default(), 1.0);
    run(&mut system, 50);
    let (bytes, start) = (system.state_bytes(), digest(&system));
    let mut snapshot = RigidSnapshot::default();
    system.save(&mut snapshot);
    let states = system.states().to_vec();
    run(&mut system, 20);
    let end = digest(&system);
    assert_ne!(end, start);
    system.rollback(&snapshot, states);
    assert_eq!(digest(&system), start);
    run(&mut system, 20);
    assert_eq!(digest(&system), end, "after a rollback");
    let mut resumed = pit(RigidSettings::default(), 1.0);
    resumed.set_state_bytes(&bytes).unwrap();
    assert_eq!(digest(&resumed), start);
    run(&mut resumed, 20);
    assert_eq!(digest(&resumed), end, "after a resume");
    for length in [0, 8, bytes.len() - 8, bytes.len() - 1] {
        assert!(resumed.set_state_bytes(&bytes[..length]).is_err());
    }
}

/// The state in a unit of length \[m\], of time such that gravity has the same number.
fn scaled(state: &BodyState, unit: f64) -> Vec<f64> {
    let speed = unit.sqrt();
    let mut numbers: Vec<f64> = (state.position / unit).iter().copied().collect();
    numbers.extend(state.orientation.quaternion().coords.iter());
    numbers.extend((state.velocity / speed).iter());
    numbers.extend((state.angular_velocity * (unit / speed)).iter());
    numbers
}

#[test]
fn the_scene_is_the_same_at_a_millimetre_a_metre_and_a_kilometre() {
    let result = |unit: f64| {
        let mut system = pit(RigidSettings::default(), unit);
        let dt = 2.0_f64.powi(-8) * unit.sqrt();
        let gravity = -Vector3::z() * GRAVITY;
        for _ in 0..60 {
            step(&mut system, dt, &gravity);
        }
        assert!(!weights(&system, &gravity).is_empty());
        system.states().iter().flat_map(|state| scaled(state, unit)).collect::<Vec<f64>>()
    };
    let metre = result(1.0);
    // Powers of four, whose roots are exact: near a millimetre and a kilometre.
    for unit in [2.0_f64.powi(-10), 2.0_f64.powi(10)] {
        for (k, (a, b)) in result(unit).iter().zip(&metre).enumerate() {
            assert_eq!(a, b, "number {k} at {unit} m");
        }
    }
}
