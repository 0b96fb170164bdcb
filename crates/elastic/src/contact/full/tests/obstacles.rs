//! Bodies against walls, spheres, capsules and meshes.

use super::world::{World, body, crossings, empty, springs};
use crate::contact::{Collisions, ContactError, FullContact, NodeMotion, SolidMotion};
use crate::fixing::Fixing;
use crate::meshing::{ball_surface, rope, sheet};
use crate::stepper::StepError;
use crate::system::ElasticSystem;
use hashfall_core::Vec3;
use hashfall_geometry::{Aabb, Point, Sphere};
use hashfall_search::BroadPhaseKind;
use hashfall_solid::{BodySpec, ContactLaw, KinematicLaw, Solids};

/// A box without walls, and a ball of radius 0.5 about the origin in it.
fn ball_solid(friction: f64) -> Solids {
    let domain = Aabb::new(Vec3::repeat(-10.0), Vec3::repeat(10.0));
    let ball = Sphere { centre: Vec3::zeros(), radius: 0.5 };
    let contact = ContactLaw { friction, ..ContactLaw::default() };
    let spec = BodySpec { spheres: 1, contact, ..BodySpec::default() };
    Solids::new(domain, vec![ball], vec![]).with_bodies(&[spec]).with_open_axes([true; 3])
}

#[test]
fn a_sheet_falls_on_a_ball_and_stays_outside() {
    let thickness = 0.02;
    let mesh = sheet(
        Point::new(-0.6, -0.6, 0.55),
        Point::new(1.2, 0.0, 0.0),
        Point::new(0.0, 1.2, 0.0),
        [16, 16],
    );
    let bodies = vec![body("cloth", mesh.unwrap(), &springs(100.0, 1e-3, thickness), 0.5)];
    let mut world = World::new(bodies, ball_solid(0.5), 9.81);
    let start = world.account().energy();
    for _ in 0..100 {
        world.step(0.01);
        let distance = world.state.position.iter().map(|x| x.norm()).fold(f64::INFINITY, f64::min);
        assert!(distance > 0.5 + 0.5 * thickness * 0.9, "{distance}");
        assert!(world.account().energy() <= start * (1.0 + 1e-9));
    }
}

#[test]
fn a_rope_hangs_from_the_middle_of_the_ball_that_holds_it() {
    // Its first segment goes through the surface.
    for (way, direction) in [Point::x(), Point::new(0.6, 0.0, 0.8)].into_iter().enumerate() {
        let mesh = rope(Point::zeros(), direction * 1.8, 3).unwrap();
        let mut spec = body("rope", mesh, &springs(500.0, 1e-3, 0.02), 0.3);
        spec.fixings = vec![(0, Fixing::Fixed)];
        let mut world = World::new(vec![spec], ball_solid(0.3), 9.81);
        for _ in 0..100 {
            world.step(0.01);
            let distance = |k: usize| world.state.position[k].norm();
            assert!(distance(1) > 0.5 && distance(2) > 0.51, "{way}: {}", distance(2));
        }
        let sunk = direction.z * 1.8 - world.state.position[3].z;
        assert!(sunk > 0.3, "{way}: {sunk}");
    }
}

#[test]
fn a_ball_of_springs_bounces_between_walls_and_never_gains_energy() {
    let mesh = ball_surface(Point::new(0.5, 0.5, 0.4), 0.2, 2).unwrap();
    let bodies = vec![body("ball", mesh, &springs(2000.0, 0.0, 0.02), 0.3)];
    let solids = Solids::new(Aabb::new(Vec3::zeros(), Vec3::repeat(1.0)), vec![], vec![]);
    let mut world = World::new(bodies, solids, 9.81);
    world.state.velocity.iter_mut().for_each(|v| *v = Point::new(1.0, 0.3, 0.0));
    let start = world.account().energy();
    for _ in 0..50 {
        world.step(0.01);
        let account = world.account();
        assert!(account.energy() <= start * (1.0 + 1e-9));
        let low = world.state.position.iter().map(|x| x.min()).fold(f64::INFINITY, f64::min);
        assert!(low > 0.01 * (1.0 - 1e-9), "{low}");
    }
    assert!(world.counts.contacts > 1000 && world.account().energy() < 0.9 * start);
}

/// A stiff plate of springs on a slope, by tilted gravity; returns its speed after a second.
fn slide(friction: f64, tangent: f64) -> (f64, f64) {
    let angle = tangent.atan();
    let (u, v) = (Point::x() * 0.4, Point::y() * 0.4);
    let mesh = sheet(Point::new(-2.0, -0.2, 0.0051), u, v, [4, 4]).unwrap();
    let bodies = vec![body("plate", mesh, &springs(500.0, 1e-3, 0.01), friction)];
    let domain = Aabb::new(Vec3::new(-9.0, -1.0, 0.0), Vec3::new(9.0, 1.0, 1.0));
    let law = ContactLaw { friction, ..ContactLaw::default() };
    let solids = Solids::new(domain, vec![], vec![]).with_walls([law; 6]);
    let mut world = World::new(bodies, solids, 0.0);
    world.gravity = Point::new(9.81 * angle.sin(), 0.0, -9.81 * angle.cos());
    let mut half = 0.0;
    for step in 0..100 {
        world.step(0.01);
        half = if step == 49 { mean_speed(&world) } else { half };
    }
    (half, mean_speed(&world))
}

fn mean_speed(world: &World) -> f64 {
    let sum: f64 = world.state.velocity.iter().map(|v| v.x).sum();
    sum / world.state.velocity.len() as f64
}

