//! Steps of elastic bodies: order, held nodes, contact that cuts substeps, threads, and errors.

use super::*;
use crate::account::ElasticAccount;
use crate::contact::{Collisions, ContactError, NoCollisions, NodeMotion};
use crate::fixing::Fixing;
use crate::material::{Material, Rope, Solid, SpringMass, SpringStiffness, Springs};
use crate::mesh::ElasticMesh;
use crate::meshing::{BoxPattern, box_tetrahedra};
use crate::state::ElasticState;
use crate::system::{BodySpec, ElasticSystem};
use hashfall_bodies::{Pose, RigidMotion};
use hashfall_core::parallel::with_threads;
use hashfall_geometry::Point;
use nalgebra::Rotation3;
use std::sync::Arc;

const G: Point = Point::new(0.0, 0.0, -9.81);

fn springs(damping_time: f64) -> Material {
    Material::Springs(Springs {
        stiffness: SpringStiffness::Modulus(1e5),
        across: 0.0,
        mass: SpringMass::Density(1000.0),
        thickness: 0.01,
        damping_time,
    })
}

/// A box of springs with this number of cells along each edge.
fn spring_box(cells: u32, damping_time: f64) -> BodySpec {
    let edges = [Point::x(), Point::y(), Point::z()].map(|edge| edge * 0.3);
    let mesh = box_tetrahedra(Point::zeros(), edges, [cells; 3], BoxPattern::Five).unwrap();
    BodySpec::new("box", mesh, springs(damping_time))
}

fn stepper(spec: BodySpec, settings: SymplecticSettings) -> ElasticStepper {
    with_collisions(spec, settings, Box::new(NoCollisions))
}

fn with_collisions(
    spec: BodySpec,
    settings: SymplecticSettings,
    collisions: Box<dyn Collisions>,
) -> ElasticStepper {
    let system = Arc::new(ElasticSystem::new(vec![spec]).unwrap());
    ElasticStepper::new(system, Box::new(Symplectic::new(settings)), collisions)
}

#[test]
fn without_damping_a_substep_is_as_long_as_that_of_what_is_not_damped() {
    let solid = |damping_time| {
        let edges = [Point::x(), Point::y(), Point::z()].map(|edge| edge * 0.3);
        let mesh = box_tetrahedra(Point::zeros(), edges, [2; 3], BoxPattern::Five).unwrap();
        let solid = Solid { damping_time, ..Solid::new(1e5, 0.4, 1000.0) };
        BodySpec::new("box", mesh, Material::Solid(solid))
    };
    for spec in [solid, |time| spring_box(2, time)] {
        let [free, damped] = [0.0, 1e-3].map(|time| ElasticSystem::new(vec![spec(time)]).unwrap());
        let buffer = &mut SubstepBuffer::default();
        let expected = StableSubstep::new(&free, free.start(), buffer).dt;
        assert_eq!(StableSubstep::undamped(&damped, damped.start(), buffer).dt, expected);
        assert!(StableSubstep::new(&damped, damped.start(), buffer).dt < 0.9 * expected);
    }
}

/// Steps of `dt` in gravity, from a time.
fn advance(
    stepper: &mut ElasticStepper,
    state: &mut ElasticState,
    [time, dt]: [f64; 2],
    steps: usize,
) -> Result<StepReport, StepError> {
    let mut last = StepReport::default();
    for k in 0..steps {
        let time = time + k as f64 * dt;
        let step = ElasticStep { time, dt, acceleration: Acceleration::Uniform(G), motions: &[] };
        last = stepper.advance(state, &step)?;
    }
    Ok(last)
}

