//! What a scene file says of how solids move.

use crate::model::Rotation;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a solid moves, from where the scene places it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum BodyMotion {
    /// It stands.
    #[default]
    Still,
    /// From key to key.
    Keyframes {
        /// Where it is when, in the order of time; at least two.
        keys: Vec<KeyModel>,
        /// The point of the solid that rotations are about, where the scene places it \[m\].
        #[serde(default)]
        pivot: [f64; 3],
        /// How it goes from one key to the next.
        #[serde(default)]
        between: Between,
        /// What it does after the last.
        #[serde(default)]
        after: After,
    },
    /// By formulas of the time t, in seconds.
    Formula {
        /// Displacement along x, y and z \[m\].
        #[serde(default = "nothing")]
        translate: [String; 3],
        /// Angle of the rotation \[°\].
        #[serde(default = "zero")]
        degrees: String,
        /// Direction of the axis; any length but zero.
        #[serde(default = "upright")]
        axis: [f64; 3],
        /// A point of the axis, which goes with the displacement \[m\].
        #[serde(default)]
        pivot: [f64; 3],
    },
    /// At a steady rate about an axis.
    Spin {
        /// Revolutions per minute, counter-clockwise seen against the axis.
        #[schemars(range(min = -1e6, max = 1e6))]
        rpm: f64,
        /// Direction of the axis; any length but zero.
        #[serde(default = "upright")]
        axis: [f64; 3],
        /// A point of the axis \[m\].
        #[serde(default)]
        pivot: [f64; 3],
    },
}

/// Where a solid is at a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Key", deny_unknown_fields)]
pub struct KeyModel {
    /// When it is there \[s\].
    #[schemars(range(min = -1e9, max = 1e9))]
    pub time: f64,
    /// Displacement \[m\].
    #[serde(default)]
    pub translate: [f64; 3],
    /// Rotation about the pivot.
    #[serde(default)]
    pub rotate: Rotation,
}

/// How a solid goes from one key to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Between {
    /// Straight and evenly.
    #[default]
    Linear,
    /// Straight, speeding up and slowing down: it rests for an instant at each key.
    Smooth,
}

/// What a solid does after its last key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum After {
    /// It stays where it is.
    #[default]
    Hold,
    /// It begins again with the first.
    Repeat,
}

fn zero() -> String {
    "0".to_owned()
}

fn nothing() -> [String; 3] {
    std::array::from_fn(|_| zero())
}

fn upright() -> [f64; 3] {
    [0.0, 0.0, 1.0]
}
