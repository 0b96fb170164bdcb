//! Balls that are held under water: the force on each is the weight of the water that it displaces,
//! wherever it is in the lattice.

use crate::cases::panels::{measured_line, over_time, reference_line};
use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_bodies::Wrench;
use hashfall_output::curves::Curve;
use std::f64::consts::PI;

/// The case.
pub const CASE: Case = Case {
    name: "held_balls",
    about: "Balls that are held under water bear the weight that they displace",
    scene: include_str!("../../../scenes/held_balls.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Balls::default()),
};

/// Radius \[m\], and the specific weight of water \[N/m³\].
const RADIUS: f64 = 0.1;
const SPECIFIC_WEIGHT: f64 = 9810.0;
/// Forces count from then on \[s\].
const FROM: f64 = 0.55;
/// What is measured of each.
const FORCES: [&str; 3] = [
    "force over the displaced weight, in the lattice",
    "a quarter of a spacing off it",
    "half a spacing off it",
];

#[derive(Default)]
struct Balls {
    /// Time \[s\] and mean force \[N\] of each frame, of each ball.
    forces: [Vec<(f64, [f64; 3])>; 3],
}

fn weight() -> f64 {
    SPECIFIC_WEIGHT * 4.0 / 3.0 * PI * RADIUS.powi(3)
}

impl Watch for Balls {
    fn forces(&mut self, time: f64, forces: &[Wrench]) {
        // Those on the walls come first.
        for (own, wrench) in self.forces.iter_mut().zip(&forces[1..]) {
            own.push((time, wrench.force.into()));
        }
    }

    fn findings(&self, _: &Samples) -> Findings {
        let curve = |ball: usize, of: fn(&[f64; 3]) -> f64| {
            let points = self.forces[ball].iter().map(|(t, force)| [*t, of(force) / weight()]);
            Curve::new(points.collect())
        };
        let late = |curve: Curve| curve.part(FROM, f64::INFINITY).mean();
        let mut measured: Vec<Measured> = (0..3)
            .map(|ball| Measured {
                quantity: FORCES[ball],
                value: late(curve(ball, |force| force[2])),
                reference: Some(1.0),
                goal: Goal::Within(0.99, 1.01),
                unit: "",
            })
            .collect();
        let sideways = |ball| {
            let [x, y] = [curve(ball, |force| force[0]), curve(ball, |force| force[1])];
            late(x).hypot(late(y))
        };
        measured.push(Measured {
            quantity: "largest force sideways over the weight",
            value: (0..3).map(sideways).fold(0.0, f64::max),
            reference: None,
            goal: Goal::AtMost(0.01),
            unit: "",
        });
        let end = self.forces[0].last().map_or(f64::NAN, |last| last.0);
        let exact = Curve::new(vec![[0.0, 1.0], [end, 1.0]]);
        let mut lines = vec![reference_line("displaced weight", exact)];
        for (ball, label) in ["in the lattice", "a quarter off", "half off"].into_iter().enumerate()
        {
            lines.push(measured_line(label, curve(ball, |force| force[2])));
        }
        let panels = vec![over_time("Force upwards", "force over the weight", lines)];
        Findings { measured, panels }
    }
}