#[test]
fn substeps_are_of_second_order_with_damping_and_forces_that_see_velocities() {
    let end = |steps: usize| {
        let spec = BodySpec { damping_rate: 3.0, ..spring_box(2, 2e-3) };
        let mut stepper = stepper(spec, SymplecticSettings::default());
        let mut state = stepper.system().start().clone();
        let twist = |x: &Point| Point::new(-x.y, x.x, 0.3) * (1.0 + 10.0 * x.z);
        state.velocity = state.position.iter().map(twist).collect();
        let dt = 0.05 / steps as f64;
        let acceleration =
            |x: &Point, v: &Point, t: f64| G * (1.0 + t) + v.cross(&Point::x()) * 2.0 - x * 5.0;
        for k in 0..steps {
            let time = k as f64 * dt;
            let acceleration = Acceleration::VelocityDependent(&acceleration);
            let step = ElasticStep { time, dt, acceleration, motions: &[] };
            assert_eq!(stepper.advance(&mut state, &step).unwrap().substeps, 1);
        }
        state
    };
    let exact = end(3200);
    let error = |steps: usize| {
        let found = end(steps);
        let off = found.position.iter().zip(&exact.position).map(|(a, b)| (a - b).norm());
        let speeds = found.velocity.iter().zip(&exact.velocity).map(|(a, b)| (a - b).norm());
        [off.fold(0.0, f64::max), speeds.fold(0.0, f64::max)]
    };
    let (coarse, fine) = (error(100), error(200));
    for k in 0..2 {
        let order = (coarse[k] / fine[k]).log2();
        assert!((order - 2.0).abs() < 0.1, "order {order} from {coarse:?} to {fine:?}");
    }
}

#[test]
fn a_mass_swings_about_a_spinning_hub_at_the_radius_of_its_spring() {
    let (hub, rest, omega, stiffness) = (0.2, 0.3, 7.0, 400.0);
    let mesh = ElasticMesh {
        nodes: vec![Point::x() * hub, Point::x() * (hub + rest)],
        segments: vec![[0, 1]],
        ..ElasticMesh::default()
    };
    let rope = Rope { tensile_stiffness: stiffness * rest, ..Rope::rod(1e6, 4000.0, 0.05) };
    let pose = |time: f64| {
        let turn = Rotation3::new(Point::z() * omega * time).into_inner();
        Pose { turn, shift: Point::zeros() }
    };
    let tied = Fixing::Tied { body: 0, local: mesh.nodes[0] };
    let spec =
        BodySpec { fixings: vec![(0, tied)], ..BodySpec::new("sling", mesh, Material::Rope(rope)) };
    let settings = SymplecticSettings { substep_ratio: 0.02, ..Default::default() };
    let mut stepper = stepper(spec, settings);
    let mut state = stepper.system().start().clone();
    let mass = stepper.system().mass()[1];
    let radius = stiffness * (hub + rest) / (stiffness - mass * omega * omega);
    assert!(radius > 1.1 * (hub + rest), "the spring stretches, {radius}");
    state.position[1] = Point::x() * radius;
    state.velocity[1] = Point::y() * (omega * radius);
    // Steps of a fifth of a turn.
    let dt = std::f64::consts::TAU / omega / 5.0;
    for k in 0..15 {
        let time = f64::from(k) * dt;
        let motions = [RigidMotion::new(pose(time), pose(time + dt))];
        let acceleration = Acceleration::Uniform(Point::zeros());
        let step = ElasticStep { time, dt, acceleration, motions: &motions };
        stepper.advance(&mut state, &step).unwrap();
        let end = pose(time + dt);
        let hub = end.turn * Point::x() * hub;
        assert!((state.position[0] - hub).norm() < 1e-14, "the hub's own place");
        assert!((state.velocity[0] - Point::z().cross(&hub) * omega).norm() < 1e-11);
        let off = (state.position[1] - end.turn * Point::x() * radius).norm();
        assert!(off < 1e-3 * radius, "step {k}: {off} m");
    }
}

#[test]
fn damping_of_springs_keeps_momentum_and_takes_energy() {
    let mut stepper = stepper(spring_box(2, 5e-3), SymplecticSettings::default());
    let mut state = stepper.system().start().clone();
    let spin = Point::new(2.0, -3.0, 4.0);
    state.velocity = state.position.iter().map(|x| spin.cross(x) + Point::x() + x * 2.0).collect();
    let account =
        |state: &ElasticState| ElasticAccount::new(stepper.system(), state, &Point::zeros());
    let start = account(&state);
    let acceleration = Acceleration::Uniform(Point::zeros());
    let mut steps = vec![];
    let mut moving = state.clone();
    for k in 0..40 {
        let step = ElasticStep { time: f64::from(k) * 0.01, dt: 0.01, acceleration, motions: &[] };
        stepper.advance(&mut moving, &step).unwrap();
        steps.push(ElasticAccount::new(stepper.system(), &moving, &Point::zeros()));
    }
    for (a, b) in steps.iter().zip(&steps[1..]) {
        assert!(b.energy() < a.energy() * (1.0 + 1e-9), "{a:?} {b:?}");
    }
    let end = steps[39];
    assert!(end.energy() < 0.97 * start.energy(), "{start:?} {end:?}");
    let off = (end.momentum - start.momentum).norm() / start.momentum.norm();
    assert!(off < 1e-13, "momentum off by {off}");
    let angular = (end.angular_momentum - start.angular_momentum).norm();
    assert!(angular < 1e-12 * start.angular_momentum.norm(), "angular momentum off by {angular}");
}