#[test]
fn a_plate_on_a_slope_sticks_below_the_angle_of_friction_and_slides_above() {
    for (friction, tangent) in [(0.5, 0.48), (0.5, 0.6), (0.2, 0.5), (0.0, 0.3)] {
        let (half, end) = slide(friction, tangent);
        let angle = f64::atan(tangent);
        let expected = (9.81 * (angle.sin() - friction * angle.cos())).max(0.0);
        let found = (end - half) / 0.5;
        assert!((found - expected).abs() <= 0.01 * expected + 1e-9, "{found} for {expected}");
        assert!(expected > 0.0 || end.abs() < 0.02, "it sticks: {end}");
    }
}

#[test]
fn a_blade_that_turns_fast_is_met_where_the_box_of_its_chord_is_not() {
    // A thin vertical plate that turns by 170° in a step, and a rope in the plane across its way.
    let plate = Aabb::new(Vec3::new(-0.6, -0.01, -0.3), Vec3::new(0.6, 0.01, 0.3));
    let domain = Aabb::new(Vec3::repeat(-5.0), Vec3::repeat(5.0));
    let spin = KinematicLaw::spin([0.0; 3], [0.0, 0.0, 1.0], 170.0 / 0.05 / 6.0);
    let mesh = hashfall_geometry::shape::box_mesh(&plate);
    let spec = BodySpec { meshes: 1, ..BodySpec::default() };
    let solids = Solids::new(domain, vec![], vec![mesh])
        .with_bodies(&[spec])
        .with_kinematic_laws(vec![Some(spin)])
        .with_open_axes([true; 3]);
    let rope = rope(Point::new(0.0, 0.35, -0.1), Point::new(0.0, 0.35, 0.1), 4).unwrap();
    let bodies = vec![body("rope", rope, &springs(300.0, 1e-3, 0.02), 0.0)];
    let mut world = World::new(bodies, solids, 0.0);
    for _ in 0..4 {
        world.step(0.05);
        assert_eq!(crossings(&world), 0);
    }
    // It was hit, by a blade that moves at 60 rad/s × 0.35 m there.
    let speed = world.account().momentum.norm() / world.stepper.system().mass().iter().sum::<f64>();
    assert!(speed > 10.0, "{speed}");
}

#[test]
fn a_sheet_between_walls_that_close_is_refused_with_the_place() {
    let domain = Aabb::new(Vec3::repeat(-5.0), Vec3::repeat(5.0));
    let block = |low: f32, high: f32| {
        let half = Aabb::new(Vec3::new(-1.0, -1.0, low as _), Vec3::new(1.0, 1.0, high as _));
        hashfall_geometry::shape::box_mesh(&half)
    };
    let law = |sign: f64| KinematicLaw::driven([0.0, 0.0, sign]);
    let spec = BodySpec { meshes: 1, ..BodySpec::default() };
    let mut solids = Solids::new(domain, vec![], vec![block(-0.5, -0.1), block(0.1, 0.5)])
        .with_bodies(&[spec; 2])
        .with_kinematic_laws(vec![Some(law(-1.0)), Some(law(1.0))])
        .with_open_axes([true; 3]);
    for (number, sign) in [(1, -1.0), (2, 1.0)] {
        let down = Point::new(0.0, 0.0, -sign);
        solids.set_body_velocity(number, down, Point::zeros()).unwrap();
    }
    let (u, v) = (Point::x() * 0.4, Point::y() * 0.4);
    let mesh = sheet(Point::new(-0.2, -0.2, 0.0), u, v, [4, 4]).unwrap();
    let bodies = vec![body("sheet", mesh, &springs(500.0, 1e-3, 0.02), 0.1)];
    let mut world = World::new(bodies, solids, 0.0);
    for step in 0..20 {
        match world.try_step(0.01) {
            Ok(()) => assert!(step < 10, "the blocks have met"),
            Err(error) => {
                println!("{error} after {step}");
                assert!(step >= 8, "{error} in step {step}");
                let is_pinched = matches!(
                    error,
                    StepError::Contact(ContactError::Pinched { place, .. })
                        if place[2].abs() < 0.02 && place[0].abs() <= 0.21
                );
                assert!(is_pinched, "{error}");
                return;
            }
        }
    }
    panic!("nothing was refused");
}

#[test]
fn a_node_that_is_nowhere_is_refused() {
    let mesh = sheet(Point::zeros(), Point::x(), Point::y(), [2, 2]).unwrap();
    let bodies = vec![body("sheet", mesh, &springs(1.0, 0.0, 0.01), 0.0)];
    let system = ElasticSystem::new(bodies).unwrap();
    let kind = BroadPhaseKind::default();
    let mut contact = FullContact::new(&system, &empty(), kind);
    for bad in [f64::NAN, f64::INFINITY, 1e38] {
        let (mut position, mut velocity) =
            (system.start().position.clone(), system.start().velocity.clone());
        let mut resolve = |position: &[Point]| {
            let (inverse_mass, solids) = (system.inverse_mass(), SolidMotion::default());
            let motion = NodeMotion { position, inverse_mass, time: 0.0, dt: 1e-3, solids };
            contact.resolve(&motion, &mut velocity)
        };
        assert_eq!(resolve(&position), Ok(1.0));
        position[5].y = bad;
        let refused = resolve(&position).unwrap_err();
        assert!(matches!(refused, ContactError::NotFinite { node: 5, .. }), "{refused}");
    }
}
