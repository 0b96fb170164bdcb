//! How viscosity is integrated in time.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Time integration of viscosity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "ViscositySolver")]
pub enum ViscosityModel {
    /// Implicit where the explicit force would limit the time step.
    #[default]
    Auto,
    /// As an explicit force, which limits the time step.
    Explicit,
    /// Implicit, of second order in time: no step is too long for it.
    Implicit,
}
