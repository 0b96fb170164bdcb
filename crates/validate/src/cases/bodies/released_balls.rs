//! Two balls under water that are let go: the one that is lighter than water rises, the one that is
//! heavier sinks, though it is by 1 % only.
//!
//! The way that each goes is given in spacings; a fifth of one is above what the lattice does.

use super::track::Track;
use crate::cases::panels::{measured_line, over_time};
use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_output::curves::Curve;
use hashfall_sph::world::World;

/// The case.
pub const CASE: Case = Case {
    name: "released_balls",
    about: "Balls let go under water rise at 990 kg/m³ and sink at 1010",
    scene: include_str!("../../../scenes/released_balls.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Balls { tracks: [Track::new(1), Track::new(2)], spacing: f64::NAN }),
};

/// The least way \[spacings\].
const WAY: f64 = 0.2;

struct Balls {
    tracks: [Track; 2],
    /// Spacing d \[m\].
    spacing: f64,
}

impl Watch for Balls {
    fn sample(&mut self, world: &World) {
        self.spacing = f64::from(world.spacing());
        for track in &mut self.tracks {
            track.push(world);
        }
    }

    fn findings(&self, _: &Samples) -> Findings {
        let ways = [0, 1].map(|ball: usize| {
            let height = self.tracks[ball].height();
            let start = height.points().first().map_or(f64::NAN, |point| point[1]);
            height.map(|[t, z]| [t, (z - start) / self.spacing])
        });
        let last = |way: &Curve| way.points().last().map_or(f64::NAN, |point| point[1]);
        let way = |quantity, value, goal| Measured {
            quantity,
            value,
            reference: None,
            goal,
            unit: "spacings",
        };
        let measured = vec![
            way("way of the ball of 990 kg/m³", last(&ways[0]), Goal::AtLeast(WAY)),
            way("way of the ball of 1010 kg/m³", last(&ways[1]), Goal::AtMost(-WAY)),
        ];
        let [light, heavy] = ways;
        let lines = vec![measured_line("990 kg/m³", light), measured_line("1010 kg/m³", heavy)];
        let panels = vec![over_time("Way upwards", "way [spacings]", lines)];
        Findings { measured, panels }
    }
}
