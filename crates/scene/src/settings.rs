//! Settings of a run beside the physics: frames, limits, checkpoints, previews, output.

use hashfall_sph::world::EnergyLimit;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// Frames of a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Frames {
    /// Number of frames after frame 0, which shows the initial state.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub count: u32,
    /// Frames per second of simulated time \[1/s\].
    #[schemars(range(min = 1e-3, max = 1e6))]
    pub rate: f64,
}

impl Frames {
    /// The time of a frame \[s\]; frame 0 is at t = 0.
    pub fn time(&self, frame: u32) -> f64 {
        f64::from(frame) / self.rate
    }
}

/// Limits at which the result counts as unphysical; `None` for no limit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Maximum compression ρ/ρ₀ − 1 of a particle after a step \[–\].
    #[schemars(range(min = 0.0, max = 1e30))]
    pub compression: Option<f64>,
    /// Maximum penetration of a particle into a solid offset by r after a step, in particle
    /// spacings.
    #[schemars(range(min = 0.0, max = 1e30))]
    pub penetration: Option<f64>,
    /// Maximum speed of a particle after a step \[m/s\].
    #[schemars(range(min = 0.0, max = 1e30))]
    pub speed: Option<f64>,
    /// Maximum number of particles outside the domain after a step.
    pub outside: Option<u32>,
    /// Maximum gain of kinetic and potential energy \[J\].
    pub energy_gain: Option<EnergyLimit>,
    /// Action when a limit is exceeded.
    pub on_breach: OnBreach,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            compression: Some(0.5),
            penetration: Some(0.1),
            speed: None,
            outside: Some(0),
            energy_gain: Some(EnergyLimit::Auto),
            on_breach: OnBreach::Stop,
        }
    }
}

/// Action when a limit is exceeded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum OnBreach {
    /// The run ends with an error.
    #[default]
    Stop,
    /// The run continues, with a warning at its end.
    Warn,
}

/// When checkpoints are written, in addition to those at the end of a run and when it is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Checkpoints {
    /// Number of frames between checkpoints; `None` for no checkpoints by frames.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub frames: Option<u32>,
    /// Minutes of wall-clock time between checkpoints; `None` for no checkpoints by time.
    #[schemars(range(min = 0.0, max = 1e6))]
    pub minutes: Option<f64>,
}

impl Default for Checkpoints {
    fn default() -> Self {
        Checkpoints { frames: None, minutes: Some(10.0) }
    }
}

/// Widths and heights of preview images \[pixels\].
pub const PREVIEW_SIDES: RangeInclusive<u32> = 16..=8192;
/// View angles of previews \[degrees\].
pub const PREVIEW_ANGLES: RangeInclusive<f64> = -360.0..=360.0;

/// Preview images that a run renders at its end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Preview {
    /// Number of frames from one image to the next.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub every: u32,
    /// Width and height of the images \[pixels\].
    #[schemars(transform = sides_within)]
    pub size: (u32, u32),
    /// Subject of the images.
    pub of: PreviewOf,
    /// View direction: azimuth from the front and elevation above the horizon \[degrees\]; `None`
    /// for the default view.
    #[schemars(transform = angles_within)]
    pub view: Option<(f64, f64)>,
}

impl Default for Preview {
    fn default() -> Self {
        Preview { every: 1, size: (960, 540), of: PreviewOf::Auto, view: None }
    }
}

/// Adds the bounds of width and height to a schema.
fn sides_within(schema: &mut Schema) {
    each_within(schema, (*PREVIEW_SIDES.start()).into(), (*PREVIEW_SIDES.end()).into());
}

/// Adds the bounds of both angles to a schema.
fn angles_within(schema: &mut Schema) {
    each_within(schema, (*PREVIEW_ANGLES.start()).into(), (*PREVIEW_ANGLES.end()).into());
}

/// Adds bounds to each number of a tuple.
fn each_within(schema: &mut Schema, least: serde_json::Value, most: serde_json::Value) {
    let items = schema.get_mut("prefixItems").and_then(|items| items.as_array_mut());
    for item in items.into_iter().flatten() {
        item["minimum"] = least.clone();
        item["maximum"] = most.clone();
    }
}

/// Subject of preview images.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum PreviewOf {
    /// The surface if it is written, otherwise the particles.
    #[default]
    Auto,
    /// The particles.
    Particles,
    /// The surface.
    Surface,
}
