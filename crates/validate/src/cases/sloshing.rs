//! Sloshing of small amplitude: its period by linear theory, T = 2π/ω with
//! ω² = g k tanh(kH), k = π/L, at every amplitude.
//!
//! Measured by the mean velocity of the water along the tank, to which the first mode gives nearly
//! all; the period is the mean time between its zeros, in the first and in the second half of the
//! run.

use super::panels::{measured_line, over_time};
use super::zeros::period_by_zeros;
use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_core::parallel;
use hashfall_output::curves::Curve;
use hashfall_sph::world::World;
use std::f64::consts::{PI, TAU};

/// The case of a tank that stands a degree off level.
pub const TILTED: Case = Case {
    name: "small_sloshing",
    about: "Water of a tank one degree off level swings 7 mm with the period of theory",
    scene: include_str!("../../scenes/small_sloshing.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Sloshing::new(0.8, 0.2, 0.0)),
};

/// The case of a tank that stands a seventh of a degree off level.
pub const TILTED_LESS: Case = Case {
    name: "small_sloshing_1mm",
    about: "Water of a tank that is hardly off level swings 1 mm with the period of theory",
    scene: include_str!("../../scenes/small_sloshing_1mm.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Sloshing::new(0.8, 0.2, 0.0)),
};

/// The case of a tank that is shoved.
pub const SHOVED: Case = Case {
    name: "small_sloshing_shove",
    about: "Water of a tank that was shoved swings with the period of theory",
    scene: include_str!("../../scenes/small_sloshing_shove.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Sloshing::new(0.6, 0.12, 0.301)),
};

const GRAVITY: f64 = 9.81;

struct Sloshing {
    /// T \[s\].
    period: f64,
    /// It swings freely from then on \[s\].
    from: f64,
    /// Time \[s\] and mean velocity along the tank \[m/s\].
    velocity: Vec<[f64; 2]>,
}

impl Sloshing {
    /// Of a tank's length and depth \[m\].
    fn new(length: f64, depth: f64, from: f64) -> Self {
        let k = PI / length;
        let period = TAU / (GRAVITY * k * (k * depth).tanh()).sqrt();
        Sloshing { period, from, velocity: Vec::new() }
    }
}

impl Watch for Sloshing {
    fn sample(&mut self, world: &World) {
        let velocities = &world.particles.velocity;
        let [sum] = parallel::sum(velocities.len(), |i| [f64::from(velocities[i].x)]);
        self.velocity.push([world.time, sum / velocities.len() as f64]);
    }

    fn findings(&self, _: &Samples) -> Findings {
        let velocity = Curve::new(self.velocity.clone());
        let end = self.velocity.last().map_or(f64::NAN, |point| point[0]);
        let middle = 0.5 * (self.from + end);
        let row = |quantity, from, to| Measured {
            quantity,
            value: period_by_zeros(&velocity.part(from, to)),
            reference: Some(self.period),
            goal: Goal::Within(0.98 * self.period, 1.02 * self.period),
            unit: "s",
        };
        let rows = vec![
            row("period in the first half", self.from, middle),
            row("period in the second half", middle, end),
        ];
        let lines = vec![measured_line("all particles", velocity)];
        let panels = vec![over_time("Mean velocity along the tank", "velocity [m/s]", lines)];
        Findings { measured: rows, panels }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_are_those_of_linear_theory() {
        let period = |length, depth| Sloshing::new(length, depth, 0.0).period;
        assert!((period(0.8, 0.2) - 1.250).abs() < 5e-4, "{}", period(0.8, 0.2));
        assert!((period(0.6, 0.12) - 1.175).abs() < 5e-4, "{}", period(0.6, 0.12));
    }
}
