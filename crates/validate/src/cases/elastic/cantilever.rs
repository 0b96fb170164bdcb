//! Cantilevers of shells and of solids: how they swing, and how they sink under their weight.
//!
//! Gray, Monaghan & Swift 2001, *SPH Elastic Dynamics*, §6: L = 0.2 m, H = 0.02 m, E = 2 MPa,
//! ν = 0.3975, 1000 kg/m³, in plane strain. Here both are as stiff in bending as that plate: a
//! strip of a shell that does not contract across, and a square bar with free sides, both of the
//! modulus E/(1 − ν²). References are the clamped thin plate for the shell, and Timoshenko's beam
//! for the solid, which a section that is clamped as a whole undercuts: by 1.8 % of the deflection
//! in a converged solution. A weight acts all along: scenes have no forces at single nodes.

use super::timoshenko::Beam;
use super::tip::Tip;
use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_output::plot::{Line, Panel};
use hashfall_sph::step::StepReport;
use hashfall_sph::world::World;

/// A shell that swings.
pub const PLATE_SWINGING: Case = Case {
    name: "elastic_plate_swing",
    about: "A clamped strip of a shell swings as a thin plate",
    scene: include_str!("../../../scenes/elastic_plate_swing.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Cantilever::new(true, None)),
};

/// A shell that sinks.
pub const PLATE_STATIC: Case = Case {
    name: "elastic_plate_static",
    about: "A clamped strip of a shell sinks under its weight as a thin plate",
    scene: include_str!("../../../scenes/elastic_plate_static.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Cantilever::new(true, Some(GRAVITY))),
};

/// A solid that swings.
pub const BAR_SWINGING: Case = Case {
    name: "elastic_bar_swing",
    about: "A clamped bar of a solid swings as Timoshenko's beam",
    scene: include_str!("../../../scenes/elastic_bar_swing.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Cantilever::new(false, None)),
};

/// A solid that sinks.
pub const BAR_STATIC: Case = Case {
    name: "elastic_bar_static",
    about: "A clamped bar of a solid sinks under its weight as Timoshenko's beam",
    scene: include_str!("../../../scenes/elastic_bar_static.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Cantilever::new(false, Some(GRAVITY))),
};

/// \[m/s²\]
const GRAVITY: f64 = 0.4;
/// E/(1 − ν²) \[Pa\], and ν.
const MODULUS: f64 = 2e6 / (1.0 - POISSON_RATIO * POISSON_RATIO);
const POISSON_RATIO: f64 = 0.3975;

struct Cantilever {
    beam: Beam,
    /// \[m/s²\]; none if it swings.
    gravity: Option<f64>,
    tip: Tip,
}

impl Cantilever {
    fn new(is_thin: bool, gravity: Option<f64>) -> Self {
        let shear_modulus =
            if is_thin { f64::INFINITY } else { MODULUS / (2.0 * (1.0 + POISSON_RATIO)) };
        let beam =
            Beam { length: 0.2, height: 0.02, modulus: MODULUS, shear_modulus, density: 1000.0 };
        Cantilever { beam, gravity, tip: Tip::default() }
    }

    /// The period of the closed form \[s\].
    fn period(&self) -> f64 {
        match self.beam.shear_modulus.is_finite() {
            true => self.beam.period(),
            false => self.beam.thin_period(),
        }
    }
}

impl Watch for Cantilever {
    fn step(&mut self, world: &World, _: &StepReport) {
        self.tip.add(world);
    }

    fn findings(&self, _: &Samples) -> Findings {
        let (quantity, value) = match self.gravity {
            None => ("period over that of the closed form", self.tip.period() / self.period()),
            Some(gravity) => (
                "deflection over that of the closed form",
                -self.tip.final_height() / self.beam.deflection(gravity),
            ),
        };
        let goal = Goal::Within(0.99, 1.01);
        let measured = vec![Measured { quantity, value, reference: Some(1.0), goal, unit: "" }];
        let lines = vec![Line { label: "tip", is_reference: false, curve: self.tip.curve() }];
        let title = "Height of the tip over where it started";
        let panels = vec![Panel { title, x: "time [s]", y: "height [m]", log: false, lines }];
        Findings { measured, panels }
    }
}
