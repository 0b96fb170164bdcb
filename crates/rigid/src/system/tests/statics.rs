//! Bodies that rest, slide and roll on planes and on each other.

use super::scenes::{GRAVITY, Scene, at, down, rough, step, tilted};
use nalgebra::Vector3;

#[test]
fn a_block_on_an_incline_sticks_below_the_angle_of_friction_and_slides_above() {
    let friction = 0.5;
    for (angle, slides) in [(0.9 * libm::atan(friction), false), (1.1 * libm::atan(friction), true)]
    {
        let mut scene = Scene::default();
        scene.ground(rough(friction));
        let half = Vector3::new(0.2, 0.1, 0.05);
        let block = scene.cuboid(half, at(0.0, 0.0, 0.05), rough(friction));
        let mut system = scene.system();
        let (dt, steps) = (1e-3, 1000);
        for _ in 0..steps {
            step(&mut system, dt, &tilted(angle));
        }
        let state = &system.states()[block];
        let time = dt * f64::from(steps);
        let a = GRAVITY * (libm::sin(angle) - friction * libm::cos(angle));
        if slides {
            assert!((state.velocity.x / (a * time) - 1.0).abs() < 1e-5, "{}", state.velocity.x);
            assert!((state.position.x / (0.5 * a * time * time) - 1.0).abs() < 1e-3);
        } else {
            assert!(state.position.x.abs() < 1e-8, "{:e}", state.position.x);
            assert!(state.velocity.norm() < 1e-7);
        }
        assert!((state.position.z - 0.05).abs() < 1e-8 && state.position.y.abs() < 1e-8);
        assert!(state.orientation.quaternion().angle() < 1e-6);
    }
}

#[test]
fn a_ball_rolls_down_an_incline_with_five_sevenths_of_the_slope() {
    let (angle, radius) = (0.3, 0.1);
    let mut scene = Scene::default();
    scene.ground(rough(0.6));
    let ball = scene.ball(radius, Vector3::z() * radius, rough(0.6));
    let mut system = scene.system();
    let (dt, steps) = (1e-3, 1000);
    for _ in 0..steps {
        step(&mut system, dt, &tilted(angle));
    }
    let state = &system.states()[ball];
    let speed = 5.0 / 7.0 * GRAVITY * libm::sin(angle) * dt * f64::from(steps);
    assert!((state.velocity.x / speed - 1.0).abs() < 1e-5, "{} {speed}", state.velocity.x);
    assert!((state.angular_velocity.y * radius / speed - 1.0).abs() < 1e-5);
    assert!((state.position.z / radius - 1.0).abs() < 1e-6);
}

#[test]
fn a_stack_of_ten_cubes_rests_for_ten_seconds() {
    let mut scene = Scene::default();
    scene.ground(rough(0.5));
    for k in 0..10 {
        scene.cuboid(Vector3::repeat(0.5), at(0.0, 0.0, 0.5 + f64::from(k)), rough(0.5));
    }
    let mut system = scene.system();
    let start = system.states().to_vec();
    for _ in 0..1000 {
        step(&mut system, 1e-2, &down());
    }
    for (now, then) in system.states().iter().zip(&start) {
        let moved = (now.position - then.position).norm();
        assert!(moved < 1e-6, "{moved:e}");
        assert!(now.orientation.quaternion().angle() < 1e-6);
    }
}
