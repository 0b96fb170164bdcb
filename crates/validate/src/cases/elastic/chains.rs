//! Chains of masses and springs in their modes: frequencies, and energy over ten thousand periods.
//!
//! With n masses between two walls the mode j has the displacements sin(jπi/(n + 1)) along the
//! chain and the angular frequency ωⱼ = 2 √(k/m) sin(jπ/(2(n + 1))), exactly, at any amplitude at
//! which no mass passes another.
//!
//! The displacement and the velocity of a mode give its phase after each step. Its error, followed
//! from step to step, is that of the frequency times the time.

use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_sph::step::StepReport;
use hashfall_sph::world::World;
use std::f64::consts::{PI, TAU};

/// The case.
pub const CASE: Case = Case {
    name: "elastic_chains",
    about: "Chains of springs swing in their modes, ten thousand periods of the slowest",
    scene: include_str!("../../../scenes/elastic_chains.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Chains::default()),
};

/// Masses of a chain, m \[kg\] and k \[N/m\].
pub const MASSES: usize = 8;
pub const MASS: f64 = 0.02;
pub const STIFFNESS: f64 = 250.0;

#[derive(Default)]
struct Chains {
    /// By chain: ω t less the phase \[rad\].
    lag: [f64; MASSES],
    time: f64,
    /// By step: the energies of all chains \[J\].
    energies: Vec<[f64; MASSES]>,
}

/// ωⱼ \[1/s\] of a mode, from 1.
pub fn omega(mode: usize) -> f64 {
    2.0 * (STIFFNESS / MASS).sqrt() * (angle(mode) / 2.0).sin()
}

/// jπ/(n + 1) of n masses.
pub fn angle(mode: usize) -> f64 {
    mode as f64 * PI / (MASSES + 1) as f64
}

impl Watch for Chains {
    fn step(&mut self, world: &World, _: &StepReport) {
        let Some(elastic) = &world.elastic else { return };
        let (x, v) = (&elastic.state.position, &elastic.state.velocity);
        let rest = &elastic.system.start().position;
        let mut energies = [0.0; MASSES];
        for (k, body) in elastic.system.bodies().iter().enumerate().take(MASSES) {
            let nodes = body.nodes.clone();
            let (angle, omega) = (angle(k + 1), omega(k + 1));
            let moved = |node: usize| x[node].x - rest[node].x;
            let shape = |node: usize| (angle * (node - nodes.start) as f64).sin();
            let amplitude: f64 = nodes.clone().map(|node| moved(node) * shape(node)).sum();
            let rate: f64 = nodes.clone().map(|node| v[node].x * shape(node)).sum();
            let lag = omega * world.time - (omega * amplitude).atan2(rate);
            let change = lag - self.lag[k];
            self.lag[k] += change - TAU * (change / TAU).round();
            let kinetic = nodes.clone().map(|node| 0.5 * MASS * v[node].norm_squared());
            let stretch = |node: usize| moved(node) - moved(node - 1);
            let springs = nodes.clone().skip(1).map(|n| 0.5 * STIFFNESS * stretch(n) * stretch(n));
            energies[k] = kinetic.chain(springs).sum();
        }
        self.energies.push(energies);
        self.time = world.time;
    }

    fn findings(&self, _: &Samples) -> Findings {
        let largest = |of: &dyn Fn(usize) -> f64| (0..MASSES).map(of).fold(f64::NAN, f64::max);
        let frequency = |k: usize| (self.lag[k] / (omega(k + 1) * self.time)).abs();
        let tenth = self.energies.len().div_ceil(10);
        let mean = |steps: &[[f64; MASSES]], k: usize| {
            steps.iter().map(|of_chain| of_chain[k]).sum::<f64>() / steps.len() as f64
        };
        let (first, last) =
            (&self.energies[..tenth], &self.energies[self.energies.len() - tenth..]);
        let drift = |k: usize| (mean(last, k) / mean(first, k) - 1.0).abs();
        let error = |quantity, value| Measured {
            quantity,
            value,
            reference: None,
            goal: Goal::AtMost(1e-3),
            unit: "",
        };
        let measured = vec![
            error("largest error of a mode's frequency", largest(&frequency)),
            error("largest drift of a mode's energy", largest(&drift)),
        ];
        Findings { measured, panels: Vec::new() }
    }
}
