//! What contact does to energy and angular momentum over many substeps.

use super::world::{World, body, crossings, empty, springs};
use crate::meshing::ball_surface;
use hashfall_geometry::Point;

/// Two balls of springs that a central field presses together, and that roll on each other.
fn two_balls() -> World {
    let ball = |name, x: f64| {
        let mesh = ball_surface(Point::x() * x, 0.1, 1).unwrap();
        body(name, mesh, &springs(500.0, 0.0, 0.02), 0.0)
    };
    let mut world = World::new(vec![ball("left", -0.13), ball("right", 0.13)], empty(), 0.0);
    world.pull = 100.0;
    let spin = Point::new(1.0, 2.0, 3.0);
    for (x, v) in world.state.position.iter().zip(&mut world.state.velocity) {
        let centre = Point::x() * 0.13 * x.x.signum();
        *v = Point::y() * 0.5 * x.x.signum() + spin.cross(&(x - centre));
    }
    world
}

/// The energy of the balls, that of the field too \[J\].
fn energy(world: &World) -> f64 {
    let nodes = world.stepper.system().mass().iter().zip(&world.state.position);
    let field: f64 = nodes.map(|(m, x)| 0.5 * m * world.pull * x.norm_squared()).sum();
    world.account().energy() + field
}

/// Rolls the balls for this number of substeps; angular momentum stays, and energy does not grow.
fn roll(substeps: u64) {
    let mut world = two_balls();
    let (start, at_start) = (world.account(), energy(&world));
    let (mut most, mut turned) = (0.0, 0.0);
    let mut next = 0;
    while world.substeps < substeps {
        world.step(0.01);
        most = f64::max(most, energy(&world) / at_start);
        let change = (world.account().angular_momentum - start.angular_momentum).norm();
        turned = change / start.angular_momentum.norm();
        if world.substeps >= next {
            println!(
                "{} substeps: energy {:.6}, most 1 + {:.1e}, angular momentum {turned:.1e}; {:?}",
                world.substeps,
                energy(&world) / at_start,
                most - 1.0,
                world.counts
            );
            next += substeps / 5;
        }
        assert_eq!(crossings(&world), 0);
        assert!(most < 1.0 + 1e-4, "{most}");
    }
    assert!(world.counts.contacts > substeps / 4, "{:?}", world.counts);
    assert!(turned < 1e-3, "{turned}");
}

#[test]
fn balls_that_roll_on_each_other_keep_their_angular_momentum() {
    roll(3000);
}

#[test]
#[ignore = "a minute: 10⁵ substeps"]
fn balls_keep_their_angular_momentum_for_long() {
    roll(100_000);
}
