//! Fluids of a scene: materials and interfacial tensions; their shapes are in
//! [`super::fluid_shapes`].

use crate::model::FluidShape;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A fluid and its initial shapes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Fluid", deny_unknown_fields)]
pub struct FluidModel {
    /// Name in messages and output files.
    pub name: String,
    /// Rest density \[kg/m³\].
    #[schemars(range(min = 1e-3, max = 1e6))]
    pub rest_density: f64,
    /// Kinematic viscosity \[m²/s\].
    #[schemars(range(min = 0.0, max = 1e4))]
    pub viscosity: f64,
    /// Surface tension with air, which is not simulated \[N/m\].
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1e3))]
    pub surface_tension: f64,
    /// Stiffness k, for the solver `Multiphase` only; `None` for that of the solver \[m²/s²\].
    #[serde(default)]
    #[schemars(range(min = 1e-6, max = 1e10))]
    pub stiffness: Option<f64>,
    /// Shapes filled at the start; may be empty for a fluid that is emitted later.
    #[serde(default)]
    pub shapes: Vec<FluidShape>,
}

/// Interfacial tension between two fluids.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Interface", deny_unknown_fields)]
pub struct InterfaceModel {
    /// Names of the two fluids.
    pub between: (String, String),
    /// Interfacial tension \[N/m\].
    #[schemars(range(min = 1e-9, max = 1e3))]
    pub tension: f64,
}
