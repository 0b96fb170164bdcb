//! Bodies that cannot move are to the fluid as solids that stand: a cube of 2.7 times the water's
//! density on the floor, which its friction holds, and a float of 0.02 that is locked.
//!
//! Each is in a tank of its own beside a tank with a fixed solid in its place, all in one scene, so
//! that all take the same steps. The water is shoved and swings. What is compared are the readings
//! of equal probes: the root of the mean square difference over that of the fixed one's reading,
//! over all times and probes.

use crate::cases::panels::{measured_line, over_time, reference_line};
use crate::{Case, Findings, Goal, Measured, Samples, Watch};

/// With the default steps.
pub const LONG_STEPS: Case = Case {
    name: "still_bodies",
    about: "A heavy cube on the floor and a locked float are as fixed solids are",
    scene: include_str!("../../../scenes/still_bodies.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Bodies),
};

/// With steps of a quarter of that.
pub const SHORT_STEPS: Case = Case {
    name: "still_bodies_short_steps",
    about: "A heavy cube on the floor and a locked float are as fixed solids are, at short steps",
    scene: include_str!("../../../scenes/still_bodies_short_steps.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Bodies),
};

/// Columns of the probes beside each body.
const PRESSURES: [&str; 3] = ["p1", "p2", "p3"];
const VELOCITIES: [&str; 6] = ["v1_x", "v1_z", "v2_x", "v2_z", "v3_x", "v3_z"];

struct Bodies;

/// Σ(a − b)² and Σb² of a probe beside a free body, a, and a fixed one, b.
fn squares(samples: &Samples, body: &str, probe: &str) -> [f64; 2] {
    let free = samples.curve(&format!("free_{body}_{probe}"));
    let fixed = samples.curve(&format!("fixed_{body}_{probe}"));
    let pairs = free.points().iter().zip(fixed.points());
    pairs.fold([0.0, 0.0], |[difference, square], (a, b)| {
        [difference + (a[1] - b[1]).powi(2), square + b[1].powi(2)]
    })
}

fn difference(samples: &Samples, body: &str, probes: &[&str]) -> f64 {
    let all = probes.iter().map(|probe| squares(samples, body, probe));
    let [difference, square] = all.fold([0.0, 0.0], |[a, b], [c, d]| [a + c, b + d]);
    (difference / square).sqrt()
}

impl Watch for Bodies {
    fn findings(&self, samples: &Samples) -> Findings {
        let row = |quantity, body, probes: &[&str]| Measured {
            quantity,
            value: difference(samples, body, probes),
            reference: None,
            goal: Goal::AtMost(0.01),
            unit: "",
        };
        let measured = vec![
            row("difference of pressures beside the cube", "cube", &PRESSURES),
            row("difference of velocities beside the cube", "cube", &VELOCITIES),
            row("difference of pressures beside the float", "float", &PRESSURES),
            row("difference of velocities beside the float", "float", &VELOCITIES),
        ];
        let panel = |title, y, body: &str, probe: &str| {
            let lines = vec![
                reference_line("fixed", samples.curve(&format!("fixed_{body}_{probe}"))),
                measured_line("free", samples.curve(&format!("free_{body}_{probe}"))),
            ];
            over_time(title, y, lines)
        };
        let panels = vec![
            panel("Pressure on the side of the cube", "pressure [Pa]", "cube", "p1"),
            panel("Velocity beside the cube", "velocity along x [m/s]", "cube", "v1_x"),
            panel("Pressure under the float", "pressure [Pa]", "float", "p1"),
            panel("Velocity under the float", "velocity along x [m/s]", "float", "v1_x"),
        ];
        Findings { measured, panels }
    }
}