/// Cuts each second substep to a part.
#[derive(Debug)]
struct Cuts {
    part: f64,
    calls: u32,
}

impl Collisions for Cuts {
    fn resolve(&mut self, _: &NodeMotion<'_>, _: &mut [Point]) -> Result<f64, ContactError> {
        self.calls += 1;
        Ok(if self.calls.is_multiple_of(2) { self.part } else { 1.0 })
    }
}

#[test]
fn forces_act_for_as_long_as_nodes_move_where_contact_cuts_substeps() {
    for part in [0.0, 0.1, 0.7] {
        let cuts = Box::new(Cuts { part, calls: 0 });
        let mut stepper = with_collisions(spring_box(1, 0.0), SymplecticSettings::default(), cuts);
        let start = stepper.system().start().clone();
        let mut state = start.clone();
        let report = advance(&mut stepper, &mut state, [0.0, 0.1], 5).unwrap();
        let acceleration = Acceleration::Uniform(G);
        let step = ElasticStep { time: 0.0, dt: 0.1, acceleration, motions: &[] };
        let planned = stepper.planned_substeps(&start, &step).unwrap();
        assert!(u64::from(planned) < report.substeps, "planned {planned}, and the cut ones");
        assert!(report.cut_substeps > 2 && report.cut_substeps < report.substeps, "{report:?}");
        for (a, b) in start.position.iter().zip(&state.position) {
            let fallen = 0.5 * 9.81 * 0.25;
            assert!((b - a + Point::z() * fallen).norm() < 0.01 * fallen, "{part}: {}", b - a);
        }
        assert!(state.velocity.iter().all(|v| (v - G * 0.5).norm() < 1e-12), "{part}");
    }
}

#[test]
fn a_step_has_the_same_bits_for_any_thread_count_and_after_a_restart() {
    let run = |threads: usize, restart: bool| {
        with_threads(threads, || {
            let mut stepper = stepper(spring_box(10, 1e-3), SymplecticSettings::default());
            let mut state = stepper.system().start().clone();
            state.velocity.iter_mut().zip(&state.position).for_each(|(v, x)| *v = x * 3.0);
            advance(&mut stepper, &mut state, [0.0, 2e-3], 3).unwrap();
            if restart {
                stepper = self::stepper(spring_box(10, 1e-3), SymplecticSettings::default());
            }
            advance(&mut stepper, &mut state, [6e-3, 2e-3], 3).unwrap();
            let account = ElasticAccount::new(stepper.system(), &state, &G);
            (state.digest(), account.energy().to_bits())
        })
    };
    let one = run(1, false);
    for (threads, restart) in [(2, false), (5, true), (1, true)] {
        assert_eq!(run(threads, restart), one, "{threads} threads");
    }
}

#[test]
fn what_cannot_be_advanced_is_refused_with_the_place() {
    let message = |settings, collisions, change: fn(&mut ElasticState)| {
        let mut stepper = with_collisions(spring_box(1, 0.0), settings, collisions);
        let mut state = stepper.system().start().clone();
        change(&mut state);
        advance(&mut stepper, &mut state, [2.0, 0.1], 1).unwrap_err().to_string()
    };
    let none = || Box::new(NoCollisions);
    let few = SymplecticSettings { max_substeps: 3, ..Default::default() };
    let found = message(few, none(), |_| {});
    assert!(found.contains("elastic body `box`: node") && found.contains("more than 3"), "{found}");
    let found = message(SymplecticSettings::default(), none(), |state| {
        state.velocity[2].y = f64::INFINITY;
    });
    assert!(found.starts_with("elastic body `box`: node 0 is at (NaN"), "{found}");
    let found = message(SymplecticSettings::default(), Box::new(Never), |_| {});
    assert!(found.contains("lets no substep go on at t = 2 s"), "{found}");
    let order = SymplecticSettings { order: SymplecticOrder::Fourth, ..Default::default() };
    let found = message(order, Box::new(Never), |_| {});
    assert!(found.contains("do not support contact: use the automatic order"), "{found}");
}

