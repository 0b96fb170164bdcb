//! A wooden block that is let go at the bottom of a tank rises, leaps out and swings: when and how
//! high it turns, the first two times (Qiu et al. 2017, experiment).

use super::track::{Track, extremes};
use crate::cases::panels::{measured_line, over_time, reference_line};
use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_output::curves::Curve;
use hashfall_sph::world::World;

/// The case.
pub const CASE: Case = Case {
    name: "rising_block",
    about: "A wooden block rises from the bottom and swings (Qiu et al. 2017)",
    scene: include_str!("../../../scenes/rising_block.ron"),
    is_quick: false,
    meshes: &[],
    watch: || Box::new(Block { track: Track::new(1) }),
};

/// The height of its centre \[m\] over time \[s\].
const EXPERIMENT: &str = include_str!("../../../data/qiu_2017_floating_block.csv");
/// When and how high it turns there, \[s\] and \[m\]; and how near the run must come.
const TURNS: [[f64; 2]; 2] = [[0.376, 0.0512], [0.558, 0.0352]];
const NEAR: [f64; 2] = [0.03, 0.002];
/// Above this a turn is one out at the top \[m\].
const HIGH: f64 = 0.03;

struct Block {
    track: Track,
}

/// The first turn above `HIGH` and the next.
fn first_turns(height: &Curve) -> [[f64; 2]; 2] {
    let turns = extremes(height);
    let first = turns.iter().position(|turn| turn[1] > HIGH);
    let turn = |k: usize| first.and_then(|first| turns.get(first + k)).copied();
    [0, 1].map(|k| turn(k).unwrap_or([f64::NAN; 2]))
}

impl Watch for Block {
    fn sample(&mut self, world: &World) {
        self.track.push(world);
    }

    fn findings(&self, _: &Samples) -> Findings {
        let height = self.track.height();
        let [top, bottom] = first_turns(&height);
        let row = |quantity, value, known: f64, near, unit| {
            let goal = Goal::Within(known - near, known + near);
            Measured { quantity, value, reference: Some(known), goal, unit }
        };
        let measured = vec![
            row("time of the first maximum", top[0], TURNS[0][0], NEAR[0], "s"),
            row("height of the first maximum", top[1], TURNS[0][1], NEAR[1], "m"),
            row("time of the first minimum", bottom[0], TURNS[1][0], NEAR[0], "s"),
            row("height of the first minimum", bottom[1], TURNS[1][1], NEAR[1], "m"),
        ];
        let end = height.points().last().map_or(f64::NAN, |point| point[0]);
        let experiment = Curve::from_csv(EXPERIMENT, "t_s", "y_m").part(0.0, end);
        let lines = vec![reference_line("experiment", experiment), measured_line("centre", height)];
        let panels = vec![over_time("Height of the block", "height [m]", lines)];
        Findings { measured, panels }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_record_turns_where_it_is_said_to() {
        let curve = Curve::from_csv(EXPERIMENT, "t_s", "y_m");
        let top = curve.part(0.3, 0.45);
        assert!((top.largest() - TURNS[0][1]).abs() < 1e-4);
        let bottom = curve.part(0.5, 0.62).map(|[t, y]| [t, -y]);
        assert!((bottom.largest() + TURNS[1][1]).abs() < 1e-4);
        for [t, y] in TURNS {
            assert!((curve.at(t).unwrap() - y).abs() < 2e-4, "{t}");
        }
    }
}
