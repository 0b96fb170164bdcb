//! Pressure solvers with their parameters: the keys of a scene, and the settings of a world.
//!
//! Keys that may be left out are `Option`s. A scene's speed of sound is chosen from what moves its
//! fluid; a world without one is [refused](crate::world::World::validate). Whole numbers are
//! floating-point numbers, as scenes write them. What a solver's numbers mean to all but its own
//! file, [`SolverSettings`](super::SolverSettings) tells.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Pressure solver.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub enum Solver {
    /// Divergence-free SPH (Bender & Koschier 2017).
    Dfsph(Dfsph),
    /// Weakly compressible SPH (Becker & Teschner 2007).
    Wcsph(Wcsph),
    /// Multi-phase SPH with averaged forces (Onderik & Ďurikovič 2008).
    Multiphase(Multiphase),
    /// No pressure: particles follow ballistic paths and collide with solids only.
    Ballistic(Ballistic),
}

impl Default for Solver {
    /// [`Dfsph`].
    fn default() -> Self {
        Solver::Dfsph(Dfsph::default())
    }
}

/// Parameters of multi-phase SPH with averaged forces.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Multiphase {
    /// Stiffness k of fluids without a `stiffness`: the squared speed of sound \[m²/s²\].
    #[schemars(range(min = 1e-6, max = 1e10))]
    pub stiffness: f64,
    /// Exponent γ of Tait's equation, a whole number; 1 for the gas equation \[–\].
    #[schemars(range(min = 1.0, max = 10.0))]
    pub exponent: f64,
    /// Damping rate of tangential motion along solids \[1/s\].
    #[schemars(range(min = 0.0, max = 1e3))]
    pub wet_friction: f64,
    /// Courant number: fraction of the support radius that sound may travel in a step \[–\].
    #[schemars(range(min = 1e-3, max = 1.0))]
    pub courant: f64,
    /// Fixed time step, except for the last of a frame \[s\]; `None` for the Courant condition.
    #[schemars(range(min = 1e-9, max = 1.0))]
    pub time_step: Option<f64>,
    /// Multirate levels: how often the step of single particles may be halved, a whole number; 0
    /// for one step for all \[–\].
    #[schemars(range(min = 0.0, max = 6.0))]
    pub individual_steps: f64,
}

impl Default for Multiphase {
    fn default() -> Self {
        Multiphase {
            stiffness: 20.0,
            exponent: 1.0,
            wet_friction: 0.0,
            courant: 0.3,
            time_step: None,
            individual_steps: 0.0,
        }
    }
}

/// Parameters of ballistic motion.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Ballistic {
    /// Fraction of the spacing that the fastest particle may travel in a step
    /// \[–\].
    #[schemars(range(min = 1e-3, max = 1.0))]
    pub courant: f64,
}

impl Default for Ballistic {
    fn default() -> Self {
        Ballistic { courant: 1.0 }
    }
}

/// Parameters of divergence-free SPH.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Dfsph {
    /// Mean density error that displacements leave alone \[–\].
    #[schemars(range(min = 1e-6, max = 0.1))]
    pub max_density_error: f64,
    /// Tolerance of the mean compression by the divergence of the velocities, over the step that
    /// advection allows \[–\].
    #[schemars(range(min = 1e-6, max = 0.1))]
    pub max_divergence_error: f64,
    /// Maximum number of iterations of a pressure solve, a whole number.
    #[schemars(range(min = 1.0, max = 1e5))]
    pub max_iterations: f64,
    /// Artificial viscosity α, with √(p/ρ₀) in place of the speed of sound, against what velocities
    /// differ from a linear field \[–\].
    #[schemars(range(min = 0.0, max = 10.0))]
    pub artificial_viscosity: f64,
    /// Fraction of the spacing that the fastest particle may travel in a step
    /// \[–\].
    #[schemars(range(min = 1e-3, max = 1.0))]
    pub courant: f64,
}

impl Default for Dfsph {
    fn default() -> Self {
        Dfsph {
            max_density_error: 1e-4,
            max_divergence_error: 3e-4,
            max_iterations: 200.0,
            artificial_viscosity: 0.6,
            courant: 0.4,
        }
    }
}

/// Parameters of weakly compressible SPH.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Wcsph {
    /// Speed of sound \[m/s\]; `None` for ten times the largest expected speed.
    #[schemars(range(min = 1e-3, max = 1e5))]
    pub sound_speed: Option<f64>,
    /// Exponent γ of Tait's equation, a whole number \[–\].
    #[schemars(range(min = 1.0, max = 10.0))]
    pub exponent: f64,
    /// Artificial viscosity α \[–\]; `None` for 0.2 with `Continuity`, 0.05 with `Summation`.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub artificial_viscosity: Option<f64>,
    /// Fraction of the spacing that sound may travel in a step \[–\]; `None` for 0.6 with
    /// `Continuity`, 0.4 with `Summation`.
    #[schemars(range(min = 1e-3, max = 1.0))]
    pub courant: Option<f64>,
    /// Density estimate; `None` for `Continuity(diffusion: 0.2)`, or for `Summation` with
    /// `individual_steps`, and in scenes with surface tension with the air.
    pub density: Option<Density>,
    /// Strength of particle shifting with `Continuity`, at most 1; 0 for no shifting \[–\].
    #[schemars(range(min = 0.0, max = 10.0))]
    pub shifting: f64,
    /// Background pressure, which keeps fluids that fill a closed box in compression \[Pa\].
    #[schemars(range(min = 0.0, max = 1e9))]
    pub background_pressure: f64,
    /// Interface sharpening ε: relative increase of the pressure force between particles of
    /// different fluids \[–\].
    #[schemars(range(min = 0.0, max = 1.0))]
    pub interface_sharpening: f64,
    /// Multirate levels: how often the step of single particles may be halved, a whole number; 0
    /// for one step for all \[–\].
    #[schemars(range(min = 0.0, max = 6.0))]
    pub individual_steps: f64,
}

impl Wcsph {
    /// The density estimate.
    pub fn density(&self) -> Density {
        let has_own_steps = self.individual_steps > 0.0;
        let default = if has_own_steps { Density::Summation } else { Density::FLOWING };
        self.density.unwrap_or(default)
    }

    /// Artificial viscosity α \[–\].
    pub fn artificial_viscosity(&self) -> f64 {
        let default = if self.density() == Density::Summation { 0.05 } else { 0.2 };
        self.artificial_viscosity.unwrap_or(default)
    }
}

impl Default for Wcsph {
    fn default() -> Self {
        Wcsph {
            sound_speed: None,
            exponent: 7.0,
            artificial_viscosity: None,
            courant: None,
            density: None,
            shifting: 1.0,
            background_pressure: 0.0,
            interface_sharpening: 0.0,
            individual_steps: 0.0,
        }
    }
}

/// How weakly compressible SPH finds densities.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum Density {
    /// As sums over neighbours.
    Summation,
    /// They go with the flow.
    Continuity {
        /// ξ of δ-SPH \[–\].
        #[schemars(range(min = 0.0, max = 1.0))]
        diffusion: f64,
    },
}

impl Density {
    /// They go with the flow, with as much diffusion as takes the noise of sound.
    pub const FLOWING: Density = Density::Continuity { diffusion: 0.2 };
}
