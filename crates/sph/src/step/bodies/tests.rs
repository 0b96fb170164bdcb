//! The laboratory of free bodies: closed systems, hydrostatics, light bodies, locks, bits.

use crate::step::bodies::lab::{dfsph, filled};
use crate::step::stepper::Stepper;
use crate::step::time_step::limits::{Limit, StepLength};
use crate::world::{
    Density, Dfsph, Fluid, FreeBody, PLANE_LOCKS, Solver, ViscositySolver, Wcsph, World,
};
use hashfall_bodies::Twist;
use hashfall_core::{Dimension, Real, parallel};
use hashfall_geometry::Point;
use hashfall_search::Structures;
use hashfall_solid::{BodySpec, ContactLaw, KinematicLaw, Slip};
use nalgebra::Matrix3;
use std::f64::consts::PI;

/// The body of all scenes here.
const BODY: usize = 1;

fn continuity() -> Solver {
    let density = Some(Density::Continuity { diffusion: 0.1 });
    Solver::Wcsph(Wcsph { density, sound_speed: Some(30.0), ..Wcsph::default() })
}

/// Makes the only ball of a world a free body of this density \[kg/m³\].
fn with_ball(mut world: World, density: f64) -> World {
    let ball = world.solids.spheres()[0];
    let (centre, radius) = (ball.centre.map(f64::from), f64::from(ball.radius));
    let mass = density * 4.0 / 3.0 * PI * radius.powi(3);
    let inertia = Matrix3::identity() * (0.4 * mass * radius * radius);
    let law = KinematicLaw::driven(centre.into());
    world.solids = world.solids.with_kinematic_laws(vec![Some(law)]);
    world.free_bodies = vec![FreeBody::new(BODY, mass, inertia)];
    world
}

fn volume(world: &World) -> f64 {
    4.0 / 3.0 * PI * f64::from(world.solids.spheres()[0].radius).powi(3)
}

fn run(world: &mut World, stepper: &mut Stepper, until: f64) -> u32 {
    let (mut iterations, mut steps) = (0, 0);
    while world.time < until {
        let report = stepper.step(world, until).unwrap();
        iterations += report.divergence.iterations;
        steps += 1;
    }
    iterations / steps
}

fn momentum(world: &World) -> Point {
    let p = &world.particles;
    let of = |i: usize| p.velocity[i].map(f64::from) * world.particle_mass(p.phase[i]);
    let bodies = world
        .free_bodies
        .iter()
        .map(|free| world.solids.body_state(free.body).unwrap().velocity * free.mass);
    (0..p.len()).map(of).sum::<Point>() + bodies.sum::<Point>()
}

/// A block of water flies against a ball, far from all walls.
fn collision(solver: Solver, density: f64) -> World {
    let world = World::builder()
        .solver(solver)
        .spacing(0.05)
        .gravity([0.0; 3])
        .domain([-4.0; 3], [4.0; 3])
        .fluid(Fluid { viscosity: 0.0, ..Fluid::default() })
        .moving_block([-0.4, -0.25, -0.2], [0.1, 0.25, 0.3], [1.0, 0.0, 0.0])
        .sphere([0.32, 0.03, 0.0], 0.2)
        .build()
        .unwrap();
    with_ball(world, density)
}

#[test]
fn what_the_fluid_loses_is_what_a_body_wins() {
    for (solver, density) in [(dfsph(), 500.0), (dfsph(), 20.0), (continuity(), 500.0)] {
        let mut world = collision(solver, density);
        let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
        let (start, mut changes) = (momentum(&world), 0.0);
        let mass = world.free_bodies[0].mass;
        let fluid = |world: &World| world.particles.velocity.clone();
        let mut given = Point::zeros();
        for _ in 0..60 {
            let mut before: Vec<_> =
                world.particles.id.iter().copied().zip(fluid(&world)).collect();
            stepper.step(&mut world, 10.0).unwrap();
            let mut after: Vec<_> = world.particles.id.iter().copied().zip(fluid(&world)).collect();
            before.sort_by_key(|it| it.0);
            after.sort_by_key(|it| it.0);
            let of = |k: usize| f64::from((after[k].1 - before[k].1).norm());
            changes += world.particle_mass(0) * (0..before.len()).map(of).sum::<f64>();
            given += stepper.take_impulses()[BODY].force;
        }
        let state = *world.solids.body_state(BODY).unwrap();
        let drift = (momentum(&world) - start).norm();
        let missed = (state.velocity * mass - given).norm();
        assert!(state.velocity.x > 0.1, "{state:?}");
        assert!(missed < 1e-12 * changes && drift < 1e-6 * changes, "{drift} {missed} {changes}");
    }
}

