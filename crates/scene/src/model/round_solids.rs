//! Solids of a scene that are bodies of revolution: a ball, a cylinder, a capsule, a cone.

use super::body_motion::BodyMotion;
use hashfall_solid::ContactLaw;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One solid ball.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Ball", deny_unknown_fields)]
pub struct BallModel {
    /// Name, by which nodes of elastic bodies are tied to it; `None` for its index alone.
    #[serde(default)]
    pub name: Option<String>,
    /// Centre \[m\].
    pub centre: [f64; 3],
    /// Radius \[m\].
    #[schemars(range(min = 1e-6, max = 1e6))]
    pub radius: f64,
    /// Contact law.
    #[serde(default)]
    pub contact: ContactLaw,
    /// Motion.
    #[serde(default)]
    pub motion: BodyMotion,
}

/// A solid cylinder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Cylinder", deny_unknown_fields)]
pub struct CylinderModel {
    /// Name, by which nodes of elastic bodies are tied to it; `None` for its index alone.
    #[serde(default)]
    pub name: Option<String>,
    /// Centre of one end \[m\].
    pub from: [f64; 3],
    /// Centre of the other end \[m\].
    pub to: [f64; 3],
    /// Radius \[m\].
    #[schemars(range(min = 1e-6, max = 1e6))]
    pub radius: f64,
    /// Contact law.
    #[serde(default)]
    pub contact: ContactLaw,
    /// Motion.
    #[serde(default)]
    pub motion: BodyMotion,
}

/// A solid capsule: all within a radius of a line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Capsule", deny_unknown_fields)]
pub struct CapsuleModel {
    /// Name, by which nodes of elastic bodies are tied to it; `None` for its index alone.
    #[serde(default)]
    pub name: Option<String>,
    /// Centre of the half ball at one end \[m\].
    pub from: [f64; 3],
    /// Centre of the half ball at the other end \[m\].
    pub to: [f64; 3],
    /// Radius \[m\].
    #[schemars(range(min = 1e-6, max = 1e6))]
    pub radius: f64,
    /// Contact law.
    #[serde(default)]
    pub contact: ContactLaw,
    /// Motion.
    #[serde(default)]
    pub motion: BodyMotion,
}

/// A solid cone, or a frustum of one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Cone", deny_unknown_fields)]
pub struct ConeModel {
    /// Name, by which nodes of elastic bodies are tied to it; `None` for its index alone.
    #[serde(default)]
    pub name: Option<String>,
    /// Centre of the base \[m\].
    pub from: [f64; 3],
    /// The tip, or the centre of the end of a frustum \[m\].
    pub to: [f64; 3],
    /// Radius of the base \[m\].
    #[schemars(range(min = 1e-6, max = 1e6))]
    pub radius: f64,
    /// Radius at the tip, positive for a frustum \[m\].
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1e6))]
    pub tip_radius: f64,
    /// Contact law.
    #[serde(default)]
    pub contact: ContactLaw,
    /// Motion.
    #[serde(default)]
    pub motion: BodyMotion,
}
