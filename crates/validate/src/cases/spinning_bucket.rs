//! A bucket that spins, seen from inside: gravity and the centrifugal acceleration hold water in
//! the shape of a paraboloid.

use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_output::curves::Curve;
use hashfall_output::plot::{Line, Panel};
use hashfall_sph::world::World;
use std::f64::consts::TAU;

/// The case.
pub const CASE: Case = Case {
    name: "spinning_bucket",
    about: "Water in a bucket that spins has the surface of a paraboloid",
    scene: include_str!("../../scenes/spinning_bucket.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Bucket),
};

/// The gauges, and how far each is from the axis \[m\].
const GAUGES: [(&str, f64); 5] = [
    ("r = 0", 0.0),
    ("r = 0.05 m", 0.05),
    ("r = 0.1 m", 0.1),
    ("r = 0.15 m", 0.15),
    ("r = 0.15 m, along y", 0.15),
];
const DEPTH: f64 = 0.16;
const EDGE: f64 = 0.4;
const SPACING: f64 = 0.02;
const SPIN: f64 = TAU;
const GRAVITY: f64 = 9.81;
/// The water has come to rest by then \[s\].
const FROM: f64 = 3.0;

struct Bucket;

/// The level at a distance from the axis \[m\].
fn level(r: f64) -> f64 {
    let mean_square = EDGE * EDGE / 6.0;
    DEPTH + SPIN * SPIN * (r * r - mean_square) / (2.0 * GRAVITY)
}

impl Watch for Bucket {
    fn sample(&mut self, _: &World) {}

    fn findings(&self, samples: &Samples) -> Findings {
        let late = |gauge| samples.curve(gauge).part(FROM, f64::INFINITY).mean();
        let errors = GAUGES.map(|(gauge, r)| (late(gauge) - level(r)) / SPACING);
        let mean_square = errors.iter().map(|e| e * e).sum::<f64>() / errors.len() as f64;
        let measured = vec![Measured {
            quantity: "error of the level, RMS of five gauges, over the spacing",
            value: mean_square.sqrt(),
            reference: None,
            goal: Goal::AtMost(0.25),
            unit: "",
        }];
        let line =
            |(gauge, r)| {
                let constant = Curve::new(vec![[0.0, level(r)], [FROM + 1.0, level(r)]]);
                [(false, samples.curve(gauge)), (true, constant)]
                    .map(|(is_reference, curve)| Line { label: gauge, is_reference, curve })
            };
        let lines = GAUGES.into_iter().flat_map(line).collect();
        let panels = vec![Panel {
            title: "Level, and that of the paraboloid",
            x: "time [s]",
            y: "level [m]",
            log: false,
            lines,
        }];
        Findings { measured, panels }
    }
}
