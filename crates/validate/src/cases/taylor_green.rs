//! Taylor & Green's vortices in a periodic square: velocities decay as e^(bt), b = −8π²ν, an exact
//! solution.
//!
//! The effective viscosity is that of the straight line through the logarithm of the mode (head of
//! `mode.rs`). The error of speeds is mean(||v| − s|)/mean(s) over the particles, s the exact
//! speed, and what counts is its mean over time.

use super::mode::{mode, vortices};
use super::panels::{measured_line, over_time, reference_line};
use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_core::{parallel, to_f64};
use hashfall_output::curves::Curve;
use hashfall_sph::world::{Audit, World};
use std::f64::consts::PI;

/// The case of the default solver.
pub const CASE: Case = Case {
    name: "taylor_green",
    about: "Vortices of Taylor and Green decay as viscosity asks, from a disordered start",
    scene: include_str!("../../scenes/taylor_green.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Vortices::new(0.03)),
};

/// The case of the weakly compressible solver.
pub const WEAKLY_COMPRESSIBLE: Case = Case {
    name: "taylor_green_wcsph",
    about: "Vortices of Taylor and Green decay as viscosity asks, weakly compressible",
    scene: include_str!("../../scenes/taylor_green_wcsph.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Vortices::new(0.01)),
};

/// The edge of the square \[m\].
const WAVELENGTH: f64 = 1.0;
/// Kinematic viscosity ν \[m²/s\].
const VISCOSITY: f64 = 0.01;
/// Rate b at which velocities decay \[1/s\].
const RATE: f64 = -8.0 * PI * PI * VISCOSITY;

struct Vortices {
    /// Goal of the effective viscosity over the given: how far from 1 \[–\].
    tolerance: f64,
    /// Time \[s\] and error of speeds \[–\].
    error: Vec<[f64; 2]>,
    /// Time \[s\] and mode \[–\].
    mode: Vec<[f64; 2]>,
    /// Time \[s\] and kinetic energy \[J\].
    energy: Vec<[f64; 2]>,
}

impl Vortices {
    fn new(tolerance: f64) -> Self {
        Vortices { tolerance, error: Vec::new(), mode: Vec::new(), energy: Vec::new() }
    }
}

impl Watch for Vortices {
    fn sample(&mut self, world: &World) {
        let p = &world.particles;
        let decay = (RATE * world.time).exp();
        let speed = |v: [f64; 3]| v.map(|v| v * v).iter().sum::<f64>().sqrt();
        let [errors, speeds] = parallel::sum(p.len(), |i| {
            let exact = decay * speed(vortices(WAVELENGTH, to_f64(&p.position[i])));
            [(speed(to_f64(&p.velocity[i])) - exact).abs(), exact]
        });
        self.error.push([world.time, errors / speeds]);
        self.mode.push([world.time, mode(world, |x| vortices(WAVELENGTH, x))]);
        self.energy.push([world.time, Audit::new(world).kinetic_energy]);
    }

    fn findings(&self, _: &Samples) -> Findings {
        let [errors, mode, energy] =
            [&self.error, &self.mode, &self.energy].map(|points| Curve::new(points.clone()));
        let start = energy.points().first().map_or(f64::NAN, |point| point[1]);
        let energy = energy.map(|[t, energy]| [t, energy / start]);
        let row = |quantity, value, reference, goal| {
            let unit = "";
            Measured { quantity, value, reference, goal, unit }
        };
        let viscosity = mode.map(|[t, mode]| [t, mode.ln()]).slope() / RATE;
        let close = Goal::Within(1.0 - self.tolerance, 1.0 + self.tolerance);
        let rows = vec![
            row("mean L1 error of the speeds", errors.mean(), None, Goal::AtMost(0.01)),
            row("effective viscosity over the given", viscosity, Some(1.0), close),
        ];
        let exact = energy.map(|[t, _]| [t, (2.0 * RATE * t).exp()]);
        let square = mode.map(|[t, mode]| [t, mode * mode]);
        let lines = vec![
            reference_line("exact", exact),
            measured_line("all particles", energy),
            measured_line("the mode's", square),
        ];
        let panels = vec![
            over_time("Kinetic energy", "of that at the start", lines),
            over_time(
                "L1 error of the speeds",
                "error",
                vec![measured_line("all particles", errors)],
            ),
        ];
        Findings { measured: rows, panels }
    }
}
