//! A ball that sinks in oil: its largest speed.
//!
//! ten Cate, Nieuwstad, Derksen & Van den Akker, Particle imaging velocimetry experiments and
//! lattice-Boltzmann simulations on a single sphere settling under gravity, Phys. Fluids 14 (2002):
//! 0.038 m/s times 0.947 at a Reynolds number of 1.5, 0.128 m/s times 0.955 at 31.9; the first is
//! the speed in oil without walls by the drag law of Abraham.

use super::track::Track;
use crate::cases::panels::{measured_line, over_time, reference_line};
use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_output::curves::Curve;
use hashfall_sph::world::World;

/// At a Reynolds number of 1.5.
pub const SLOW: Case = Case {
    name: "sinking_ball_1",
    about: "A ball sinks in oil at a Reynolds number of 1.5 (ten Cate et al. 2002, E1)",
    scene: include_str!("../../../scenes/sinking_ball_1.ron"),
    is_quick: false,
    meshes: &[],
    watch: || Box::new(Ball { track: Track::new(1), speed: 0.038 * 0.947 }),
};

/// At a Reynolds number of 31.9.
pub const FAST: Case = Case {
    name: "sinking_ball_4",
    about: "A ball sinks in oil at a Reynolds number of 32 (ten Cate et al. 2002, E4)",
    scene: include_str!("../../../scenes/sinking_ball_4.ron"),
    is_quick: false,
    meshes: &[],
    watch: || Box::new(Ball { track: Track::new(1), speed: 0.128 * 0.955 }),
};

struct Ball {
    track: Track,
    /// The largest speed in the experiment \[m/s\].
    speed: f64,
}

impl Watch for Ball {
    fn sample(&mut self, world: &World) {
        self.track.push(world);
    }

    fn findings(&self, _: &Samples) -> Findings {
        let speed = self.track.curve(|state| -state.velocity.z);
        let measured = vec![Measured {
            quantity: "largest speed over that of the experiment",
            value: speed.largest() / self.speed,
            reference: Some(1.0),
            goal: Goal::Within(0.97, 1.03),
            unit: "",
        }];
        let end = speed.points().last().map_or(f64::NAN, |point| point[0]);
        let largest = Curve::new(vec![[0.0, self.speed], [end, self.speed]]);
        let lines =
            vec![reference_line("largest, experiment", largest), measured_line("ball", speed)];
        let panels = vec![over_time("Speed downwards", "speed [m/s]", lines)];
        Findings { measured, panels }
    }
}
