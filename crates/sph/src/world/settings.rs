//! Fluids and forces as plain data.

use hashfall_core::Real;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A material.
#[derive(Clone, Debug, PartialEq)]
pub struct Fluid {
    /// The name in the scene.
    pub name: String,
    /// Rest density \[kg/m³\].
    pub rest_density: Real,
    /// Kinematic viscosity \[m²/s\].
    pub viscosity: Real,
    /// Surface tension with the air, which is not simulated \[N/m\].
    pub surface_tension: Real,
    /// Stiffness k, the squared speed of sound; for
    /// [`Solver::Multiphase`](super::Solver::Multiphase) alone \[m²/s²\].
    pub stiffness: Real,
}

impl Fluid {
    /// √(σ/ρd): the speed of capillary waves of the length of a few spacings `d` \[m\] \[m/s\].
    pub fn capillary_speed(&self, d: Real) -> Real {
        (self.surface_tension / (self.rest_density * d)).sqrt()
    }
}

/// What pulls where two fluids meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interface {
    /// Which fluids: two indices into the world's.
    pub fluids: [u8; 2],
    /// Their interfacial tension; positive \[N/m\].
    pub tension: Real,
}

/// How viscosity is solved for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum ViscositySolver {
    /// As a force by the present velocities, which limits the time step.
    #[default]
    Explicit,
    /// Implicitly, of second order in time: no step is too long for it.
    Implicit,
}

impl Default for Fluid {
    /// Water, without surface tension.
    fn default() -> Self {
        Fluid {
            name: "water".to_owned(),
            rest_density: 1000.0,
            viscosity: 1e-6,
            surface_tension: 0.0,
            stiffness: 0.0,
        }
    }
}

/// A body force beside gravity: an acceleration by place and time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum BodyForce {
    /// Towards a point, in proportion to the distance from it.
    Central {
        /// The point \[m\].
        centre: [f64; 3],
        /// Acceleration per distance \[1/s²\].
        #[schemars(range(min = 0.0, max = 1e6))]
        stiffness: f64,
    },
    /// The same everywhere: accelerations \[m/s²\] at ascending times \[s\].
    Table(Vec<(f64, [f64; 3])>),
}

/// What a force adds to the accelerations by place and time. A force of another kind is a term of
/// the step, and adds neither.
impl BodyForce {
    /// The rows of a table.
    pub fn table(&self) -> Option<&[(f64, [f64; 3])]> {
        match self {
            BodyForce::Table(rows) => Some(rows),
            BodyForce::Central { .. } => None,
        }
    }

    /// The centre of a central force \[m\], and its stiffness \[1/s²\].
    pub fn central(&self) -> Option<(&[f64; 3], f64)> {
        match self {
            BodyForce::Central { centre, stiffness } => Some((centre, *stiffness)),
            BodyForce::Table(_) => None,
        }
    }
}
