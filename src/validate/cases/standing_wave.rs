//! A standing wave of small amplitude: its period by linear theory, T = 2π/ω with
//! ω² = g k tanh(kH), and the part of its energy ¼ρgA²L that it loses in ten seconds.
//!
//! The elevation is half the difference between a crest and the middle. The energy is the largest
//! kinetic energy in a period, the first against the last, over the same number of periods as ten
//! seconds are: at those moments all energy of the wave is in its motion.

use crate::validate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_output::curves::Curve;
use hashfall_output::plot::{Line, Panel};
use hashfall_sph::world::{Audit, World};
use std::f64::consts::{PI, TAU};

/// The case.
pub const CASE: Case = Case {
    name: "standing_wave",
    about: "A standing wave swings with the period of theory and keeps its energy",
    scene: include_str!("../../../scenes/validation/standing_wave.ron"),
    meshes: &[],
    watch: || Box::new(Wave::default()),
};

/// Wave number k \[1/m\], depth H \[m\], gravity g \[m/s²\], amplitude A \[m\].
const WAVE_NUMBER: f64 = PI;
const DEPTH: f64 = 1.0;
const GRAVITY: f64 = 9.81;
const AMPLITUDE: f64 = 0.1;

#[derive(Default)]
struct Wave {
    /// Time \[s\] and kinetic energy \[J\].
    energy: Vec<[f64; 2]>,
}

impl Watch for Wave {
    fn sample(&mut self, world: &World) {
        self.energy.push([world.time, Audit::new(world).kinetic_energy]);
    }

    fn findings(&self, samples: &Samples) -> Findings {
        let omega = (GRAVITY * WAVE_NUMBER * (WAVE_NUMBER * DEPTH).tanh()).sqrt();
        let (crest, middle) = (samples.curve("crest"), samples.curve("middle"));
        let elevation = crest.map(|[t, z]| [t, 0.5 * (z - middle.at(t).unwrap_or(z))]);
        let energy = Curve::new(self.energy.clone());
        let end = self.energy.last().map_or(f64::NAN, |point| point[0]);
        let period = TAU / omega;
        // The wave begins in its fastest moment; the last is within a period of the end.
        let start = energy.part(0.0, 0.25 * period).largest();
        let kept = energy.part(end - period, end).largest() / start;
        let measured = vec![
            Measured {
                quantity: "period",
                value: elevation.period(0.0),
                reference: Some(period),
                goal: Goal::Within(0.985 * period, 1.015 * period),
                unit: "s",
            },
            Measured {
                quantity: "part of the energy lost",
                value: 1.0 - kept,
                reference: None,
                goal: Goal::Within(0.0, 0.1),
                unit: "",
            },
        ];
        let line = |label, is_reference, curve| Line { label, is_reference, curve };
        let theory = elevation.map(|[t, _]| [t, AMPLITUDE * (omega * t).sin()]);
        let panels = vec![
            Panel {
                title: "Elevation",
                x: "time [s]",
                y: "elevation [m]",
                log: false,
                lines: vec![line("theory", true, theory), line("gauges", false, elevation)],
            },
            Panel {
                title: "Kinetic energy",
                x: "time [s]",
                y: "energy [J]",
                log: false,
                lines: vec![line("all particles", false, energy)],
            },
        ];
        Findings { measured, panels }
    }
}
