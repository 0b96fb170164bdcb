//! Emitters and sinks of a scene.

use crate::model::{Rotation, Up};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An opening through which fluid flows in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Emitter", deny_unknown_fields)]
pub struct EmitterModel {
    /// Name of the fluid; may be omitted if the scene has one fluid.
    #[serde(default)]
    pub fluid: Option<String>,
    /// Shape of the opening.
    pub from: Opening,
    /// Inflow speed \[m/s\].
    #[schemars(range(min = 1e-6, max = 1e4))]
    pub speed: f64,
    /// Inflow direction, of any length but zero; `None` for the normal of the opening.
    #[serde(default)]
    pub direction: Option<[f64; 3]>,
    /// Time at which inflow starts \[s\].
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1e9))]
    pub start: f64,
    /// Time at which inflow ends \[s\]; `None` for the end of the run.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1e9))]
    pub end: Option<f64>,
}

/// A flat opening.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum Opening {
    /// A disc; in two dimensions a line of twice the radius.
    Disc {
        /// Centre \[m\].
        centre: [f64; 3],
        /// Normal of the opening, in the direction of flow, of any length but zero.
        normal: [f64; 3],
        /// Radius \[m\].
        #[schemars(range(min = 1e-6, max = 1e6))]
        radius: f64,
    },
    /// A rectangle.
    Rectangle {
        /// Centre \[m\].
        centre: [f64; 3],
        /// Normal of the opening, in the direction of flow, of any length but zero.
        normal: [f64; 3],
        /// Lengths of the horizontal edges and of the others; along x and y if the opening is
        /// horizontal \[m\].
        size: (f64, f64),
    },
    /// The faces of a flat mesh from a file, scaled, then rotated, then translated.
    Mesh {
        /// Mesh file, STL, PLY, OBJ, glTF, VTK (`.vtk`, `.vtp`, `.vtu`) or Gmsh (`.msh`), relative
        /// to the scene file.
        path: String,
        /// Axis of the file that points up, turned onto z first; `None` for that of its format: y
        /// of glTF, z of all others.
        #[serde(default)]
        up: Option<Up>,
        /// Scale factor, applied first \[–\].
        #[serde(default = "super::domain::one")]
        #[schemars(range(min = 1e-9, max = 1e9))]
        scale: f64,
        /// Rotation about the origin, applied second.
        #[serde(default)]
        rotate: Rotation,
        /// Translation, applied last \[m\].
        #[serde(default)]
        translate: [f64; 3],
    },
}

impl Opening {
    /// Whether its shape is a mesh file.
    pub fn is_mesh(&self) -> bool {
        matches!(self, Opening::Mesh { .. })
    }
}

/// A region in which fluid is removed.
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
        /// Centre \[m\].
        centre: [f64; 3],
        /// Radius \[m\].
        #[schemars(range(min = 1e-6, max = 1e6))]
        radius: f64,
    },
}
