//! Bodies against each other and against themselves.

use super::world::{World, body, crossings, empty, springs};
use crate::meshing::sheet;
use crate::system::BodySpec;
use hashfall_core::geometry::random::Random;
use hashfall_geometry::Point;

/// A square sheet of an edge about a centre, in the plane of u and v.
fn square(name: &str, centre: Point, [u, v]: [Point; 2], cells: u32, friction: f64) -> BodySpec {
    let mesh = sheet(centre - (u + v) * 0.5, u, v, [cells, cells]).unwrap();
    body(name, mesh, &springs(200.0, 1e-3, 0.01), friction)
}

#[test]
fn two_sheets_that_meet_keep_momentum_and_angular_momentum() {
    let axes = [Point::x(), Point::y()];
    let turned = [Point::new(0.8, 0.6, 0.1), Point::new(-0.6, 0.8, 0.2)];
    let bodies = vec![
        square("low", Point::zeros(), axes, 8, 0.0),
        square("high", Point::new(0.1, 0.2, 0.3), turned, 8, 0.0),
    ];
    let mut world = World::new(bodies, empty(), 0.0);
    let nodes = world.state.velocity.len();
    world.state.velocity[nodes / 2..].iter_mut().for_each(|v| *v = Point::new(0.3, 0.0, -3.0));
    let start = world.account();
    let scale = start.momentum.norm();
    let mut energy = start.energy();
    for _ in 0..30 {
        world.step(0.01);
        let account = world.account();
        let lost = (account.momentum - start.momentum).norm() / scale;
        let turned = (account.angular_momentum - start.angular_momentum).norm() / scale;
        println!(
            "{:.2}: {lost:.2e} {turned:.2e} {}",
            world.time,
            account.energy() / start.energy()
        );
        assert!(lost < 1e-12 && turned < 1e-5, "{lost} {turned}");
        assert!(account.energy() <= energy * (1.0 + 1e-4));
        energy = account.energy();
        assert_eq!(crossings(&world), 0);
    }
    assert!(world.counts.contacts > 300 && energy < 0.9 * start.energy());
}

#[test]
fn a_sheet_that_is_pulled_into_a_ball_does_not_cross_itself() {
    let mut random = Random::new(5);
    let mut world = World::new(
        vec![square("cloth", Point::zeros(), [Point::x(), Point::y()], 14, 0.3)],
        empty(),
        0.0,
    );
    for (x, v) in world.state.position.iter().zip(&mut world.state.velocity) {
        *v = -x * 8.0 + random.point(-0.5, 0.5);
    }
    let start = world.account().energy();
    let mut energy = start;
    for _ in 0..60 {
        world.step(0.01);
        let now = world.account().energy();
        assert_eq!(crossings(&world), 0);
        assert!(now <= energy * (1.0 + 1e-3));
        energy = now;
    }
    assert!(world.counts.contacts > 3000 && energy < 0.3 * start, "{energy} of {start}");
}
