//! How a surface acts on fluid that touches it: keys of a scene, with their defaults.

use crate::base::{Vec3, vec3};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a surface acts on fluid that touches it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Contact", default, deny_unknown_fields)]
pub struct ContactLaw {
    /// Whether the fluid slips along it, as far as viscosity goes.
    pub slip: Slip,
    /// Coulomb's μ: the most tangential momentum that contact takes, over the normal one \[–\].
    #[schemars(range(min = 0.0, max = 1e3))]
    pub friction: f64,
    /// Newton's e: the normal speed after an impact over that before \[–\].
    #[schemars(range(min = 0.0, max = 1.0))]
    pub restitution: f64,
    /// Of the surface in itself \[m/s\], as of a belt: the solid stays where it is, and only what
    /// is tangential to it acts.
    pub velocity: [f64; 3],
}

/// Whether fluid slips along a surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Slip {
    /// It slides freely.
    #[default]
    Free,
    /// It sticks: viscosity acts between the two.
    No,
}

impl ContactLaw {
    /// The velocity of the surface in the state's precision \[m/s\].
    pub fn surface_velocity(&self) -> Vec3 {
        vec3(self.velocity)
    }

    /// Whether contact does nothing but stop what comes.
    pub fn is_plain(&self) -> bool {
        self.friction == 0.0 && self.restitution == 0.0
    }
}