#[test]
fn honey_takes_a_light_ball_along_however_long_the_step_is() {
    for density in [1000.0, 20.0] {
        let viscosity = ViscositySolver::Implicit;
        let world = World::builder()
            .viscosity(viscosity)
            .spacing(0.05)
            .gravity([0.0; 3])
            .domain([-4.0; 3], [4.0; 3])
            .fluid(Fluid { viscosity: 1.0, ..Fluid::default() })
            .moving_block([-0.4, -0.4, -0.4], [0.4, 0.4, 0.4], [1.0, 0.0, 0.0])
            .sphere([0.02, 0.03, 0.0], 0.15)
            .build();
        let mut world = world.unwrap();
        let law = ContactLaw { slip: Slip::No, ..ContactLaw::default() };
        let ball = BodySpec { spheres: 1, contact: law, ..BodySpec::default() };
        world.solids = world.solids.with_bodies(&[ball]);
        let mut world = with_ball(world, density);
        let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
        let start = momentum(&world);
        for _ in 0..40 {
            assert!(!stepper.step(&mut world, 10.0).unwrap().viscosity.capped);
        }
        let state = *world.solids.body_state(BODY).unwrap();
        let whole = world.particle_mass(0) * world.particles.len() as f64;
        let mean = start / (whole + world.free_bodies[0].mass);
        assert!((state.velocity - mean).norm() < 0.02, "{:?} {mean:?}", state.velocity);
        assert!(
            (momentum(&world) - start).norm() < 5e-6 * start.norm(),
            "{:?}",
            momentum(&world) - start
        );
    }
}

/// A ball 10 spacings across under water, shifted by a part of a spacing.
fn sunken(solver: Solver, offset: f64, density: f64) -> World {
    let d = 0.02;
    let at = [0.25 + offset * d, 0.25, 0.25 + offset * d].map(|x| x as Real);
    let world = filled(d, [0.5, 0.5, 0.8], 0.5, solver).sphere(at, 0.1).build().unwrap();
    with_ball(world, density)
}

#[test]
#[ignore = "takes minutes"]
fn a_held_ball_feels_its_displaced_weight() {
    for offset in [0.0, 0.25, 0.5] {
        let mut world = sunken(dfsph(), offset, 1000.0);
        world.free_bodies[0].release = f64::INFINITY;
        let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
        run(&mut world, &mut stepper, 0.5);
        stepper.take_impulses();
        run(&mut world, &mut stepper, 1.0);
        let impulse = stepper.take_impulses()[BODY];
        let weight = 1000.0 * 9.81 * volume(&world) * 0.5;
        assert!((impulse.force.z / weight - 1.0).abs() < 0.01, "{offset}: {impulse:?}");
        assert!(impulse.force.x.hypot(impulse.force.y) < 0.01 * weight, "{offset}: {impulse:?}");
    }
}

#[test]
#[ignore = "takes minutes"]
fn a_ball_rises_sinks_or_stays() {
    let risen = [990.0, 1000.0, 1010.0].map(|density| {
        let mut world = sunken(dfsph(), 0.0, density);
        world.free_bodies[0].release = 0.5;
        let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
        run(&mut world, &mut stepper, 0.5);
        let start = world.solids.body_state(BODY).unwrap().position;
        run(&mut world, &mut stepper, 1.25);
        (world.solids.body_state(BODY).unwrap().position - start).z / 0.02
    });
    // In ideal flow without walls 0.93, 0, -0.91.
    assert!(risen[0] > 0.2 && risen[1].abs() < 0.2 && risen[2] < -0.2, "{risen:?}");
}

