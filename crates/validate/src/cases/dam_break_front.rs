//! The front of a collapsing column beside the experiment of Martin & Moyce (1952): Z = x/a over
//! T = t √(2g/a), moved by one shift of time.

use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_output::curves::Curve;
use hashfall_output::plot::{Line, Panel};

/// The case.
pub const CASE: Case = Case {
    name: "dam_break_front",
    about: "The front of a collapsing column runs as that of Martin and Moyce",
    scene: include_str!("../../scenes/dam_break_front.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Front),
};

/// Width of the column a \[m\], gravity g \[m/s²\].
const WIDTH: f64 = 1.0;
const GRAVITY: f64 = 9.81;
/// The largest shift that is allowed \[–\].
const MAX_SHIFT: f64 = 0.2;

struct Front;

impl Watch for Front {
    fn findings(&self, samples: &Samples) -> Findings {
        let experiment = include_str!("../../data/martin_moyce_1952_front.csv");
        let experiment = Curve::from_csv(experiment, "T", "Z");
        let scale = (2.0 * GRAVITY / WIDTH).sqrt();
        let run = samples.curve("front").map(|[t, x]| [t * scale, x / WIDTH]);
        // Before the start it stands.
        let standing = run.points().first().map_or(WIDTH, |point| point[1]);
        let before = [[-MAX_SHIFT, standing]];
        let run = Curve::new(before.into_iter().chain(run.points().iter().copied()).collect());
        let (shift, error) = run.best_shift(&experiment, MAX_SHIFT);
        let measured = vec![
            Measured {
                quantity: "RMS error of the front after the shift",
                value: error,
                reference: None,
                goal: Goal::AtMost(0.03),
                unit: "widths",
            },
            Measured {
                quantity: "shift of time T",
                value: shift,
                reference: None,
                goal: Goal::Within(-MAX_SHIFT, MAX_SHIFT),
                unit: "",
            },
        ];
        let shifted = run.map(|[t, z]| [t + shift, z]);
        let line = |label, is_reference, curve| Line { label, is_reference, curve };
        let lines = vec![
            line("Martin & Moyce 1952", true, experiment),
            line("shifted", false, shifted),
            line("as it ran", false, run),
        ];
        let title = "Front of the column";
        let panels =
            vec![Panel { title, x: "time T = t √(2g/a)", y: "front Z = x/a", log: false, lines }];
        Findings { measured, panels }
    }
}
