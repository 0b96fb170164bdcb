//! A free drop that swings between two ellipses by surface tension, without gravity and solids, by
//! the default solvers: it is to gain no energy and no momentum, and to swing with the period of
//! theory.
//!
//! - in the plane (Lamb, Hydrodynamics (1932), §273): ω² = 6σ/(ρR³), and viscosity takes 8ν/R² of
//!   the energy a second
//! - in space (§275; §355): ω² = 8σ/(ρR³), 10ν/R²
//!
//! It starts round, on a lattice, and at its fastest. R = 1 m, σ = 1 N/m, ρ = 1 kg/m³.
//!
//! Symbols: σ tension \[N/m\], R radius \[m\], ρ density \[kg/m³\], ν viscosity \[m²/s\].

use super::panels::{measured_line, over_time};
use super::zeros::period_by_zeros;
use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_core::{Dimension, parallel, to_f64};
use hashfall_output::curves::Curve;
use hashfall_sph::world::{Audit, World};
use std::f64::consts::TAU;

/// The case in the plane, by `Dfsph`.
pub const CASE: Case = Case {
    name: "free_drop",
    about: "A free drop swings by surface tension and gains no energy, incompressible",
    scene: include_str!("../../scenes/free_drop.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(FreeDrop::default()),
};

/// The same by `Wcsph`.
pub const WEAKLY_COMPRESSIBLE: Case = Case {
    name: "free_drop_wcsph",
    about: "A free drop swings by surface tension and gains no energy, weakly compressible",
    scene: include_str!("../../scenes/free_drop_wcsph.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(FreeDrop::default()),
};

/// The case in space, by `Dfsph`.
pub const IN_SPACE: Case = Case {
    name: "free_drop_in_space",
    about: "A free drop in space swings by surface tension and gains no energy",
    scene: include_str!("../../scenes/free_drop_in_space.ron"),
    is_quick: false,
    meshes: &[],
    watch: || Box::new(FreeDrop::default()),
};

#[derive(Default)]
struct FreeDrop {
    is_in_space: bool,
    /// ν of the scene \[m²/s\].
    viscosity: f64,
    /// Time \[s\] and how much longer along z than across it is, from second moments \[–\].
    stretch: Vec<[f64; 2]>,
    /// Time \[s\] and kinetic energy \[J\].
    energy: Vec<[f64; 2]>,
    /// Time \[s\] and momentum over m √(σ/ρR) \[–\].
    momentum: Vec<[f64; 2]>,
    /// Time \[s\] and the way of its centre over R \[–\].
    way: Vec<[f64; 2]>,
}

impl FreeDrop {
    /// The rate at which the largest kinetic energies of swings fall \[1/s\].
    fn rate(&self, half_period: f64) -> f64 {
        let count = self.energy.last().map_or(0.0, |end| (end[0] / half_period).floor()) as usize;
        let largest = |k: usize| {
            let [from, to] = [k, k + 1].map(|k| (k as f64 - 0.5) * half_period);
            let within = self.energy.iter().filter(|point| (from..to).contains(&point[0]));
            within.map(|point| point[1]).fold(0.0, f64::max)
        };
        // The first swing has what the edge of the lattice sets free.
        let points = (1..count).map(|k| [k as f64 * half_period, largest(k).ln()]);
        -Curve::new(points.collect()).slope()
    }
}

impl Watch for FreeDrop {
    fn sample(&mut self, world: &World) {
        self.is_in_space = world.dimension == Dimension::Three;
        self.viscosity = f64::from(world.fluids[0].viscosity);
        let audit = Audit::new(world);
        let (places, n) = (&world.particles.position, world.particles.len());
        let centre = parallel::sum(n, |i| to_f64(&places[i])).map(|sum| sum / n as f64);
        let [x, y, z] = parallel::sum(n, |i| {
            let x = to_f64(&places[i]);
            [0, 1, 2].map(|a| (x[a] - centre[a]).powi(2))
        });
        let across = if self.is_in_space { 0.5 * (x + y) } else { x };
        let length = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
        self.stretch.push([world.time, (z - across) / (z + across)]);
        self.energy.push([world.time, audit.kinetic_energy]);
        self.momentum.push([world.time, length(audit.momentum) / audit.mass]);
        self.way.push([world.time, length(centre)]);
    }

    fn findings(&self, _: &Samples) -> Findings {
        let (square, viscous, near) =
            if self.is_in_space { (8.0_f64, 10.0, 0.04) } else { (6.0_f64, 8.0, 0.02) };
        let period = TAU / square.sqrt();
        let start = self.energy.first().map_or(f64::NAN, |point| point[1]);
        let energy = Curve::new(self.energy.clone()).map(|[t, energy]| [t, energy / start]);
        let [stretch, momentum, way] =
            [&self.stretch, &self.momentum, &self.way].map(|points| Curve::new(points.clone()));
        let later = energy.part(0.5 * period, f64::INFINITY).largest();
        let damping = self.rate(0.5 * period) / (viscous * self.viscosity);
        let ratio = period_by_zeros(&stretch) / period;
        let row = |quantity, value, reference, goal| {
            let unit = "";
            Measured { quantity, value, reference, goal, unit }
        };
        let (most, swing) = (Goal::AtMost(1.0), Goal::Within(1.0 - near, 1.0 + near));
        let rows = vec![
            row("largest kinetic energy over the start's", energy.largest(), Some(1.0), most),
            row("the same after half a period", later, Some(1.0), Goal::AtMost(1.0)),
            row("period over that of theory", ratio, Some(1.0), swing),
            row("damping over that by viscosity", damping, Some(1.0), Goal::Within(0.0, 2.0)),
            row("largest momentum over m √(σ/ρR)", momentum.largest(), None, Goal::AtMost(1e-5)),
            row("largest way of its centre over R", way.largest(), None, Goal::AtMost(0.01)),
        ];
        let of_start = "of that at the start";
        let panels = vec![
            over_time("Second moments", "stretch", vec![measured_line("drop", stretch)]),
            over_time("Kinetic energy", of_start, vec![measured_line("drop", energy)]),
        ];
        Findings { measured: rows, panels }
    }
}
