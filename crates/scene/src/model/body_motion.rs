//! Prescribed motions of solids.

use crate::model::Rotation;
use hashfall_solid::Recording;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Prescribed motion of a solid, relative to its placement in the scene.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum BodyMotion {
    /// No motion.
    #[default]
    Still,
    /// Interpolation between keyframes.
    Keyframes {
        /// Keyframes in ascending order of time; at least two.
        keys: Vec<KeyModel>,
        /// Centre of rotation in the initial placement \[m\].
        #[serde(default)]
        pivot: [f64; 3],
        /// Interpolation between two keyframes.
        #[serde(default)]
        between: Between,
        /// Motion after the last keyframe.
        #[serde(default)]
        after: After,
    },
    /// Formulas of the time t in seconds.
    Formula {
        /// Formulas of the displacement along x, y and z \[m\].
        #[serde(default = "nothing")]
        translate: [String; 3],
        /// Formula of the rotation angle \[°\].
        #[serde(default = "zero")]
        degrees: String,
        /// Direction of the rotation axis, of any length but zero.
        #[serde(default = "upright")]
        axis: [f64; 3],
        /// Point on the axis, which moves with the displacement \[m\].
        #[serde(default)]
        pivot: [f64; 3],
    },
    /// A recorded motion, from a table of measured positions.
    Table {
        /// CSV file with the columns `time` (s) and any of `x`, `y`, `z` (m) and `degrees` (°),
        /// relative to the scene file.
        path: String,
        /// Direction of the rotation axis, of any length but zero.
        #[serde(default = "upright")]
        axis: [f64; 3],
        /// Point on the axis, which moves with the displacement \[m\].
        #[serde(default)]
        pivot: [f64; 3],
        /// The motion that the file tells, once it is read.
        #[serde(skip)]
        recording: Option<Arc<Recording>>,
    },
    /// Steady rotation about an axis.
    Spin {
        /// Rate of rotation, counter-clockwise seen against the axis \[1/min\].
        #[schemars(range(min = -1e6, max = 1e6))]
        rpm: f64,
        /// Direction of the rotation axis, of any length but zero.
        #[serde(default = "upright")]
        axis: [f64; 3],
        /// Point on the axis \[m\].
        #[serde(default)]
        pivot: [f64; 3],
    },
}

/// A keyframe: the pose of a solid at a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Key", deny_unknown_fields)]
pub struct KeyModel {
    /// Time of the keyframe \[s\].
    #[schemars(range(min = -1e9, max = 1e9))]
    pub time: f64,
    /// Displacement \[m\].
    #[serde(default)]
    pub translate: [f64; 3],
    /// Rotation about the pivot.
    #[serde(default)]
    pub rotate: Rotation,
}

/// Interpolation between two keyframes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Between {
    /// Linear in time.
    #[default]
    Linear,
    /// Smooth step in time, with zero velocity at each keyframe.
    Smooth,
}

/// Motion after the last keyframe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum After {
    /// Hold the last pose.
    #[default]
    Hold,
    /// Repeat from the first keyframe.
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
