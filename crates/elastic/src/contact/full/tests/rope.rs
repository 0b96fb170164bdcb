//! A rope around a bar, against the formula of Euler and Eytelwein: the pull that just moves it is
//! e^(μθ) of that which holds it, with θ the angle by which its direction turns.

use super::world::{World, body, crossings};
use crate::fixing::Fixing;
use crate::material::{Material, SpringMass, SpringStiffness, Springs};
use crate::mesh::ElasticMesh;
use crate::system::BodySpec;
use hashfall_core::Vec3;
use hashfall_geometry::{Aabb, Point, RoundSolid};
use hashfall_solid::{BodySpec as SolidSpec, ContactLaw, KinematicLaw, Solids};
use std::f64::consts::PI;

const LINE_RADIUS: f64 = 0.005;
const BAR_RADIUS: f64 = 0.1;
/// Of the way of the rope's middle line around the bar's axis.
const RADIUS: f64 = (BAR_RADIUS + LINE_RADIUS) * (1.0 + 1e-4);

/// A rope around a bar.
struct Rope {
    friction: f64,
    /// By how much its direction turns about the bar.
    wrap: f64,
    /// How far its ends are from where it leaves the bar \[m\].
    ends: [f64; 2],
    /// The length of its segments, about \[m\].
    segment: f64,
    /// By how much it goes along the bar for each length around it \[–\].
    pitch: f64,
    mass: SpringMass,
    /// k of a piece of 1 m \[N\].
    stiffness: f64,
}

impl Rope {
    /// The number of segments, and the length of one around the bar \[m\].
    fn segments(&self) -> (u32, f64) {
        let around = self.ends[0] + self.wrap * RADIUS + self.ends[1];
        let count = (around / self.segment).ceil();
        (count as u32, around / count)
    }

    /// It comes up at the left of a bar along y, and leaves it by tangents.
    fn nodes(&self) -> Vec<Point> {
        let (count, segment) = self.segments();
        let place = |k: u32| {
            let way = segment * f64::from(k) - self.ends[0];
            let angle = (way / RADIUS).clamp(0.0, self.wrap);
            let outwards = Point::new(-angle.cos(), 0.0, angle.sin());
            let along = Point::new(angle.sin(), 0.0, angle.cos());
            // Chords touch the bar in their middles.
            let radius = RADIUS / (0.5 * segment / RADIUS).cos();
            outwards * radius + along * (way - angle * RADIUS) + Point::y() * (self.pitch * way)
        };
        (0..=count).map(place).collect()
    }

    fn spring(&self) -> f64 {
        self.stiffness / self.segments().1
    }

    fn body(&self) -> BodySpec {
        let nodes = self.nodes();
        let segments = (1..nodes.len() as u32).map(|k| [k - 1, k]).collect();
        let mesh = ElasticMesh { nodes, segments, ..ElasticMesh::default() };
        let material = Material::Springs(Springs {
            stiffness: SpringStiffness::PerSpring(self.spring()),
            across: 0.0,
            mass: self.mass,
            thickness: 2.0 * LINE_RADIUS,
            damping_time: 2e-4,
        });
        body("rope", mesh, &material, self.friction)
    }

    /// The bar, after a body; both are driven.
    fn solids(&self) -> Solids {
        let contact = ContactLaw { friction: self.friction, ..ContactLaw::default() };
        let bar = RoundSolid::capsule(Point::y() * -0.5, Point::y() * 0.5, BAR_RADIUS);
        let domain = Aabb::new(Vec3::repeat(-9.0), Vec3::repeat(9.0));
        let bodies =
            [SolidSpec::default(), SolidSpec { rounds: 1, contact, ..SolidSpec::default() }];
        Solids::new(domain, vec![], vec![])
            .with_rounds(vec![bar])
            .with_bodies(&bodies)
            .with_kinematic_laws(vec![Some(KinematicLaw::driven([0.0; 3])); 2])
            .with_open_axes([true; 3])
    }
}

