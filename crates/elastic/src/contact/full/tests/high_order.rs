//! Substeps of high order where nothing can touch, with contact that is never missed.

use super::world::{World, body, crossings, springs};
use crate::account::ElasticAccount;
use crate::meshing::{ball_surface, sheet};
use hashfall_core::Vec3;
use hashfall_core::parallel::with_threads;
use hashfall_geometry::{Aabb, Point, shape};
use hashfall_search::BroadPhaseKind;
use hashfall_solid::{BodySpec as SolidSpec, ContactLaw, KinematicLaw, Solids};

/// Two spinning balls of springs that fly against each other, a wall and a block that turns.
fn scene(kind: BroadPhaseKind) -> World {
    let domain = Aabb::new(Vec3::repeat(-0.5), Vec3::repeat(0.5));
    let block = Aabb::new(Vec3::new(-0.3, -0.3, -0.4), Vec3::new(0.3, 0.3, -0.3));
    let specs = [SolidSpec { meshes: 1, contact: ContactLaw::default(), ..SolidSpec::default() }];
    let spin = KinematicLaw::spin([0.0, 0.0, -0.35], [0.0, 0.0, 1.0], 40.0);
    let solids = Solids::new(domain, vec![], vec![shape::box_mesh(&block)])
        .with_bodies(&specs)
        .with_kinematic_laws(vec![Some(spin)]);
    let centres = [Point::new(-0.2, 0.01, 0.0), Point::new(0.2, 0.0, 0.02)];
    let ball = |centre| ball_surface(centre, 0.1, 1).unwrap();
    let bodies = [("left", centres[0]), ("right", centres[1])]
        .map(|(name, centre)| body(name, ball(centre), &springs(400.0, 0.0, 0.01), 0.2));
    let mut world = World::with_broad_phase(bodies.into(), solids, 0.0, kind);
    let spins = [Point::new(3.0, -5.0, 4.0), Point::new(-2.0, 1.0, 6.0)];
    let flights = [Point::new(1.5, 0.0, -0.4), Point::new(-1.2, 0.1, -0.5)];
    for k in 0..2 {
        for node in world.stepper.system().bodies()[k].nodes.clone() {
            let arm = world.state.position[node] - centres[k];
            world.state.velocity[node] = flights[k] + spins[k].cross(&arm);
        }
    }
    world
}

/// Accounts after each step.
fn run(world: &mut World, steps: u32) -> Vec<ElasticAccount> {
    let step = |world: &mut World| {
        world.step(0.005);
        world.account()
    };
    (0..steps).map(|_| step(world)).collect()
}

#[test]
fn energy_stays_to_ten_digits_until_bodies_touch() {
    let mut world = scene(BroadPhaseKind::default());
    let start = world.account();
    let flight = run(&mut world, 14);
    assert_eq!((world.high_order, world.counts.contacts), (world.substeps, 0));
    for now in &flight {
        assert!((now.energy() / start.energy() - 1.0).abs() < 1e-10, "{now:?}, {start:?}");
        assert!((now.momentum - start.momentum).norm() < 1e-12 * start.momentum.norm());
    }
    let strained = flight.iter().map(|now| now.elastic).fold(0.0, f64::max);
    assert!(strained > 1e-3 * start.kinetic, "{strained} of {start:?}");
    let rest = run(&mut world, 86);
    assert_eq!(crossings(&world), 0);
    assert!(world.counts.contacts > 100 && world.high_order < world.substeps, "{:?}", world.counts);
    assert!(world.high_order > world.substeps / 20, "{} of {}", world.high_order, world.substeps);
    // Velocity Verlet swings about the energy while bodies touch.
    let largest = rest.iter().map(ElasticAccount::energy).fold(0.0, f64::max);
    assert!(largest < start.energy() * (1.0 + 1e-3), "{largest}, {start:?}");
}

#[test]
fn bits_do_not_depend_on_the_broad_phase_threads_or_resumes() {
    let mut first = scene(BroadPhaseKind::Brute);
    run(&mut first, 60);
    let found = (first.high_order, first.counts.contacts);
    assert!(found.0 > 10 && found.1 > 50, "{found:?}");
    for (number, kind) in BroadPhaseKind::ALL.into_iter().enumerate() {
        let mut high_order = 0;
        let other = with_threads(1 + number % 3, || {
            let mut world = scene(kind);
            for steps in [3, 20, 2, 35] {
                // All that is kept are the states and the time.
                let mut next = scene(kind);
                next.state = world.state;
                next.time = world.time;
                next.solids.restore(world.solids.body_states());
                run(&mut next, steps);
                high_order += next.high_order;
                world = next;
            }
            world
        });
        assert_eq!(other.state.digest(), first.state.digest(), "{kind:?}");
        assert_eq!(high_order, first.high_order, "{kind:?}");
    }
}

/// Two parallel sheets that spin as one, a little farther apart than their thickness: at this rate
/// their points go farther in a substep than the gap is wide, which does not close.
fn spinning_pair() -> World {
    let (u, v) = (Point::x() * 0.16, Point::y() * 0.16);
    let layer = |(name, z)| {
        let mesh = sheet(Point::new(-0.08, -0.08, z), u, v, [8, 8]).unwrap();
        body(name, mesh, &springs(400.0, 0.0, 0.005), 0.2)
    };
    let bodies = [("low", -0.0027), ("high", 0.0027)].map(layer);
    let solids = super::world::empty();
    let mut world = World::with_broad_phase(bodies.into(), solids, 0.0, BroadPhaseKind::default());
    let spin = Point::new(3.0, 0.0, 6.5);
    let velocities = world.state.position.iter().map(|x| spin.cross(x));
    world.state.velocity = velocities.collect();
    world
}

#[test]
fn bits_of_what_spins_as_one_do_not_depend_on_resumes() {
    let mut whole = spinning_pair();
    run(&mut whole, 40);
    let (mut resumed, mut high_order) = (spinning_pair(), 0);
    for _ in 0..40 {
        let mut next = spinning_pair();
        next.state = resumed.state;
        next.time = resumed.time;
        run(&mut next, 1);
        high_order += next.high_order;
        resumed = next;
    }
    assert_eq!(high_order, whole.high_order);
    assert_eq!(resumed.state.digest(), whole.state.digest());
    println!("{} of {} of high order, {:?}", high_order, whole.substeps, whole.counts);
}
