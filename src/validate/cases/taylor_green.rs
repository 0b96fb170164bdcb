//! Taylor & Green's vortices in a periodic square: u = −U e^(bt) cos(2πx) sin(2πz) and so on, with
//! b = −8π²ν, an exact solution.
//!
//! The error of speeds is mean(||v| − s|)/mean(s) over the particles, s the exact speed, and its
//! mean over time is judged; the effective viscosity is that of the straight line through the
//! logarithm of the kinetic energy.

use crate::validate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_core::{parallel, to_f64};
use hashfall_output::curves::Curve;
use hashfall_output::plot::{Line, Panel};
use hashfall_sph::world::{Audit, World};
use std::f64::consts::{PI, TAU};

/// The case.
pub const CASE: Case = Case {
    name: "taylor_green",
    about: "Vortices of Taylor and Green decay as viscosity asks, from a disordered start",
    scene: include_str!("../../../scenes/validation/taylor_green.ron"),
    meshes: &[],
    watch: || Box::new(Vortices::default()),
};

/// Kinematic viscosity ν \[m²/s\].
const VISCOSITY: f64 = 0.01;
/// Rate b at which velocities decay \[1/s\].
const RATE: f64 = -8.0 * PI * PI * VISCOSITY;

#[derive(Default)]
struct Vortices {
    /// Time \[s\] and error of speeds \[–\].
    error: Vec<[f64; 2]>,
    /// Time \[s\] and kinetic energy over that at the start \[–\].
    energy: Vec<[f64; 2]>,
    /// Kinetic energy at the start \[J\].
    start: Option<f64>,
}

impl Watch for Vortices {
    fn sample(&mut self, world: &World) {
        let p = &world.particles;
        let decay = (RATE * world.time).exp();
        let [errors, speeds] = parallel::sum(p.len(), |i| {
            let ([x, _, z], [u, _, w]) = (to_f64(&p.position[i]), to_f64(&p.velocity[i]));
            let across = (TAU * x).cos() * (TAU * z).sin();
            let up = (TAU * x).sin() * (TAU * z).cos();
            let exact = decay * across.hypot(up);
            [(u.hypot(w) - exact).abs(), exact]
        });
        self.error.push([world.time, errors / speeds]);
        let energy = Audit::new(world).kinetic_energy;
        let start = *self.start.get_or_insert(energy);
        self.energy.push([world.time, energy / start]);
    }

    fn findings(&self, _: &Samples) -> Findings {
        let errors = Curve::new(self.error.clone());
        let energy = Curve::new(self.energy.clone());
        let slope = energy.map(|[t, energy]| [t, energy.ln()]).slope();
        let measured = vec![
            Measured {
                quantity: "mean L1 error of the speeds",
                value: errors.mean(),
                reference: None,
                goal: Goal::AtMost(0.01),
                unit: "",
            },
            Measured {
                quantity: "effective viscosity over the given",
                value: slope / (2.0 * RATE),
                reference: Some(1.0),
                goal: Goal::Within(0.99, 1.01),
                unit: "",
            },
        ];
        let line = |label, is_reference, curve| Line { label, is_reference, curve };
        let exact = energy.map(|[t, _]| [t, (2.0 * RATE * t).exp()]);
        let panels = vec![
            Panel {
                title: "Kinetic energy over that at the start",
                x: "time [s]",
                y: "energy",
                log: false,
                lines: vec![line("exact", true, exact), line("all particles", false, energy)],
            },
            Panel {
                title: "L1 error of the speeds",
                x: "time [s]",
                y: "error",
                log: false,
                lines: vec![line("all particles", false, errors)],
            },
        ];
        Findings { measured, panels }
    }
}