/// Iterations of the first steps of a ball under water, to a tight tolerance.
fn first_iterations(density: f64, release: f64) -> u32 {
    let (d, max_divergence_error) = (0.04, 1e-6);
    let solver =
        Solver::Dfsph(Dfsph { max_divergence_error, max_iterations: 3000.0, ..Dfsph::default() });
    let tank = filled(d, [0.8, 0.8, 0.9], 0.8, solver).sphere([0.4, 0.4, 0.4], 0.16);
    let mut world = with_ball(tank.build().unwrap(), density);
    world.free_bodies[0].release = release;
    let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
    (0..4).map(|_| stepper.step(&mut world, 10.0).unwrap().divergence.iterations).sum()
}

#[test]
fn light_bodies_cost_few_iterations() {
    let fixed = f64::from(first_iterations(1000.0, f64::INFINITY));
    for (density, most) in [(1000.0, 1.1), (100.0, 1.3), (20.0, 3.5)] {
        let free = f64::from(first_iterations(density, 0.0));
        assert!(free <= most * fixed, "{density}: {free} for {fixed}");
    }
}

/// A square prism of side `side` in the plane, upright, half in the water.
fn prism(d: f64, ratio: f64) -> World {
    let (side, depth) = (10.0 * d, 16.0 * d);
    let extent = [40.0 * d, 0.0, 40.0 * d];
    let bottom = depth - ratio * side;
    let x = 20.0 * d;
    let corners = [[x - 0.5 * side, bottom], [x + 0.5 * side, bottom + side]];
    let aabb = hashfall_geometry::Aabb::new(
        [corners[0][0] as Real, -0.5 * side as Real, corners[0][1] as Real].into(),
        [corners[1][0] as Real, 0.5 * side as Real, corners[1][1] as Real].into(),
    );
    let mesh = hashfall_geometry::shape::box_mesh(&aabb);
    let mut world =
        filled(d, extent, depth, dfsph()).dimension(Dimension::Two).mesh(mesh).build().unwrap();
    let mass = ratio * 1000.0 * side * side;
    let inertia = Matrix3::identity() * (mass * side * side / 6.0);
    let law = KinematicLaw::driven([x, 0.0, bottom + 0.5 * side]);
    world.solids = world.solids.with_kinematic_laws(vec![Some(law)]);
    world.free_bodies = vec![FreeBody::new(BODY, mass, inertia).with_locks(PLANE_LOCKS)];
    world
}

#[test]
#[ignore = "takes a minute"]
fn a_prism_floats_at_its_draught() {
    let d = 0.02;
    let mut world = prism(d, 0.5);
    let n = world.particles.len() as f64;
    let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
    let side = 10.0 * d;
    // Upright it does not stay for long: half immersed it floats on its edge.
    for k in 1..=4 {
        run(&mut world, &mut stepper, 0.5 * f64::from(k));
        let bottom = world.solids.body_state(BODY).unwrap().position.z - 0.5 * side;
        // The area of the water is n d² = 40 d level − side draught.
        let draught = (n * d * d - 40.0 * d * bottom) / (40.0 * d - side);
        assert!((draught / d - 5.0).abs() < 0.1, "{draught} at {} s", world.time);
    }
}

#[test]
#[ignore = "takes a minute"]
fn a_locked_float_is_a_fixed_solid() {
    let at = |dt: f64, is_free: bool| {
        let solver = Solver::Dfsph(Dfsph { courant: 0.4 * dt, ..Dfsph::default() });
        let d = 0.04;
        let moving = filled(d, [1.2, 0.6, 1.0], 0.0, solver)
            .moving_block([0.0; 3], [0.3, 0.6, 0.6], [0.5, 0.0, 0.0])
            .sphere([0.6, 0.3, 0.2], 0.16)
            .build()
            .unwrap();
        let mut world = moving.clone();
        if is_free {
            world = with_ball(world, 20.0);
            world.free_bodies[0].locks = [true; 6];
        }
        let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
        run(&mut world, &mut stepper, 0.4);
        let order = world.particles.order_by_id();
        let v: Vec<_> = order.iter().map(|i| world.particles.velocity[*i as usize]).collect();
        let p: Vec<_> = order.iter().map(|i| world.particles.pressure[*i as usize]).collect();
        (v, p)
    };
    for dt in [1.0, 0.25] {
        let ((v, p), (w, q)) = (at(dt, true), at(dt, false));
        let [mut a, mut b, mut c, mut e] = [0.0; 4];
        for k in 0..v.len() {
            a += f64::from((v[k] - w[k]).norm_squared());
            b += f64::from(w[k].norm_squared());
            c += f64::from((p[k] - q[k]).powi(2));
            e += f64::from(q[k].powi(2));
        }
        assert!(a < 1e-4 * b && c < 1e-4 * e);
    }
}

