//! Motions of solids: prescribed, set by a program, or free.

use crate::model::Rotation;
use hashfall_solid::Recording;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Motion of a solid, relative to its placement in the scene.
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
    /// Velocities that a program sets between steps, through the library or the Python package;
    /// until then, and in a run of `sim`, the solid rests.
    Driven {
        /// Point that is moved by the velocity and about which the solid turns, in the initial
        /// placement \[m\].
        #[serde(default)]
        pivot: [f64; 3],
    },
    /// Free motion of a rigid body by its weight, the fluid, and contact.
    Free(FreeMotion),
}

/// Free motion of a rigid body. Its centre of mass and its inertia are those of its shape, evenly
/// filled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Free", deny_unknown_fields)]
pub struct FreeMotion {
    /// Density; `None` if `mass` is given \[kg/m³\].
    #[serde(default)]
    #[schemars(range(min = 1e-3, max = 1e6))]
    pub density: Option<f64>,
    /// Mass, in the plane of a metre of depth; `None` if `density` is given \[kg\].
    #[serde(default)]
    #[schemars(range(min = 1e-12, max = 1e18))]
    pub mass: Option<f64>,
    /// Velocity of the centre of mass at the start \[m/s\].
    #[serde(default)]
    pub velocity: [f64; 3],
    /// Angular velocity at the start \[rad/s\].
    #[serde(default)]
    pub spin: [f64; 3],
    /// Motions that are held, along and about the axes of the domain.
    #[serde(default)]
    pub locked: Vec<LockedAxis>,
    /// Time at which it is let go; until then it stays in its place \[s\].
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1e9))]
    pub from: f64,
    /// Coefficient of Coulomb friction against walls and other solids; against another free body
    /// the smaller of both holds \[–\].
    #[serde(default = "rough")]
    #[schemars(range(min = 0.0, max = 1e3))]
    pub friction: f64,
    /// Newton's coefficient of restitution against walls and other solids; against another free
    /// body the larger of both holds \[–\].
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub restitution: f64,
}

fn rough() -> f64 {
    0.5
}

/// A motion that is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum LockedAxis {
    /// Along x.
    X,
    /// Along y.
    Y,
    /// Along z.
    Z,
    /// About x.
    AboutX,
    /// About y.
    AboutY,
    /// About z.
    AboutZ,
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
