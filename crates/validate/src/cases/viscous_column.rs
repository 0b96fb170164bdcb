//! A column so viscous that it creeps down: at a height z below its top the weight ρgz of what is
//! above is carried by 4μ times the rate at which it gets shorter there (in the plane; 3μ in
//! space). As it gets as much wider, a column that is slender has, after a time t, the length L =
//! L₀ ln(1 + x)/x with x = g L₀ t/(4ν), whatever its width.
//!
//! Its top sinks a little more in the middle than at the edges: the length is the mean over the row
//! of particles that is on top at the start. By explicit viscosity the step would be bound to
//! d²/(8ν).
//!
//! Symbols: ν kinematic viscosity \[m²/s\], g gravity \[m/s²\], L length \[m\], L₀ that at the
//! start \[m\], d spacing \[m\].

use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_core::{Real, to_f64};
use hashfall_output::curves::Curve;
use hashfall_output::plot::{Line, Panel};
use hashfall_sph::step::{Limit, StepReport};
use hashfall_sph::world::World;

/// The case.
pub const CASE: Case = Case {
    name: "viscous_column",
    about: "A column of 10 m²/s creeps down as theory has it, in steps that viscosity leaves long",
    scene: include_str!("../../scenes/viscous_column.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Column::default()),
};

const GRAVITY: f64 = 9.81;
const VISCOSITY: f64 = 10.0;
const LENGTH: f64 = 1.0;
/// The lattice settles before \[s\].
const FROM: f64 = 0.2;

#[derive(Default)]
struct Column {
    /// Ids of the row on top at the start.
    top: Vec<u32>,
    /// Time \[s\] and 1/L \[1/m\].
    inverse: Vec<[f64; 2]>,
    steps: f64,
    /// Steps that viscosity bound.
    bound: f64,
    /// Time at the end \[s\], and the step that explicit viscosity allows \[s\].
    end: f64,
    explicit: f64,
}

impl Watch for Column {
    fn step(&mut self, world: &World, step: &StepReport) {
        self.steps += 1.0;
        self.bound += f64::from(u8::from(step.limit == Limit::Viscosity));
        self.end = world.time;
    }

    fn sample(&mut self, world: &World) {
        let (p, d) = (&world.particles, f64::from(world.spacing()));
        if self.top.is_empty() {
            let highest = p.position.iter().map(|x| x.z).fold(Real::NEG_INFINITY, Real::max);
            let is_on_top = |i: &usize| p.position[*i].z > highest - world.particle_radius;
            self.top = (0..p.len()).filter(is_on_top).map(|i| p.id[i]).collect();
            self.top.sort_unstable();
        }
        let on_top = (0..p.len()).filter(|&i| self.top.binary_search(&p.id[i]).is_ok());
        let heights: f64 = on_top.map(|i| to_f64(&p.position[i])[2]).sum();
        let length = heights / self.top.len() as f64 + 0.5 * d;
        self.inverse.push([world.time, 1.0 / length]);
        self.explicit = d * d / (8.0 * VISCOSITY);
    }

    fn findings(&self, _: &Samples) -> Findings {
        let inverse = Curve::new(self.inverse.clone());
        let exact = inverse.map(|[t, _]| [t, 1.0 / slender(t)]);
        let rate = |curve: &Curve| curve.part(FROM, f64::INFINITY).slope();
        let measured = vec![
            Measured {
                quantity: "rate of 1/L over that of theory",
                value: rate(&inverse) / rate(&exact),
                reference: Some(1.0),
                goal: Goal::Within(0.95, 1.05),
                unit: "",
            },
            Measured {
                quantity: "steps that viscosity bound",
                value: self.bound,
                reference: None,
                goal: Goal::AtMost(0.0),
                unit: "",
            },
            Measured {
                quantity: "explicit viscosity's step over the mean step",
                value: self.explicit * self.steps / self.end,
                reference: None,
                goal: Goal::AtMost(0.1),
                unit: "",
            },
        ];
        let line = |label, is_reference, curve| Line { label, is_reference, curve };
        let lines = vec![line("theory", true, exact), line("row on top", false, inverse)];
        let title = "Inverse of the length";
        let panels = vec![Panel { title, x: "time [s]", y: "1/L [1/m]", log: false, lines }];
        Findings { measured, panels }
    }
}

/// L at a time \[s\] by theory \[m\].
fn slender(time: f64) -> f64 {
    let x = GRAVITY * LENGTH * time / (4.0 * VISCOSITY);
    if x > 0.0 { LENGTH * x.ln_1p() / x } else { LENGTH }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slender_column_sinks_under_half_its_weight_at_first_and_then_slower() {
        let step = 1e-6;
        let rate = |t: f64| (1.0 / slender(t + step) - 1.0 / slender(t)) / step;
        let start = GRAVITY / (8.0 * VISCOSITY);
        assert!((rate(0.0) / start - 1.0).abs() < 1e-3, "{}", rate(0.0));
        assert!(rate(1.0) < 0.97 * start, "{}", rate(1.0));
    }
}
