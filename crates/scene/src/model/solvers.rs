//! Pressure solvers and viscosity solvers of a scene, with their parameters.

use hashfall_sph::world::{Density, Dfsph};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Pressure solver.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Solver")]
pub enum SolverModel {
    /// Divergence-free SPH (Bender & Koschier 2017).
    Dfsph(DfsphModel),
    /// Weakly compressible SPH (Becker & Teschner 2007).
    Wcsph(WcsphModel),
    /// Multi-phase SPH with averaged forces (Onderik & Ďurikovič 2008).
    Multiphase(MultiphaseModel),
    /// No pressure: particles follow ballistic paths and collide with solids only.
    Ballistic(BallisticModel),
}

/// Time integration of viscosity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "ViscositySolver")]
pub enum ViscosityModel {
    /// Implicit where the explicit force would limit the time step.
    #[default]
    Auto,
    /// As an explicit force, which limits the time step.
    Explicit,
    /// Implicit, by the velocities at the end of the step.
    Implicit,
}

/// Parameters of multi-phase SPH with averaged forces.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Multiphase", default, deny_unknown_fields)]
pub struct MultiphaseModel {
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

impl Default for MultiphaseModel {
    fn default() -> Self {
        MultiphaseModel {
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
#[serde(rename = "Ballistic", default, deny_unknown_fields)]
pub struct BallisticModel {
    /// Fraction of the spacing that the fastest particle may travel in a step
    /// \[–\].
    #[schemars(range(min = 1e-3, max = 1.0))]
    pub courant: f64,
}

impl Default for BallisticModel {
    fn default() -> Self {
        BallisticModel { courant: 1.0 }
    }
}

/// Parameters of divergence-free SPH.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Dfsph", default, deny_unknown_fields)]
pub struct DfsphModel {
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

impl Default for DfsphModel {
    fn default() -> Self {
        let usual = Dfsph::default();
        DfsphModel {
            max_density_error: usual.max_density_error,
            max_divergence_error: usual.max_divergence_error,
            max_iterations: f64::from(usual.max_iterations),
            artificial_viscosity: usual.artificial_viscosity,
            courant: usual.courant,
        }
    }
}

/// Parameters of weakly compressible SPH.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Wcsph", default, deny_unknown_fields)]
pub struct WcsphModel {
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
    /// `individual_steps`.
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

impl WcsphModel {
    /// The density estimate.
    pub fn density(&self) -> Density {
        let has_own_steps = self.individual_steps > 0.0;
        let default = if has_own_steps { Density::Summation } else { Density::FLOWING };
        self.density.unwrap_or(default)
    }

    /// Fraction of the spacing that sound may travel in a step \[–\].
    pub fn courant(&self) -> f64 {
        let default = if self.density() == Density::Summation { 0.4 } else { 0.6 };
        self.courant.unwrap_or(default)
    }

    /// Artificial viscosity α \[–\].
    pub fn artificial_viscosity(&self) -> f64 {
        let default = if self.density() == Density::Summation { 0.05 } else { 0.2 };
        self.artificial_viscosity.unwrap_or(default)
    }
}

impl Default for WcsphModel {
    fn default() -> Self {
        WcsphModel {
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
