//! What a pressure scheme tells about itself, so that nothing outside its file chooses by solver.
//!
//! A scheme's file implements [`SolverSettings`] for its settings, and the registry of schemes
//! finds them: [`Solver::settings`](super::Solver::settings). What each scheme must decide has no
//! default here. Defaults serve what most schemes do not have.

use super::WorldError;
use hashfall_core::Dimension;
use hashfall_core::kernel::KernelKind;

/// What a scene may ask for that not every scheme has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// Implicit viscosity.
    ImplicitViscosity,
    /// Tension with the air or between fluids.
    SurfaceTension,
    /// Tension where single particles take steps of their own.
    TensionInIndividualSteps,
    /// Contact angles of solids.
    ContactAngles,
    /// Solids at which fluid does not slip.
    NoSlip,
    /// Emitters.
    Emitters,
    /// Particles at random positions, of which several may lie in one place.
    RandomPositions,
}

/// Why a scheme does not have a feature, or does not take a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What is wrong.
    pub message: &'static str,
    /// What would be right.
    pub help: &'static str,
}

impl Refusal {
    /// Of [`Feature::RandomPositions`], by schemes whose particles interact.
    pub const RANDOM_POSITIONS: Refusal = Refusal {
        message: "random positions are for the solver `Ballistic` only",
        help: "solver: Ballistic(), or a shape with a lattice: Box(…), Ball(…) or Mesh(…)",
    };
}

/// What is wrong with a key of a solver beside another key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyProblem {
    /// The key.
    pub key: &'static str,
    /// The path of the other in the scene, such as `solver.time_step`.
    pub also_at: &'static str,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: String,
}

/// A key whose value must be a whole number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WholeNumber {
    /// The key.
    pub key: &'static str,
    /// Its value.
    pub value: f64,
    /// What would be right.
    pub help: &'static str,
}

impl WholeNumber {
    /// That of the key `individual_steps`.
    pub fn individual_steps(value: f64) -> Self {
        WholeNumber { key: "individual_steps", value, help: "a whole number, as 3.0" }
    }
}

/// Tait's equation p = (ρ₀c²/γ)((ρ/ρ₀)^γ − 1) in the densest fluid, whose stiffness all have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tait {
    /// Speed of sound c \[m/s\]; NaN where a scene's is still to be chosen.
    pub sound_speed: f64,
    /// Exponent γ \[–\].
    pub exponent: u32,
}

/// What a pressure scheme tells about itself, from its settings.
pub trait SolverSettings {
    /// The name in scenes and messages.
    fn name(&self) -> &'static str;

    /// Checks the numbers, but the Courant number and [whole numbers](Self::whole_numbers).
    ///
    /// # Errors
    /// The first that is out of its range.
    fn validate(&self) -> Result<(), WorldError>;

    /// The keys whose values must be whole numbers.
    fn whole_numbers(&self) -> Vec<WholeNumber>;

    /// Keys that do not go with each other.
    fn key_conflicts(&self) -> Vec<KeyProblem> {
        Vec::new()
    }

    /// Keys without effect on so many fluids.
    fn unused_keys(&self, _fluids: usize) -> Vec<KeyProblem> {
        Vec::new()
    }

    /// Sets the defaults of scenes with surface tension with the air, where nothing is given.
    fn set_tension_defaults(&mut self) {}

    /// What goes wrong where surfaces pull.
    fn tension_problem(&self) -> Option<KeyProblem> {
        None
    }

    /// Why the scheme has no equations for a kernel; `None` if it has.
    fn refuses_kernel(&self, kernel: KernelKind) -> Option<Refusal>;

    /// Why the scheme does not have a feature; `None` if it has.
    fn refuses(&self, feature: Feature) -> Option<Refusal>;

    /// Whether particles interact, so that the step searches for neighbours.
    fn has_interactions(&self) -> bool;

    /// The Courant number \[–\].
    fn courant(&self) -> f64;

    /// Lets no pressure solve take more than `most` iterations, where these can be limited: for
    /// trial steps.
    fn limit_iterations(&mut self, _most: f64) {}

    /// How many times steps of single particles may be halved; 0 if all take the same.
    fn halvings(&self) -> u32 {
        0
    }

    /// The support radius where a scene gives none and has no tension, in particle radii \[–\].
    fn default_support(&self, dimension: Dimension, kernel: KernelKind) -> f64;

    /// The least distance of particles to solids, in particle radii \[–\]. Where pressure alone
    /// carries the fluid, a layer at a wall rests at 1; contact at 1 would push half of its
    /// particles, those that noise brings nearer, and take energy from what flows along the wall.
    fn contact_radius(&self) -> f64;

    /// Whether explicit viscosity is summed with the other forces of pairs, in the form of Morris.
    fn has_pairwise_viscosity(&self) -> bool;

    /// Whether the step holds the density, and so moves apart what starts too close together.
    fn is_incompressible(&self) -> bool;

    /// The equation by which pressure follows from density in all fluids, if one does.
    fn tait(&self) -> Option<Tait> {
        None
    }

    /// Whether fluid under pressure lies closer together, since densities are sums over neighbours.
    fn has_compressed_layers(&self) -> bool {
        false
    }

    /// The stiffness of fluids that give none \[m²/s²\]; `None` if fluids have no stiffness.
    fn stiffness(&self) -> Option<f64> {
        None
    }

    /// How far energy grows by errors of the scheme that are known, over what a run may gain of it
    /// \[–\]: up to that a gain is warned of and does not end the run.
    fn energy_errors(&self) -> f64 {
        1.0
    }

    /// The keys that may be why energy grows, the most likely first, but the Courant number; of a
    /// fluid that fills its domain or not.
    fn energy_keys(&self, is_full: bool) -> Vec<&'static str>;

    /// Whether the scheme keeps coefficients of each pair, which take memory.
    fn keeps_pair_coefficients(&self) -> bool {
        false
    }

    /// Whether a speed of sound is to be chosen from what moves the fluid.
    fn needs_sound_speed(&self) -> bool {
        false
    }

    /// Writes out what keys that are left out stand for, with this `sound_speed` \[m/s\].
    fn complete(&mut self, _sound_speed: Option<f64>) {}
}