#[test]
fn bodies_have_the_same_bits_for_any_number_of_threads_and_after_a_rollback() {
    for solver in [dfsph(), continuity()] {
        let start = || {
            let mut world = collision(solver, 300.0);
            let stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
            (world, stepper)
        };
        let digests = |threads| {
            parallel::with_threads(threads, || {
                let (mut world, mut stepper) = start();
                for _ in 0..12 {
                    stepper.step(&mut world, 10.0).unwrap();
                }
                (world.digest(), world.body_digest(), stepper.take_impulses())
            })
        };
        let one = digests(1);
        assert_eq!(digests(2), one);
        assert_eq!(digests(3), one);
        let ((mut world, mut stepper), (mut other, mut steady)) = (start(), start());
        for _ in 0..12 {
            let dt = stepper.stable_step(&world).0;
            stepper.snapshot.save(&world);
            stepper.try_step(&mut world, StepLength::new(5.0 * dt, Limit::Frame), 10.0).unwrap();
            stepper.rollback(&mut world);
            assert_eq!(world, other);
            stepper.step(&mut world, 10.0).unwrap();
            steady.step(&mut other, 10.0).unwrap();
            assert_eq!((world.digest(), &world), (other.digest(), &other));
        }
        assert!(world.solids.body_state(BODY).unwrap().velocity.norm() > 1e-4);
        assert_eq!(steady.memory(), stepper.memory());
    }
}

#[test]
fn a_resumed_run_goes_on_with_the_same_bits() {
    let tank = filled(0.05, [0.5, 0.5, 0.8], 0.5, dfsph()).sphere([0.26, 0.24, 0.2], 0.12);
    let mut world = with_ball(tank.build().unwrap(), 300.0);
    let structures = Structures::default();
    let mut stepper = Stepper::new(&structures, &mut world).unwrap();
    run(&mut world, &mut stepper, 0.1);
    let mut other = world.clone();
    let mut resumed = Stepper::resume(&structures, &mut other, &stepper.memory()).unwrap();
    for _ in 0..10 {
        stepper.step(&mut world, 10.0).unwrap();
        resumed.step(&mut other, 10.0).unwrap();
        assert_eq!((world.digest(), world.body_digest()), (other.digest(), other.body_digest()));
    }
    assert_eq!(stepper.memory(), resumed.memory());
    assert!(world.solids.body_state(BODY).unwrap().velocity.z > 0.01);
}

#[test]
fn a_body_without_fluid_near_falls_and_turns_as_a_free_top() {
    let mut world = collision(dfsph(), 500.0);
    world.gravity.z = -10.0;
    let away = |x: &mut hashfall_core::Vec3| x.y -= 2.0;
    world.particles.position.iter_mut().for_each(away);
    world.free_bodies[0].inertia = Matrix3::from_diagonal(&Point::new(1.0, 2.0, 3.0));
    let twist = Twist::from([5.0, 0.0, 0.0, 1.0, 2.0, 0.5]);
    world.free_bodies[0].release = 0.02;
    world.free_bodies[0].release_twist = twist;
    let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
    run(&mut world, &mut stepper, 0.02);
    let start = *world.solids.body_state(BODY).unwrap();
    assert_eq!(start.velocity.x, 5.0);
    run(&mut world, &mut stepper, 0.32);
    let state = world.solids.body_state(BODY).unwrap();
    let fallen = state.position - start.position;
    assert!((fallen - Point::new(1.5, 0.0, -0.45)).norm() < 1e-5, "{fallen}");
    let inertia = &world.free_bodies[0].inertia;
    let momentum = |it: &hashfall_solid::BodyState| {
        let turn = it.orientation.matrix();
        turn * inertia * turn.transpose() * it.angular_velocity
    };
    assert!((momentum(state) - momentum(&start)).norm() < 1e-12);
    let energy = |it: &hashfall_solid::BodyState| momentum(it).dot(&it.angular_velocity);
    assert!((energy(state) / energy(&start) - 1.0).abs() < 1e-3);
}
