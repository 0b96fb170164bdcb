//! A vortex that fills a box whose walls are free to slip along: without viscosity it is a steady
//! solution of Euler's equations, so that all that changes is error. In the plane, and in space,
//! where it is periodic along its axis: there the default support radius is narrower.
//!
//! What counts is its mode (head of `mode.rs`): kinetic energy alone does not tell it from noise.

use super::mode::{mode, vortices};
use super::panels::{measured_line, over_time};
use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_output::curves::Curve;
use hashfall_sph::world::{Audit, World};

/// The case.
pub const CASE: Case = Case {
    name: "vortex_in_a_box",
    about: "A vortex without viscosity goes on between walls that are free to slip along",
    scene: include_str!("../../scenes/vortex_in_a_box.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Vortex::new(0.95)),
};

/// The same in space.
pub const IN_SPACE: Case = Case {
    name: "vortex_in_space",
    about: "The same vortex in space, periodic along its axis, goes on as well",
    scene: include_str!("../../scenes/vortex_in_space.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Vortex::new(0.97)),
};

/// Twice the edge of the box, which is one vortex wide \[m\].
const WAVELENGTH: f64 = 2.0;

struct Vortex {
    /// Goal of the mode at the end \[–\].
    min_mode: f64,
    /// Time \[s\] and mode \[–\].
    mode: Vec<[f64; 2]>,
    /// Time \[s\] and kinetic energy \[J\].
    energy: Vec<[f64; 2]>,
}

impl Vortex {
    fn new(min_mode: f64) -> Self {
        Vortex { min_mode, mode: Vec::new(), energy: Vec::new() }
    }
}

impl Watch for Vortex {
    fn sample(&mut self, world: &World) {
        self.mode.push([world.time, mode(world, |x| vortices(WAVELENGTH, x))]);
        self.energy.push([world.time, Audit::new(world).kinetic_energy]);
    }

    fn findings(&self, _: &Samples) -> Findings {
        let start = self.energy.first().map_or(f64::NAN, |point| point[1]);
        let energy = Curve::new(self.energy.clone()).map(|[t, energy]| [t, energy / start]);
        let last = |curve: &Curve| curve.points().last().map_or(f64::NAN, |point| point[1]);
        let mode = Curve::new(self.mode.clone());
        let (left, kept) = (last(&mode), last(&energy));
        let row = |quantity, value, reference, goal| {
            let unit = "of that at the start";
            Measured { quantity, value, reference, goal, unit }
        };
        let rows = vec![
            row("mode at the end", left, Some(1.0), Goal::AtLeast(self.min_mode)),
            row("largest kinetic energy", energy.largest(), Some(1.0), Goal::AtMost(1.0)),
            row("energy of noise at the end", kept - left * left, None, Goal::AtMost(0.03)),
        ];
        let square = mode.map(|[t, mode]| [t, mode * mode]);
        let lines =
            vec![measured_line("all particles", energy), measured_line("the mode's", square)];
        let panels = vec![
            over_time("Mode", "of that at the start", vec![measured_line("all particles", mode)]),
            over_time("Kinetic energy", "of that at the start", lines),
        ];
        Findings { measured: rows, panels }
    }
}
