//! What a scene says of its solvers.

use hashfall_sph::world::Density;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How pressure is found.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Solver")]
pub enum SolverModel {
    /// Divergence-free SPH (Bender & Koschier 2017).
    Dfsph(DfsphModel),
    /// Weakly compressible SPH (Becker & Teschner 2007).
    Wcsph(WcsphModel),
    /// Multi-phase SPH with averaged forces (Onderik & Ďurikovič 2008).
    Multiphase(MultiphaseModel),
    /// None: particles fly, and solids alone stop them.
    Ballistic(BallisticModel),
}

/// How viscosity is solved for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "ViscositySolver")]
pub enum ViscosityModel {
    /// Implicit where as a force it would shorten the time step.
    #[default]
    Auto,
    /// As a force, which limits the time step.
    Explicit,
    /// By the velocities at the end of the step.
    Implicit,
}

/// Parameters of multi-phase SPH with averaged forces.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Multiphase", default, deny_unknown_fields)]
pub struct MultiphaseModel {
    /// Stiffness k of fluids that have none of their own, the squared speed of sound \[m²/s²\].
    #[schemars(range(min = 1e-6, max = 1e10))]
    pub stiffness: f64,
    /// Exponent γ of Tait's equation, a whole number; 1 for the gas equation \[–\].
    #[schemars(range(min = 1.0, max = 10.0))]
    pub exponent: f64,
    /// Rate at which sliding along solids fades \[1/s\].
    #[schemars(range(min = 0.0, max = 1e3))]
    pub wet_friction: f64,
    /// Courant number: part of the support radius that sound may cross in a step \[–\].
    #[schemars(range(min = 1e-3, max = 1.0))]
    pub courant: f64,
    /// Every step, but for the last of a frame \[s\]; `None` for steps by the Courant condition.
    #[schemars(range(min = 1e-9, max = 1.0))]
    pub time_step: Option<f64>,
    /// How many times steps of single particles may be halved, a whole number; 0 if all take the
    /// same \[–\].
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

/// Parameters of flight without pressure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Ballistic", default, deny_unknown_fields)]
pub struct BallisticModel {
    /// Courant number: part of the spacing that the fastest particle may cross in a step \[–\].
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
    /// Mean compression that is left, over the step that motion allows \[–\].
    #[schemars(range(min = 1e-6, max = 0.1))]
    pub max_density_error: f64,
    /// Mean compression that the velocities still lead to over such a step \[–\].
    #[schemars(range(min = 1e-6, max = 0.1))]
    pub max_divergence_error: f64,
    /// Iterations after which a solution is taken as it is, a whole number.
    #[schemars(range(min = 1.0, max = 1e5))]
    pub max_iterations: f64,
    /// Artificial viscosity α (Monaghan 1992), with √(p/ρ₀) in place of the speed of sound \[–\].
    #[schemars(range(min = 0.0, max = 10.0))]
    pub artificial_viscosity: f64,
    /// Courant number: part of the spacing that the fastest particle may cross in a step \[–\].
    #[schemars(range(min = 1e-3, max = 1.0))]
    pub courant: f64,
}

impl Default for DfsphModel {
    fn default() -> Self {
        DfsphModel {
            max_density_error: 1e-4,
            max_divergence_error: 1e-4,
            max_iterations: 200.0,
            artificial_viscosity: 0.2,
            courant: 0.4,
        }
    }
}

/// Parameters of weakly compressible SPH.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Wcsph", default, deny_unknown_fields)]
pub struct WcsphModel {
    /// Speed of sound \[m/s\]; `None` takes ten times the largest speed that the fluid can reach.
    #[schemars(range(min = 1e-3, max = 1e5))]
    pub sound_speed: Option<f64>,
    /// Exponent γ of Tait's equation, a whole number \[–\].
    #[schemars(range(min = 1.0, max = 10.0))]
    pub exponent: f64,
    /// Artificial viscosity α (Monaghan 1992) \[–\].
    #[schemars(range(min = 0.0, max = 10.0))]
    pub artificial_viscosity: f64,
    /// Courant number: part of the spacing that sound may cross in a step \[–\].
    #[schemars(range(min = 1e-3, max = 1.0))]
    pub courant: f64,
    /// How densities are found.
    pub density: Density,
    /// Coefficient of particle shifting; 0 for none \[–\].
    #[schemars(range(min = 0.0, max = 10.0))]
    pub shifting: f64,
    /// What is added to the pressure everywhere, so that fluids that fill their box stay pressed
    /// together \[Pa\].
    #[schemars(range(min = 0.0, max = 1e9))]
    pub background_pressure: f64,
    /// How much harder pressure pushes particles of two fluids apart than those of one, so that
    /// interfaces stay sharp: a part of it \[–\].
    #[schemars(range(min = 0.0, max = 1.0))]
    pub interface_sharpening: f64,
    /// How many times steps of single particles may be halved, a whole number; 0 if all take the
    /// same \[–\].
    #[schemars(range(min = 0.0, max = 6.0))]
    pub individual_steps: f64,
}

impl Default for WcsphModel {
    fn default() -> Self {
        WcsphModel {
            sound_speed: None,
            exponent: 7.0,
            artificial_viscosity: 0.05,
            courant: 0.4,
            density: Density::Summation,
            shifting: 0.0,
            background_pressure: 0.0,
            interface_sharpening: 0.0,
            individual_steps: 0.0,
        }
    }
}
