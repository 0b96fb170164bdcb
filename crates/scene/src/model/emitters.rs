//! What a scene says of fluid that comes in and goes out.

use crate::model::Rotation;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An opening that fluid comes out of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Emitter", deny_unknown_fields)]
pub struct EmitterModel {
    /// The name of the fluid; it may be left out where there is but one.
    #[serde(default)]
    pub fluid: Option<String>,
    /// The opening.
    pub from: Opening,
    /// Speed of the fluid \[m/s\].
    #[schemars(range(min = 1e-6, max = 1e4))]
    pub speed: f64,
    /// Where it goes, of any length but zero; `None`: along the opening's normal.
    #[serde(default)]
    pub direction: Option<[f64; 3]>,
    /// From when on \[s\].
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1e9))]
    pub start: f64,
    /// Until when \[s\]; `None`: to the end of the run.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1e9))]
    pub end: Option<f64>,
}

/// A flat opening.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum Opening {
    /// A round one; in the plane a line of twice the radius.
    Disc {
        /// Its middle \[m\].
        centre: [f64; 3],
        /// Square to it, outwards; of any length but zero.
        normal: [f64; 3],
        /// Its radius \[m\].
        #[schemars(range(min = 1e-6, max = 1e6))]
        radius: f64,
    },
    /// A rectangle.
    Rectangle {
        /// Its middle \[m\].
        centre: [f64; 3],
        /// Square to it, outwards; of any length but zero.
        normal: [f64; 3],
        /// Length of its level edges and of the others; along x and y if it lies flat \[m\].
        size: (f64, f64),
    },
    /// The faces of a flat mesh from an OBJ file, scaled, then rotated, then moved.
    Mesh {
        /// OBJ file, relative to the scene file.
        path: String,
        /// Factor on all lengths, first \[–\].
        #[serde(default = "super::domain::one")]
        #[schemars(range(min = 1e-9, max = 1e9))]
        scale: f64,
        /// Rotation about the origin, second.
        #[serde(default)]
        rotate: Rotation,
        /// Displacement, last \[m\].
        #[serde(default)]
        translate: [f64; 3],
    },
}

impl Opening {
    /// Whether its shape is in a file.
    pub fn is_mesh(&self) -> bool {
        matches!(self, Opening::Mesh { .. })
    }
}

/// Where fluid goes out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum SinkModel {
    /// A box along the axes.
    Box {
        /// Lowest corner \[m\].
        min: [f64; 3],
        /// Highest corner \[m\].
        max: [f64; 3],
    },
    /// A ball.
    Ball {
        /// Its middle \[m\].
        centre: [f64; 3],
        /// Its radius \[m\].
        #[schemars(range(min = 1e-6, max = 1e6))]
        radius: f64,
    },
}
