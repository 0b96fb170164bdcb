//! SPHERIC Test 2: a dam breaks on a box.
//!
//! Kleefsman, Fekken, Veldman, Iwanowski & Buchner, A volume-of-fluid based simulation method for
//! wave impact problems, J. Comput. Phys. 206 (2005); experiment at MARIN. Levels are compared at
//! the times of the record; those of a dry gauge are its zero.

use super::kept::volume_kept;
use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_output::curves::Curve;
use hashfall_output::plot::{Line, Panel};
use hashfall_sph::step::StepReport;
use hashfall_sph::world::World;

/// The case.
pub const CASE: Case = Case {
    name: "kleefsman",
    about: "A dam breaks on a box: impact and levels of SPHERIC Test 2 (Kleefsman et al. 2005)",
    scene: include_str!("../../scenes/kleefsman.ron"),
    is_quick: true,
    meshes: &[("../meshes/kleefsman_box.obj", include_bytes!("../../meshes/kleefsman_box.obj"))],
    watch: || Box::new(Volume::default()),
};

/// The record.
const EXPERIMENT: &str = include_str!("../../data/kleefsman_2005_10ms.csv");
/// How far it is compared \[s\].
const END: f64 = 2.0;
/// The pressure that tells that the wave is there \[Pa\].
const ARRIVED: f64 = 500.0;
/// When it was there in the 1 kHz record \[s\].
const ARRIVAL: f64 = 0.393;

#[derive(Default)]
struct Volume {
    /// The least volume of any step, as part of that at rest \[–\].
    least: Option<f64>,
}

impl Watch for Volume {
    fn step(&mut self, world: &World, _: &StepReport) {
        let volume = volume_kept(world);
        self.least = Some(self.least.map_or(volume, |least| least.min(volume)));
    }

    fn findings(&self, samples: &Samples) -> Findings {
        let experiment = |probe| Curve::from_csv(EXPERIMENT, "t", probe).part(0.0, END);
        let level = |quantity, probe, most| Measured {
            quantity,
            value: samples.curve(probe).rms(&experiment(probe), 0.0),
            reference: None,
            goal: Goal::AtMost(most),
            unit: "m",
        };
        let measured = vec![
            Measured {
                quantity: "arrival at P1",
                value: samples.curve("P1").first_above(ARRIVED),
                reference: Some(ARRIVAL),
                goal: Goal::Within(ARRIVAL - 0.02, ARRIVAL + 0.02),
                unit: "s",
            },
            level("RMS error of level H4", "H4", 0.015),
            level("RMS error of level H2", "H2", 0.03),
            Measured {
                quantity: "least volume of any step",
                value: self.least.unwrap_or(f64::NAN),
                reference: Some(1.0),
                goal: Goal::Within(0.999, 1.0),
                unit: "of that at rest",
            },
        ];
        let panel = |title, y, probe| {
            let lines = vec![
                Line { label: "experiment", is_reference: true, curve: experiment(probe) },
                Line { label: "measured", is_reference: false, curve: samples.curve(probe) },
            ];
            Panel { title, x: "time [s]", y, log: false, lines }
        };
        let panels = vec![
            panel("Pressure P1, low on the box's front", "pressure [Pa]", "P1"),
            panel("Level H2, 1 m down from the gate", "level [m]", "H2"),
            panel("Level H4, 0.646 m up from the gate", "level [m]", "H4"),
        ];
        Findings { measured, panels }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_record_is_the_one_of_the_literature() {
        let curve = |name| Curve::from_csv(EXPERIMENT, "t", name);
        let arrival = curve("P1").first_above(ARRIVED);
        assert!((arrival - ARRIVAL).abs() < 0.01, "{arrival}");
        assert!((curve("H2").first_above(0.01) - 0.37).abs() < 0.02, "the gauge 1 m down");
        let reservoir = [0.4, 0.6, 1.0, 2.0].map(|t| curve("H4").at(t).unwrap());
        for (level, known) in reservoir.into_iter().zip([0.459, 0.395, 0.279, 0.130]) {
            assert!((level - known).abs() < 0.001, "{level} for {known}");
        }
    }
}
