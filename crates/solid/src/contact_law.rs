//! How a surface acts on fluid that touches it: keys of a scene, with their defaults.

use crate::contact_angle::ContactAngle;
use hashfall_core::{Vec3, vec3};
#[cfg(feature = "serde")]
use schemars::JsonSchema;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// How a surface acts on fluid that touches it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename = "Contact", default, deny_unknown_fields))]
pub struct ContactLaw {
    /// Whether the fluid slips along it, as far as viscosity goes.
    pub slip: Slip,
    /// Coulomb's μ: the most tangential momentum that contact takes, over the normal one \[–\].
    #[cfg_attr(feature = "serde", schemars(range(min = 0.0, max = 1e3)))]
    pub friction: f64,
    /// Newton's e: the normal speed after an impact over that before \[–\].
    #[cfg_attr(feature = "serde", schemars(range(min = 0.0, max = 1.0)))]
    pub restitution: f64,
    /// Of the surface in itself \[m/s\], as of a belt: the solid stays where it is, and only what
    /// is tangential to it acts.
    pub velocity: [f64; 3],
    /// Young's θ, or the advancing and the receding angle: at which a free surface with tension
    /// meets it, measured through the fluid; below 90 it draws the fluid on, above it makes it bead
    /// \[°\].
    pub contact_angle: ContactAngle,
}

impl Default for ContactLaw {
    fn default() -> Self {
        ContactLaw {
            slip: Slip::Free,
            friction: 0.0,
            restitution: 0.0,
            velocity: [0.0; 3],
            contact_angle: ContactAngle::new(90.0),
        }
    }
}

/// Whether fluid slips along a surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema))]
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