#[test]
fn high_orders_refuse_damping_and_forces_that_depend_on_velocity() {
    let orders = [SymplecticOrder::Second, SymplecticOrder::Fourth, SymplecticOrder::Sixth];
    let coriolis = |_: &Point, v: &Point, _: f64| v.cross(&Point::x()) * 2.0;
    let turning = Acceleration::VelocityDependent(&coriolis);
    let moving = Acceleration::Field(&|x, t| G * t - x);
    for (damping_time, acceleration, unsupported) in [
        (0.0, moving, None),
        (0.0, Acceleration::Uniform(G), None),
        (0.01, moving, Some("do not support damping")),
        (0.0, turning, Some("do not support forces that depend on velocity")),
    ] {
        for order in orders {
            let settings = SymplecticSettings { order, ..Default::default() };
            let boxed = Box::new(NoCollisions);
            let mut stepper = with_collisions(spring_box(1, damping_time), settings, boxed);
            let mut state = stepper.system().start().clone();
            let step = ElasticStep { time: 0.0, dt: 0.01, acceleration, motions: &[] };
            let result = stepper.advance(&mut state, &step).map_err(|error| error.to_string());
            match unsupported.filter(|_| order != SymplecticOrder::Second) {
                None => assert!(result.is_ok(), "{order:?}: {result:?}"),
                Some(part) => assert!(result.unwrap_err().contains(part), "{order:?}"),
            }
        }
    }
}

/// Lets nothing move.
#[derive(Debug)]
struct Never;

impl Collisions for Never {
    fn resolve(&mut self, _: &NodeMotion<'_>, _: &mut [Point]) -> Result<f64, ContactError> {
        Ok(0.0)
    }
}

/// Says that nothing can touch, as often as told.
#[derive(Debug)]
struct Clear {
    times: u32,
}

impl Collisions for Clear {
    fn resolve(&mut self, _: &NodeMotion<'_>, _: &mut [Point]) -> Result<f64, ContactError> {
        Ok(1.0)
    }

    fn is_clear(
        &mut self,
        _: &NodeMotion<'_>,
        _: &[Point],
        deviation: &[f64],
    ) -> Result<bool, ContactError> {
        assert!(deviation.iter().all(|way| way.is_finite()));
        let is_clear = self.times > 0;
        self.times = self.times.saturating_sub(1);
        Ok(is_clear)
    }
}

#[test]
fn a_substep_of_high_order_that_is_not_clear_leaves_no_trace() {
    let run = |order, times, has_contact: bool| {
        let settings = SymplecticSettings { order, ..Default::default() };
        let collisions: Box<dyn Collisions> =
            if has_contact { Box::new(Clear { times }) } else { Box::new(NoCollisions) };
        let mut stepper = with_collisions(spring_box(2, 0.0), settings, collisions);
        let mut state = stepper.system().start().clone();
        // No force acts at the start, and the guess is that ways are straight: it is too small.
        state.velocity.iter_mut().zip(&state.position).for_each(|(v, x)| *v = x * 3.0);
        let report = advance(&mut stepper, &mut state, [0.0, 0.05], 1).unwrap();
        (state.digest(), report.high_order_substeps, report.substeps)
    };
    let (automatic, second) = (SymplecticOrder::Automatic, SymplecticOrder::Second);
    let verlet = run(second, 0, true);
    assert!(verlet.1 == 0 && verlet.2 > 8, "{verlet:?}");
    assert_eq!(run(automatic, 0, true), verlet, "the guess is not clear");
    let free = run(automatic, u32::MAX, true);
    assert!(free.1 == free.2 && free.0 != verlet.0, "{free:?}");
    assert_eq!(run(automatic, 0, false), free, "without contact");
    assert_eq!(run(automatic, 1, true), verlet, "the guess is clear, and the ways are not");
    assert_eq!(run(automatic, 2, true).1, 1);
}
