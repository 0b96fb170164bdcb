//! A rope that is drawn over a bar, against the formula of Euler and Eytelwein.

use super::world::{World, body, crossings, springs};
use crate::mesh::ElasticMesh;
use crate::system::BodySpec;
use hashfall_core::Vec3;
use hashfall_geometry::{Aabb, Point, RoundSolid};
use hashfall_solid::{BodySpec as SolidSpec, ContactLaw, Solids};
use std::f64::consts::PI;

const LINE_RADIUS: f64 = 0.005;
const BAR_RADIUS: f64 = 0.1;
const FRICTION: f64 = 0.25;

/// How long the right end has to hang for the rope to slip, for a left end of a length \[m\].
///
/// Euler and Eytelwein, with the rope's weight: dT/dθ = μ (T − sin θ) + cos θ, from the left
/// tangent to the right one, with T in units of the weight of a piece as long as the radius.
fn limit(left: f64) -> f64 {
    let (radius, steps) = (BAR_RADIUS + LINE_RADIUS, 100_000);
    let step = PI / f64::from(steps);
    let tension = (0..steps).fold(left / radius, |tension, k| {
        let angle = (f64::from(k) + 0.5) * step;
        tension + step * (FRICTION * (tension - angle.sin()) + angle.cos())
    });
    tension * radius
}

/// A rope over a bar, whose ends hang on both sides; returns how fast its right end sinks after
/// 0.6 s \[m/s\].
fn draw(left: f64, right: f64) -> f64 {
    let (radius, piece) = (BAR_RADIUS + LINE_RADIUS * 1.001, 0.01);
    let arc = PI * radius;
    let count = ((left + arc + right) / piece).ceil() as u32;
    let place = |k: u32| {
        let way = (left + arc + right) * f64::from(k) / f64::from(count) - left;
        let angle = (way / radius).clamp(0.0, PI);
        let below = if way < 0.0 { way } else { -(way - arc).max(0.0) };
        // Chords touch the bar in their middles.
        let radius = radius / (0.5 * piece / radius).cos();
        Point::new(-radius * angle.cos(), 0.0, radius * angle.sin() + below)
    };
    let mesh = ElasticMesh {
        nodes: (0..=count).map(place).collect(),
        segments: (0..count).map(|k| [k, k + 1]).collect(),
        ..ElasticMesh::default()
    };
    let rope = body("rope", mesh, &springs(2e3, 1e-4, 2.0 * LINE_RADIUS), FRICTION);
    let contact = ContactLaw { friction: FRICTION, ..ContactLaw::default() };
    let bar = RoundSolid::capsule(Point::y() * -0.5, Point::y() * 0.5, BAR_RADIUS);
    let solids = Solids::new(Aabb::new(Vec3::repeat(-9.0), Vec3::repeat(9.0)), vec![], vec![])
        .with_rounds(vec![bar])
        .with_bodies(&[SolidSpec { rounds: 1, contact, ..SolidSpec::default() }])
        .with_open_axes([true; 3]);
    let mut world = World::new(vec![BodySpec { damping_rate: 2.0, ..rope }], solids, 9.81);
    (0..60).for_each(|_| world.step(0.01));
    assert_eq!(crossings(&world), 0);
    let speed = -world.state.velocity[count as usize].z;
    println!("{right} m: {speed} m/s, {} substeps, {:?}", world.substeps, world.counts);
    speed
}

#[test]
fn a_rope_over_a_bar_sticks_below_the_limit_of_euler_and_eytelwein_and_slips_at_1_4_of_it() {
    let left = 0.2;
    let limit = limit(left);
    println!("slips from {limit} m");
    assert!(limit > 2.0 * left);
    // It swings by some 0.02 m/s where it sticks.
    let below = draw(left, 0.95 * limit);
    assert!(below.abs() < 0.05, "{below}");
    // Sweeps that have not converged leave too much friction: it slips between 1.15 and 1.2 of it.
    let above = draw(left, 1.4 * limit);
    assert!(above > 0.3, "{above}");
}
