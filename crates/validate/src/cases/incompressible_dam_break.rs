//! How well divergence-free SPH keeps the density of water that falls apart and meets a wall.
//!
//! Bender & Koschier, Divergence-Free SPH for Incompressible and Viscous Fluids (2017), state an
//! average compression below 0.01 %. The start, where the lattice comes apart, is left out.

use super::kept::volume_kept;
use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_output::curves::Curve;
use hashfall_output::plot::{Line, Panel};
use hashfall_sph::step::StepReport;
use hashfall_sph::world::World;

/// The case.
pub const CASE: Case = Case {
    name: "incompressible_dam_break",
    about: "Divergence-free SPH keeps the density of a collapsing column (Bender & Koschier 2017)",
    scene: include_str!("../../scenes/incompressible_dam_break.ron"),
    is_quick: false,
    meshes: &[],
    watch: || Box::new(Compression::default()),
};

/// When the start is over \[s\].
const SETTLED: f64 = 0.2;

#[derive(Default)]
struct Compression {
    /// Time \[s\], mean and largest compression after each step \[–\].
    mean: Vec<[f64; 2]>,
    largest: Vec<[f64; 2]>,
    /// Steps of which a solution was given up.
    capped: u32,
    /// The least volume of any step, as part of that at rest \[–\].
    volume: Option<f64>,
}

impl Watch for Compression {
    fn step(&mut self, world: &World, step: &StepReport) {
        self.mean.push([world.time, step.density_error_mean]);
        self.largest.push([world.time, step.density_error_max]);
        self.capped += u32::from(step.density.capped || step.divergence.capped);
        let volume = volume_kept(world);
        self.volume = Some(self.volume.map_or(volume, |least| least.min(volume)));
    }

    fn findings(&self, _: &Samples) -> Findings {
        let [mean, largest] = [&self.mean, &self.largest].map(|points| Curve::new(points.clone()));
        let late = |curve: &Curve| curve.part(SETTLED, f64::INFINITY).largest();
        let error = |quantity, value, most| {
            let goal = Goal::AtMost(most);
            Measured { quantity, value, reference: None, goal, unit: "" }
        };
        let measured = vec![
            error("largest mean compression after 0.2 s", late(&mean), 1e-4),
            error("largest compression after 0.2 s", late(&largest), 1e-2),
            error("steps given up at the iteration cap", f64::from(self.capped), 0.0),
            Measured {
                quantity: "least volume of any step",
                value: self.volume.unwrap_or(f64::NAN),
                reference: Some(1.0),
                goal: Goal::Within(0.999, 1.0),
                unit: "of that at rest",
            },
        ];
        let panel = |title, label, curve: Curve, goal: f64| {
            let ends = [curve.points().first(), curve.points().last()].into_iter().flatten();
            let goal = Curve::new(ends.map(|&[t, _]| [t, goal]).collect());
            let lines = vec![
                Line { label: "goal", is_reference: true, curve: goal },
                Line { label, is_reference: false, curve },
            ];
            Panel { title, x: "time [s]", y: "ρ/ρ₀ − 1", log: false, lines }
        };
        let panels = vec![
            panel("Mean compression after each step", "mean", mean, 1e-4),
            panel("Largest compression after each step", "largest", largest, 1e-2),
        ];
        Findings { measured, panels }
    }
}
