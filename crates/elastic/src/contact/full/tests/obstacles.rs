//! Bodies against walls, spheres, capsules and meshes.

use super::world::{World, body, springs};
use crate::meshing::{ball_surface, sheet};
use hashfall_core::Vec3;
use hashfall_geometry::{Aabb, Point, Sphere};
use hashfall_solid::{BodySpec, ContactLaw, Solids};

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
