//! The domain of a scene with its walls, and boxes and rotations in it.

use hashfall_solid::ContactLaw;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The domain.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum Domain {
    /// An axis-aligned box with the fluid inside.
    Box {
        /// Lowest corner \[m\].
        min: [f64; 3],
        /// Highest corner \[m\].
        max: [f64; 3],
        /// Axes with periodic boundaries in place of walls.
        #[serde(default)]
        periodic: [bool; 3],
        /// Contact law of the walls.
        #[serde(default)]
        contact: ContactLaw,
        /// Contact laws of single walls, which override `contact`.
        #[serde(default)]
        sides: Sides,
    },
}

/// Contact laws of single walls; `None` for the law of the domain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Sides {
    /// The wall at low x.
    pub x_min: Option<ContactLaw>,
    /// The wall at high x.
    pub x_max: Option<ContactLaw>,
    /// The wall at low y.
    pub y_min: Option<ContactLaw>,
    /// The wall at high y.
    pub y_max: Option<ContactLaw>,
    /// The floor.
    pub z_min: Option<ContactLaw>,
    /// The ceiling.
    pub z_max: Option<ContactLaw>,
}

impl Sides {
    /// Each with its key, in the order low x, high x, low y, …
    pub fn all(&self) -> [(&'static str, Option<ContactLaw>); 6] {
        [
            ("x_min", self.x_min),
            ("x_max", self.x_max),
            ("y_min", self.y_min),
            ("y_max", self.y_max),
            ("z_min", self.z_min),
            ("z_max", self.z_max),
        ]
    }
}

/// A box that bounds a region.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Region {
    /// Lowest corner \[m\].
    pub min: [f64; 3],
    /// Highest corner \[m\].
    pub max: [f64; 3],
}

pub(super) fn one() -> f64 {
    1.0
}

/// A rotation about an axis through the origin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Rotation {
    /// Direction of the axis; any length but zero.
    pub axis: [f64; 3],
    /// Angle, counter-clockwise seen against the axis \[°\].
    #[schemars(range(min = -1e6, max = 1e6))]
    pub degrees: f64,
}

/// Which axis of a file points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Up {
    /// The z axis, as in scenes.
    #[default]
    Z,
    /// The y axis, as in Blender's and Maya's exports: it is turned onto z.
    Y,
}

impl Default for Rotation {
    fn default() -> Self {
        Rotation { axis: [0.0, 0.0, 1.0], degrees: 0.0 }
    }
}
