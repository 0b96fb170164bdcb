//! A body of each kind that swings, with damping: how fast it decays, and its frequency.
//!
//! A mode of angular frequency ω decays as e^(−γ t), γ = α/2 + β ω²/2, and swings with ω_d =
//! √(ω² − γ²). Both are fitted to how far the nodes have gone in about the shape of the mode,
//! weighted by mass, after each step. What else the start excites dies out before the fits begin.

use super::swing::Swing;
use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_sph::step::StepReport;
use hashfall_sph::world::World;

/// The case.
pub const CASE: Case = Case {
    name: "elastic_damping",
    about: "Springs, a rope, a shell and a solid swing and decay as their damping says",
    scene: include_str!("../../../scenes/elastic_damping.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Damping::default()),
};

/// Of each body: α \[1/s\] and β \[s\].
const BODIES: [(&str, f64, f64); 5] = [
    ("decay of a spring over the closed form", 0.0, 0.005),
    ("decay of a spring in air over the closed form", 4.0, 0.0),
    ("decay of a rope over the closed form", 0.0, 0.005),
    ("decay of a shell over the closed form", 0.0, 0.005),
    ("decay of a solid over the closed form", 0.0, 0.005),
];
/// How many of them are springs.
const SPRINGS: usize = 2;
/// √(k/m) of these \[1/s\].
const OMEGA: f64 = 20.0;
/// When fits begin \[s\].
const START: f64 = 0.4;

#[derive(Default)]
struct Damping {
    /// q of each body, by step.
    moved: Vec<[f64; BODIES.len()]>,
    /// When the first and the last of these were \[s\].
    times: [f64; 2],
}

impl Watch for Damping {
    fn step(&mut self, world: &World, _: &StepReport) {
        let Some(elastic) = &world.elastic else { return };
        if world.time < START {
            return;
        }
        self.times = [if self.moved.is_empty() { world.time } else { self.times[0] }, world.time];
        let (system, x) = (&elastic.system, &elastic.state.position);
        let rest = &system.start().position;
        let mut moved = [0.0; BODIES.len()];
        for (k, body) in system.bodies().iter().enumerate().take(BODIES.len()) {
            let of = |node: usize| {
                let (way, along) = (x[node] - rest[node], rest[node].x);
                let shape = along * along * (1.5 - 0.5 * along);
                system.mass()[node] * if k < SPRINGS { way.x } else { way.z * shape }
            };
            moved[k] = body.nodes.clone().map(of).sum();
        }
        self.moved.push(moved);
    }

    fn findings(&self, _: &Samples) -> Findings {
        let mut measured = vec![];
        let sample = (self.times[1] - self.times[0]) / (self.moved.len() as f64 - 1.0);
        let mut error: f64 = 0.0;
        for (body, &(quantity, alpha, beta)) in BODIES.iter().enumerate() {
            let q: Vec<f64> = self.moved.iter().map(|moved| moved[body]).collect();
            let Swing { angular_frequency: damped, decay } = Swing::fit(&q, sample);
            let square =
                if body < SPRINGS { OMEGA * OMEGA } else { damped * damped + decay * decay };
            let closed = 0.5 * (alpha + beta * square);
            if body < SPRINGS {
                let exact = (square - closed * closed).sqrt();
                let off = (damped / exact - 1.0).abs();
                // What is no number must stay, and miss the goal.
                error = if error.is_nan() || off <= error { error } else { off };
            }
            let goal = Goal::Within(0.99, 1.01);
            let (value, reference) = (decay / closed, Some(1.0));
            measured.push(Measured { quantity, value, reference, goal, unit: "" });
        }
        measured.push(Measured {
            quantity: "largest error of a spring's damped frequency",
            value: error,
            reference: None,
            goal: Goal::AtMost(1e-3),
            unit: "",
        });
        Findings { measured, panels: Vec::new() }
    }
}
