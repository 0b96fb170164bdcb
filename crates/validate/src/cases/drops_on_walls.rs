//! Drops on upright walls with hysteresis of their contact angle: one that weighs less than what
//! its lines hold, and one that weighs more.
//!
//! In the plane a drop has two lines, of which the lower one is held at the advancing angle at the
//! most and the upper one at the receding one at the least (Furmidge 1962):
//!
//! - m g ≤ σ (cos θ_r − cos θ_a)
//!
//! Symbols: σ tension \[N/m\], m mass of a metre of the drop \[kg/m\].

use super::panels::{measured_line, over_time};
use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_core::{parallel, to_f64};
use hashfall_output::curves::Curve;
use hashfall_sph::world::World;

/// The case.
pub const CASE: Case = Case {
    name: "drops_on_walls",
    about: "A drop hangs on a wall below Furmidge's limit, and slides above it",
    scene: include_str!("../../scenes/drops_on_walls.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Drops::default()),
};

/// How far a drop may sink that hangs, and how far one that slides sinks at the least, over its
/// radius.
const HANGS: f64 = 0.05;
const SLIDES: f64 = 1.0;

/// What is told of each, on the left and on the right.
const NAMES: [&str; 2] = ["way down at 0.85 of the limit, over R", "the same at 1.15"];

#[derive(Default)]
struct Drops {
    /// Time \[s\] and mean height \[m\] of both.
    heights: [Vec<[f64; 2]>; 2],
}

impl Watch for Drops {
    fn sample(&mut self, world: &World) {
        let places = &world.particles.position;
        for (side, heights) in [-1.0, 1.0].into_iter().zip(&mut self.heights) {
            let [count, height] = parallel::sum(places.len(), |i| {
                let [x, _, z] = to_f64(&places[i]);
                if x * side > 0.0 { [1.0, z] } else { [0.0; 2] }
            });
            heights.push([world.time, height / count]);
        }
    }

    fn findings(&self, _: &Samples) -> Findings {
        let goals = [Goal::AtMost(HANGS), Goal::AtLeast(SLIDES)];
        let way = |heights: &[[f64; 2]]| match (heights.first(), heights.last()) {
            (Some([_, first]), Some([_, last])) => first - last,
            _ => f64::NAN,
        };
        let rows = NAMES.into_iter().zip(goals).zip(&self.heights);
        let measured = rows.map(|((quantity, goal), heights)| Measured {
            quantity,
            value: way(heights),
            reference: None,
            goal,
            unit: "",
        });
        let measured = measured.collect();
        let lines = ["0.85 of the limit", "1.15"].into_iter().zip(self.heights.clone());
        let lines = lines.map(|(name, heights)| measured_line(name, Curve::new(heights))).collect();
        Findings { measured, panels: vec![over_time("Height", "m", lines)] }
    }
}
