//! A standing wave: its period by linear theory, T = 2π/ω with ω² = g k tanh(kH), and what it loses
//! in ten seconds.
//!
//! Measured by its mode (head of `mode.rs`): the velocities are those of the start times cos(ωt),
//! so that the period is the time from zero to zero of the mode as it rises. What is left is the
//! largest size of the mode in the last period; the energy ¼ρgA²L goes with its square.

use super::mode::mode;
use super::panels::{measured_line, over_time, reference_line};
use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_output::curves::Curve;
use hashfall_sph::world::{Audit, World};
use std::f64::consts::{PI, TAU};

/// The case of the default solver, 20 particles deep.
pub const CASE: Case = Case {
    name: "standing_wave",
    about: "A standing wave of 2 cm, 20 particles deep, swings and is not damped",
    scene: include_str!("../../scenes/standing_wave.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Wave::new(0.02, 0.01, Lost::Mode(0.1))),
};

/// The case of the default solver, 50 particles deep.
pub const FINE: Case = Case {
    name: "standing_wave_fine",
    about: "A standing wave of 2 cm, 50 particles deep, swings and is not damped",
    scene: include_str!("../../scenes/standing_wave_fine.ron"),
    is_quick: false,
    meshes: &[],
    watch: || Box::new(Wave::new(0.02, 0.01, Lost::Mode(0.03))),
};

/// The case of the weakly compressible solver.
pub const WEAKLY_COMPRESSIBLE: Case = Case {
    name: "standing_wave_wcsph",
    about: "A standing wave of 10 cm swings and keeps its energy, weakly compressible",
    scene: include_str!("../../scenes/standing_wave_wcsph.ron"),
    is_quick: false,
    meshes: &[],
    watch: || Box::new(Wave::new(0.1, 0.015, Lost::Energy(0.1))),
};

/// Wave number k \[1/m\], depth H \[m\], gravity g \[m/s²\].
const WAVE_NUMBER: f64 = PI;
const DEPTH: f64 = 1.0;
const GRAVITY: f64 = 9.81;

/// The most that may be lost \[–\].
#[derive(Clone, Copy)]
enum Lost {
    Mode(f64),
    Energy(f64),
}

struct Wave {
    /// Amplitude A, as in the scene \[m\].
    amplitude: f64,
    /// Goal of the period: part of that of theory \[–\].
    tolerance: f64,
    lost: Lost,
    /// Time \[s\] and mode \[–\].
    mode: Vec<[f64; 2]>,
    /// Time \[s\] and kinetic energy \[J\].
    energy: Vec<[f64; 2]>,
}

impl Wave {
    fn new(amplitude: f64, tolerance: f64, lost: Lost) -> Self {
        Wave { amplitude, tolerance, lost, mode: Vec::new(), energy: Vec::new() }
    }
}

fn angular_frequency() -> f64 {
    (GRAVITY * WAVE_NUMBER * (WAVE_NUMBER * DEPTH).tanh()).sqrt()
}

/// The velocity of a wave of this amplitude as it passes through its level (Lamb, Hydrodynamics
/// (1932), §228), above which it is that at the surface.
fn wave(amplitude: f64, [x, _, z]: [f64; 3]) -> [f64; 3] {
    let speed = amplitude * angular_frequency() / (WAVE_NUMBER * DEPTH).sinh();
    let height = WAVE_NUMBER * z.min(DEPTH);
    let (sin, cos) = (WAVE_NUMBER * x).sin_cos();
    [-speed * height.cosh() * sin, 0.0, speed * height.sinh() * cos]
}

impl Watch for Wave {
    fn sample(&mut self, world: &World) {
        self.mode.push([world.time, mode(world, |x| wave(self.amplitude, x))]);
        self.energy.push([world.time, Audit::new(world).kinetic_energy]);
    }

    fn findings(&self, _: &Samples) -> Findings {
        let omega = angular_frequency();
        let period = TAU / omega;
        let mode = Curve::new(self.mode.clone());
        let end = self.mode.last().map_or(f64::NAN, |point| point[0]);
        let left = mode.part(end - period, end).map(|[t, mode]| [t, mode.abs()]).largest();
        let (quantity, value, most) = match self.lost {
            Lost::Mode(most) => ("part of the mode lost", 1.0 - left, most),
            Lost::Energy(most) => ("part of the energy lost", 1.0 - left * left, most),
        };
        let close = [1.0 - self.tolerance, 1.0 + self.tolerance].map(|part| part * period);
        let rows = vec![
            Measured {
                quantity: "period",
                value: mode.period(0.0),
                reference: Some(period),
                goal: Goal::Within(close[0], close[1]),
                unit: "s",
            },
            Measured { quantity, value, reference: None, goal: Goal::Within(0.0, most), unit: "" },
        ];
        let start = self.energy.first().map_or(f64::NAN, |point| point[1]);
        let energy = Curve::new(self.energy.clone()).map(|[t, energy]| [t, energy / start]);
        let theory = mode.map(|[t, _]| [t, (omega * t).cos()]);
        let square = mode.map(|[t, mode]| [t, mode * mode]);
        let modes = vec![reference_line("theory", theory), measured_line("all particles", mode)];
        let energies =
            vec![measured_line("all particles", energy), measured_line("the mode's", square)];
        let panels = vec![
            over_time("Mode", "of that at the start", modes),
            over_time("Kinetic energy", "of that at the start", energies),
        ];
        Findings { measured: rows, panels }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_waves_of_the_scenes_are_those_of_theory() {
        assert!((TAU / angular_frequency() - 1.1339).abs() < 1e-4);
        for (case, amplitude) in [(CASE, 0.02), (FINE, 0.02), (WEAKLY_COMPRESSIBLE, 0.1)] {
            let world = case.prepare(&[]).unwrap().world;
            let found = mode(&world, |x| wave(amplitude, x));
            assert!((found - 1.0).abs() < 1e-6, "{}: {found}", case.name);
        }
    }
}
