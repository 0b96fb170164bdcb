//! Moving frames against closed forms: free particles, and the effective gravity of a rotation.

use crate::step::Stepper;
use crate::world::{Ballistic, BodyForce, Fluid, Solver, World};
use hashfall_core::{Real, Vec3, to_f64};
use hashfall_formula::Formula;
use hashfall_geometry::Point;
use hashfall_search::Structures;
use hashfall_solid::KinematicLaw;

/// A free particle in a frame: start \[m\] and velocity \[m/s\] in the frame.
fn world(frame: KinematicLaw, x: [Real; 3], v: [Real; 3]) -> World {
    World::builder()
        .domain([-20.0; 3], [20.0; 3])
        .spacing(0.5)
        .gravity([0.0, 0.0, -1.0])
        .frame(frame)
        .fluid(Fluid::default())
        .particle(x, v)
        .solver(Solver::Ballistic(Ballistic::default()))
        .build()
        .unwrap()
}

/// Steps of `dt` \[s\] to `end` \[s\].
fn run(mut world: World, dt: f64, end: f64) -> World {
    let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
    for k in 1..=(end / dt).round() as u32 {
        let until = f64::from(k) * dt;
        while world.time < until {
            stepper.step(&mut world, until).unwrap();
        }
    }
    world
}

/// Distance of the particle from a place \[m\].
fn error(world: &World, exact: &Point) -> f64 {
    (Point::from(to_f64(&world.particles.position[0])) - exact).norm()
}

/// Where a particle is in a frame that flies freely outside, from place and velocity in the frame
/// at t = 0.
fn free_path(frame: &KinematicLaw, x: [f64; 3], v: [f64; 3], time: f64) -> Point {
    let (start, now) = (frame.state_at(0.0), frame.state_at(time));
    let arm = Point::from(x) - frame.pivot();
    let outside = start.orientation.rotate(&arm) + start.position;
    let velocity = start.velocity
        + start.orientation.rotate(&Point::from(v))
        + start.angular_velocity.cross(&start.orientation.rotate(&arm));
    let there = outside + velocity * time - Point::z() * (0.5 * time * time);
    now.orientation.matrix().transpose() * (there - now.position) + frame.pivot()
}

#[test]
fn a_free_particle_follows_its_path_to_second_order_in_the_step() {
    let formula = |text: &str| Formula::parse(text).unwrap();
    let still = || [formula("0"), formula("0"), formula("0")];
    let sway = [formula("0.5*sin(2*t)"), formula("0"), formula("0.3*cos(t)-0.3")];
    let frames = [
        KinematicLaw::spin([0.5, -0.2, 0.0], [0.0, 0.0, 1.0], 20.0),
        KinematicLaw::by_formulas([0.0; 3], still(), [0.0, 1.0, 0.0], formula("40*sin(2*t)")),
        KinematicLaw::by_formulas([0.3; 3], sway, [1.0, 2.0, 0.5], formula("30*sin(1.5*t)")),
    ];
    for (number, frame) in frames.into_iter().enumerate() {
        let (x, v) = ([1.5, 0.25, 0.5], [0.5, -0.25, 0.75]);
        let exact = free_path(&frame, x, v, 2.0);
        let at = |dt: f64| {
            let [x, v] = [x, v].map(|a| a.map(|c| c as Real));
            error(&run(world(frame.clone(), x, v), dt, 2.0), &exact)
        };
        let (coarse, fine) = (at(0.04), at(0.02));
        assert!(coarse < 0.05, "frame {number}: {coarse}");
        let order = (coarse / fine).log2();
        assert!((1.8..2.3).contains(&order), "frame {number}: {coarse} {fine}, order {order}");
    }
}

#[test]
fn a_long_orbit_in_a_rotating_frame_keeps_its_energy() {
    let omega = 30.0 * std::f64::consts::TAU / 60.0;
    let frame = KinematicLaw::spin([0.0; 3], [0.0, 0.0, 1.0], 30.0);
    let mut orbit = world(frame, [2.0, 0.0, 0.0], [0.3, -4.0, 0.0]);
    let stiffness = 3.0;
    orbit.gravity = Vec3::zeros();
    orbit.forces = vec![BodyForce::Central { centre: [0.0; 3], stiffness }];
    // Jacobi's integral.
    let energy = |world: &World| {
        let (x, v) = (to_f64(&world.particles.position[0]), to_f64(&world.particles.velocity[0]));
        let squares = |a: [f64; 3]| a[0] * a[0] + a[1] * a[1];
        0.5 * squares(v) + 0.5 * (stiffness - omega * omega) * squares(x)
    };
    let start = energy(&orbit);
    let kinetic = 0.5 * (0.3 * 0.3 + 16.0);
    let early = energy(&run(orbit.clone(), 0.02, 20.0)) - start;
    let late = energy(&run(orbit, 0.02, 200.0)) - start;
    assert!(early.abs() < 0.01 * kinetic && late.abs() < 0.01 * kinetic, "{early} {late}");
}

#[test]
fn fluid_that_turns_with_the_frame_feels_the_gravity_of_a_paraboloid() {
    let omega = 0.25 * std::f64::consts::TAU;
    let frame = KinematicLaw::spin([0.5, 0.5, 0.0], [0.0, 0.0, 1.0], 15.0);
    let world = world(frame, [0.0; 3], [0.0; 3]);
    let field = world.body_field();
    for x in [[0.5, 0.5, 0.2], [1.5, 0.5, -3.0], [-2.5, 4.5, 1.0]] {
        let a = to_f64(&field.at(&hashfall_core::vec3(x)));
        let exact = [omega * omega * (x[0] - 0.5), omega * omega * (x[1] - 0.5), -1.0];
        (0..3).for_each(|k| assert!((a[k] - exact[k]).abs() < 1e-4, "{a:?} for {exact:?}"));
        // The surface z = ω² r²/2g is normal to it.
        let along = [1.0, 0.0, omega * omega * (x[0] - 0.5)];
        let product: f64 = (0..3).map(|k| a[k] * along[k]).sum();
        assert!(product.abs() < 1e-3);
    }
}
