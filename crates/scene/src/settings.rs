//! What a run is asked to do beside the physics: frames, limits, checkpoints, previews, output.

use hashfall_sph::world::EnergyLimit;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// How many frames, and when.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Frames {
    /// Frames after the first, which shows the start.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub count: u32,
    /// Frames per second of simulated time \[1/s\].
    #[schemars(range(min = 1e-3, max = 1e6))]
    pub rate: f64,
}

impl Frames {
    /// The time of a frame \[s\]; frame 0 stands at the start.
    pub fn time(&self, frame: u32) -> f64 {
        f64::from(frame) / self.rate
    }
}

/// How far a run may go before it is not to be believed; `None` for no limit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Compression ρ/ρ₀ − 1 of a particle after a step \[–\].
    #[schemars(range(min = 0.0, max = 1e30))]
    pub compression: Option<f64>,
    /// How deep a particle's centre lies beyond a surface offset by its radius after a step, in
    /// particle spacings.
    #[schemars(range(min = 0.0, max = 1e30))]
    pub penetration: Option<f64>,
    /// Speed of a particle after a step \[m/s\].
    #[schemars(range(min = 0.0, max = 1e30))]
    pub speed: Option<f64>,
    /// Particles outside the domain after a step.
    pub outside: Option<u32>,
    /// Kinetic and potential energy gained since the start \[J\].
    pub energy_gain: Option<EnergyLimit>,
    /// What happens beyond.
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

/// What happens when a run goes beyond a limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum OnBreach {
    /// It ends.
    #[default]
    Stop,
    /// It goes on, and is warned of at its end.
    Warn,
}

/// When checkpoints are written, beside those when a run is stopped and when it ends.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Checkpoints {
    /// After every so many frames.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub frames: Option<u32>,
    /// After every so many minutes of wall-clock time.
    #[schemars(range(min = 0.0, max = 1e6))]
    pub minutes: Option<f64>,
}

impl Default for Checkpoints {
    fn default() -> Self {
        Checkpoints { frames: None, minutes: Some(10.0) }
    }
}

/// Sides of a preview's pictures \[pixels\].
pub const PREVIEW_SIDES: RangeInclusive<u32> = 16..=8192;
/// Angles that previews are seen under \[degrees\].
pub const PREVIEW_ANGLES: RangeInclusive<f64> = -360.0..=360.0;

/// The previews that a run makes of itself at its end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Preview {
    /// A picture of every so manieth frame.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub every: u32,
    /// Width and height of the pictures \[pixels\].
    #[schemars(transform = sides_within)]
    pub size: (u32, u32),
    /// What they show.
    pub of: PreviewOf,
    /// From where: about the vertical from the front, and above the horizon \[degrees\].
    #[schemars(transform = angles_within)]
    pub view: Option<(f64, f64)>,
}

impl Default for Preview {
    fn default() -> Self {
        Preview { every: 1, size: (960, 540), of: PreviewOf::Auto, view: None }
    }
}

/// Tells a schema the bounds of both sides of a picture.
fn sides_within(schema: &mut Schema) {
    each_within(schema, (*PREVIEW_SIDES.start()).into(), (*PREVIEW_SIDES.end()).into());
}

/// Tells a schema the bounds of both angles of a view.
fn angles_within(schema: &mut Schema) {
    each_within(schema, (*PREVIEW_ANGLES.start()).into(), (*PREVIEW_ANGLES.end()).into());
}

/// Tells a schema the bounds of each of several numbers.
fn each_within(schema: &mut Schema, least: serde_json::Value, most: serde_json::Value) {
    let items = schema.get_mut("prefixItems").and_then(|items| items.as_array_mut());
    for item in items.into_iter().flatten() {
        item["minimum"] = least.clone();
        item["maximum"] = most.clone();
    }
}

/// What previews show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum PreviewOf {
    /// The surface if it is written, else the particles.
    #[default]
    Auto,
    /// The particles.
    Particles,
    /// The surface.
    Surface,
}

/// File formats for surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum SurfaceFormat {
    /// Binary PLY with normals and `vx vy vz`, for Blender.
    Ply,
    /// VTK PolyData, for ParaView.
    Vtp,
}

/// What is written per frame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Output {
    /// Particles as `.vtp`.
    pub particles: bool,
    /// Formats of the surface, if one is extracted.
    pub surface: Vec<SurfaceFormat>,
}

impl Default for Output {
    fn default() -> Self {
        Output { particles: true, surface: vec![SurfaceFormat::Ply, SurfaceFormat::Vtp] }
    }
}