/// Draws one end of a rope whose other end is fixed with 0.02 m/s for 1 s, and returns the ratio
/// of the pulls at both ends over that of Euler and Eytelwein, a mean of the last half. The bar
/// stands, or spins so that its surface goes the rope's way as fast as this \[m/s\]: then the
/// fixed end has the greater pull.
fn drawn(rope: &Rope, surface: f64) -> f64 {
    let (mut spec, mut solids) = (rope.body(), rope.solids());
    let rest = spec.mesh.nodes.clone();
    let last = rest.len() - 1;
    let tied = Fixing::Tied { body: 0, local: rest[last] };
    spec.fixings = vec![(0, Fixing::Fixed), (last as u32, tied)];
    let pull = (rest[last] - rest[last - 1]).normalize() * 0.02;
    solids.set_body_velocity(1, pull, Point::zeros()).unwrap();
    solids.set_body_velocity(2, Point::zeros(), Point::y() * (surface / BAR_RADIUS)).unwrap();
    let mut world = World::new(vec![spec], solids, 0.0);
    let (mut sum, steps) = (0.0, 100);
    for step in 0..steps {
        world.step(0.01);
        let tension = |k: usize| {
            let length = |x: &[Point]| (x[k + 1] - x[k]).norm();
            rope.spring() * (length(&world.state.position) - length(&rest))
        };
        let mean = |ends: &[usize]| ends.iter().map(|k| tension(*k)).sum::<f64>();
        let few: Vec<usize> = (0..(0.9 * rope.ends[0] / rope.segment) as usize).collect();
        let others: Vec<usize> = few.iter().map(|k| last - 1 - k).collect();
        if 2 * step >= steps {
            let ratio = (mean(&others) / mean(&few)).ln() / f64::from(steps / 2);
            sum += if surface > 0.0 { -ratio } else { ratio };
        }
    }
    assert_eq!(crossings(&world), 0);
    // A helix bends by cos² of its slope, along a way that is longer by 1/cos.
    let turn = rope.wrap * rope.pitch.atan().cos();
    let ratio = (sum - rope.friction * turn).exp();
    let substeps = world.substeps as f64;
    println!(
        "μ {}, θ {:.2}, segments of {} m: {:.4} of {:.4}; {:.1} sweeps, {:.1} contacts a substep",
        rope.friction,
        rope.wrap,
        rope.segment,
        ratio,
        (rope.friction * turn).exp(),
        world.counts.sweeps as f64 / substeps,
        world.counts.contacts as f64 / substeps
    );
    ratio
}

/// A rope whose ends are 0.1 m from the bar.
fn rope(friction: f64, wrap: f64, segment: f64) -> Rope {
    let (ends, mass) = ([0.1; 2], SpringMass::Density(1000.0));
    Rope { friction, wrap, ends, segment, pitch: 0.19, mass, stiffness: 20.0 }
}

#[test]
fn a_rope_that_is_drawn_around_a_bar_resists_as_euler_and_eytelwein_say() {
    // The second has nodes of a tenth of the mass.
    let light = Rope { mass: SpringMass::PerNode(8e-5), ..rope(0.5, PI, 0.01) };
    for rope in [rope(0.25, 2.0 * PI, 0.01), light] {
        let ratio = drawn(&rope, 0.0);
        assert!((ratio - 1.0).abs() < 0.005, "{ratio}");
    }
}

#[test]
fn a_bar_that_spins_about_its_axis_drags_a_rope_as_euler_and_eytelwein_say() {
    let rope = Rope { pitch: 0.0, ..rope(0.25, PI, 0.01) };
    let ratio = drawn(&rope, 0.5);
    assert!((ratio - 1.0).abs() < 0.01, "{ratio}");
}

#[test]
#[ignore = "a minute: the table of all"]
fn ropes_that_are_drawn_around_a_bar() {
    for friction in [0.1, 0.25, 0.5] {
        for wrap in [0.5, 1.0, 2.0].map(|turns| turns * PI) {
            for segment in [0.02, 0.01, 0.005] {
                drawn(&rope(friction, wrap, segment), 0.0);
            }
        }
        let limit = limit(friction, 0.2);
        for share in [0.97, 0.99, 1.01, 1.03] {
            hang(friction, 0.2, share * limit);
        }
    }
}

/// How long the right end has to hang for the rope to slip, for a left end of a length \[m\].
///
/// Euler and Eytelwein, with the rope's weight, which presses it on the bar, too: dT/dθ =
/// μ (T + sin θ) + cos θ, from the left tangent to the right one, with T in units of the weight of
/// a piece as long as the radius.
fn limit(friction: f64, left: f64) -> f64 {
    let steps = 100_000;
    let step = PI / f64::from(steps);
    let tension = (0..steps).fold(left / RADIUS, |tension, k| {
        let angle = (f64::from(k) + 0.5) * step;
        tension + step * (friction * (tension + angle.sin()) + angle.cos())
    });
    tension * RADIUS
}

/// A rope over a bar, whose ends hang on both sides while it slowly becomes heavy; returns how fast
/// its right end sinks at last \[m/s\].
fn hang(friction: f64, left: f64, right: f64) -> f64 {
    let ends = [left, right];
    let rope = Rope { ends, pitch: 0.0, ..rope(friction, PI, 0.01) };
    let spec = BodySpec { damping_rate: 2.0, ..rope.body() };
    let last = spec.mesh.nodes.len() - 1;
    let mut world = World::new(vec![spec], rope.solids(), 0.0);
    for step in 1..=120 {
        world.gravity = Point::z() * (-9.81 * (0.01 * f64::from(step)).min(1.0));
        world.step(0.01);
    }
    assert_eq!(crossings(&world), 0);
    let speed = -world.state.velocity[last].z;
    println!("{right} m: {speed} m/s, {} substeps, {:?}", world.substeps, world.counts);
    speed
}

#[test]
fn a_rope_over_a_bar_sticks_below_the_limit_of_euler_and_eytelwein_and_slips_above() {
    let (friction, left) = (0.25, 0.2);
    let limit = limit(friction, left);
    println!("slips from {limit} m");
    assert!(limit > 2.5 * left);
    let below = hang(friction, left, 0.97 * limit);
    assert!(below.abs() < 0.01, "{below}");
    let above = hang(friction, left, 1.03 * limit);
    assert!(above > 0.1, "{above}");
}
