//! The same bits for any broad phase, any number of threads, and after a resume.

use super::world::{World, body, crossings, empty, springs};
use crate::meshing::{ball_surface, sheet};
use crate::system::BodySpec;
use hashfall_core::Vec3;
use hashfall_core::parallel::with_threads;
use hashfall_geometry::{Aabb, Point, Sphere, shape};
use hashfall_search::BroadPhaseKind;
use hashfall_solid::{BodySpec as SolidSpec, ContactLaw, KinematicLaw, Solids};

/// A cloth that falls on a turning block and a ball, and a small ball of springs on it.
fn scene(kind: BroadPhaseKind) -> World {
    let domain = Aabb::new(Vec3::repeat(-2.0), Vec3::repeat(2.0));
    let block = Aabb::new(Vec3::new(0.1, -0.3, -0.2), Vec3::new(0.5, 0.3, 0.0));
    let ball = Sphere { centre: Vec3::new(-0.3, 0.0, -0.15), radius: 0.2 };
    let contact = ContactLaw { friction: 0.4, ..ContactLaw::default() };
    let specs = [
        SolidSpec { spheres: 1, contact, ..SolidSpec::default() },
        SolidSpec { meshes: 1, contact, ..SolidSpec::default() },
    ];
    let spin = KinematicLaw::spin([0.3, 0.0, -0.1], [0.0, 0.0, 1.0], 90.0);
    let solids = Solids::new(domain, vec![ball], vec![shape::box_mesh(&block)])
        .with_bodies(&specs)
        .with_kinematic_laws(vec![None, Some(spin)]);
    let (u, v) = (Point::x() * 1.2, Point::y() * 0.9);
    let cloth = sheet(Point::new(-0.6, -0.45, 0.1), u, v, [12, 9]).unwrap();
    let small = ball_surface(Point::new(0.0, 0.05, 0.25), 0.08, 1).unwrap();
    let bodies = vec![
        body("cloth", cloth, &springs(300.0, 1e-3, 0.02), 0.4),
        body("small", small, &springs(500.0, 1e-3, 0.02), 0.1),
    ];
    World::with_broad_phase(bodies, solids, 9.81, kind)
}

fn run(kind: BroadPhaseKind, steps: u32) -> World {
    let mut world = scene(kind);
    (0..steps).for_each(|_| world.step(0.01));
    world
}

#[test]
fn every_broad_phase_and_any_number_of_threads_give_the_same_bits() {
    let first = run(BroadPhaseKind::Brute, 25);
    assert!(first.counts.contacts > 300, "{:?}", first.counts);
    assert_eq!(crossings(&first), 0);
    for (number, kind) in BroadPhaseKind::ALL.into_iter().enumerate() {
        let threads = 1 + number % 3;
        let other = with_threads(threads, || run(kind, 25));
        assert_eq!(other.state.digest(), first.state.digest(), "{kind:?}, {threads} threads");
        assert_eq!(other.counts.contacts, first.counts.contacts);
    }
}

#[test]
fn a_run_that_is_resumed_gives_the_same_bits() {
    let whole = run(BroadPhaseKind::default(), 30);
    let mut first = scene(BroadPhaseKind::default());
    let mut first_steps = 0;
    for steps in [7, 11, 12] {
        // All that is kept are the states and the time.
        let mut next = scene(BroadPhaseKind::default());
        next.state = first.state;
        next.time = first.time;
        next.solids.restore(first.solids.body_states());
        (0..steps).for_each(|_| next.step(0.01));
        first = next;
        first_steps += steps;
    }
    assert_eq!(first_steps, 30);
    assert_eq!(first.state.digest(), whole.state.digest());
}

#[test]
fn a_run_that_returns_to_an_earlier_state_repeats_its_bits() {
    let mut world = run(BroadPhaseKind::default(), 12);
    let (state, time) = (world.state.clone(), world.time);
    let bodies = world.solids.body_states().to_vec();
    (0..18).for_each(|_| world.step(0.01));
    let digest = world.state.digest();
    // Contact remembers pairs of the future.
    (world.state, world.time) = (state, time);
    world.solids.restore(&bodies);
    (0..18).for_each(|_| world.step(0.01));
    assert_eq!(world.state.digest(), digest);
}

#[test]
fn a_step_that_is_taken_back_repeats_its_bits() {
    let mut world = run(BroadPhaseKind::default(), 12);
    for _ in 0..12 {
        let (state, time) = (world.state.clone(), world.time);
        let bodies = world.solids.body_states().to_vec();
        world.step(0.01);
        let digest = world.state.digest();
        // The same motions of solids again, from their start.
        (world.state, world.time) = (state, time);
        world.solids.restore(&bodies);
        world.step(0.01);
        assert_eq!(world.state.digest(), digest);
    }
}

/// A ball of springs of radius 0.05 that is pumped up, between two sheets that hold it.
fn growing(kind: BroadPhaseKind, stretch: f64) -> World {
    let ball = ball_surface(Point::zeros(), 0.05, 2).unwrap();
    let plate = |name, z| -> BodySpec {
        let (u, v) = (Point::x() * 0.2, Point::y() * 0.2);
        let mesh = sheet(Point::new(-0.1, -0.1, z), u, v, [4, 4]).unwrap();
        body(name, mesh, &springs(100.0, 1e-3, 0.005), 0.2)
    };
    let bodies = vec![
        body("ball", ball, &springs(1e-3, 0.0, 0.005), 0.2),
        plate("low", -0.08),
        plate("high", 0.08),
    ];
    let mut world = World::with_broad_phase(bodies, empty(), 0.0, kind);
    let nodes = world.stepper.system().bodies()[0].nodes.clone();
    for node in nodes {
        world.state.velocity[node] = world.state.position[node] * stretch;
    }
    world
}

#[test]
fn a_body_that_grows_past_every_class_is_subdivided() {
    // A growth that passes the bound below by a third: what contact takes of it may vary.
    let (stretch, steps) = (80.0, 20);
    let largest = |world: &World| {
        let body = &world.stepper.system().bodies()[0];
        let length = |[a, b]: &[u32; 2]| {
            (world.state.position[*a as usize] - world.state.position[*b as usize]).amax()
        };
        body.edges.iter().map(length).fold(0.0, f64::max)
    };
    let mut first = growing(BroadPhaseKind::Brute, stretch);
    let class = super::super::pieces::class_above(largest(&first));
    for _ in 0..steps {
        first.step(0.005);
        assert_eq!(crossings(&first), 0);
    }
    // Three classes above the largest there was at the start.
    assert!(largest(&first) > 4.0 * class, "{} of {class}", largest(&first));
    assert!(first.counts.contacts > 100, "{:?}", first.counts);
    for kind in BroadPhaseKind::ALL {
        let mut other = growing(kind, stretch);
        (0..steps).for_each(|_| other.step(0.005));
        assert_eq!(other.state.digest(), first.state.digest(), "{kind:?}");
    }
}
