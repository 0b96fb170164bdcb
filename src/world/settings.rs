//! What a run was asked to do, as plain data: written by the scene, read by the rooms above.

use super::EnergyLimit;
use crate::base::Real;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// A material.
#[derive(Clone, Debug, PartialEq)]
pub struct Fluid {
    /// The name in the scene.
    pub name: String,
    /// Rest density \[kg/m³\].
    pub rest_density: Real,
    /// Kinematic viscosity \[m²/s\].
    pub viscosity: Real,
    /// Surface tension with the air, which is not simulated \[N/m\].
    pub surface_tension: Real,
    /// Stiffness k, the squared speed of sound; for [`Solver::Multiphase`] alone \[m²/s²\].
    pub stiffness: Real,
}

/// What pulls where two fluids meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interface {
    /// Which fluids: two indices into the world's.
    pub fluids: [u8; 2],
    /// Their interfacial tension; positive \[N/m\].
    pub tension: Real,
}

/// How viscosity is solved for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum ViscositySolver {
    /// As a force by the present velocities (Morris, Fox & Zhu 1997), which limits the time step.
    #[default]
    Explicit,
    /// By the velocities at the end of the step (Weiler et al. 2018).
    Implicit,
}

/// How pressure is found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solver {
    /// Divergence-free SPH (Bender & Koschier 2017).
    Dfsph(Dfsph),
    /// Weakly compressible SPH (Becker & Teschner 2007).
    Wcsph(Wcsph),
    /// Multi-phase SPH with averaged forces (Onderik & Ďurikovič 2008).
    Multiphase(Multiphase),
    /// None: particles fly, and solids alone stop them.
    Ballistic(Ballistic),
}

/// Parameters of multi-phase SPH with averaged forces; stiffnesses are the fluids'.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Multiphase {
    /// Exponent γ of Tait's equation; 1 for the gas equation \[–\].
    pub exponent: u32,
    /// Rate at which sliding along solids fades \[1/s\].
    pub wet_friction: f64,
    /// Courant number α: part of the support radius that sound may cross in a step \[–\].
    pub courant: f64,
    /// Every step, but for the last of a frame \[s\]; `None` for steps by the Courant condition.
    pub time_step: Option<f64>,
    /// How many times steps of single particles may be halved; 0 if all take the same.
    pub individual_steps: u32,
}

impl Solver {
    /// How many times steps of single particles may be halved; 0 if all take the same.
    pub fn halvings(&self) -> u32 {
        match self {
            Solver::Wcsph(wcsph) => wcsph.individual_steps,
            Solver::Multiphase(multiphase) => multiphase.individual_steps,
            Solver::Dfsph(_) | Solver::Ballistic(_) => 0,
        }
    }
}

/// Parameters of flight without pressure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ballistic {
    /// Courant number: part of the spacing that the fastest particle may cross in a step \[–\].
    pub courant: f64,
}

/// Parameters of divergence-free SPH.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dfsph {
    /// Mean compression that is left, over the step that motion allows \[–\].
    pub max_density_error: f64,
    /// Mean compression that the velocities still lead to over such a step \[–\].
    pub max_divergence_error: f64,
    /// Iterations after which a solution is taken as it is.
    pub max_iterations: u32,
    /// Artificial viscosity α (Monaghan 1992), with √(p/ρ₀) in place of the speed of sound \[–\].
    pub artificial_viscosity: f64,
    /// Courant number: part of the spacing that the fastest particle may cross in a step \[–\].
    pub courant: f64,
}

/// Parameters of weakly compressible SPH.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wcsph {
    /// Speed of sound \[m/s\].
    pub sound_speed: f64,
    /// Exponent γ of Tait's equation \[–\].
    pub exponent: u32,
    /// Artificial viscosity α (Monaghan 1992) \[–\].
    pub artificial_viscosity: f64,
    /// Courant number: part of the spacing that sound may cross in a step \[–\].
    pub courant: f64,
    /// How densities are found.
    pub density: Density,
    /// Coefficient of particle shifting; 0 for none \[–\].
    pub shifting: f64,
    /// What is added to the pressure everywhere \[Pa\].
    pub background_pressure: f64,
    /// How much harder pressure pushes particles of two fluids apart than those of one: a part of
    /// it \[–\].
    pub interface_repulsion: f64,
    /// How many times steps of single particles may be halved; 0 if all take the same.
    pub individual_steps: u32,
}

/// How weakly compressible SPH finds densities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum Density {
    /// As sums over neighbours.
    #[default]
    Summation,
    /// They go with the flow.
    Continuity {
        /// ξ of δ-SPH \[–\].
        #[schemars(range(min = 0.0, max = 1.0))]
        diffusion: f64,
    },
}

/// A body force beside gravity: an acceleration by place and time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum BodyForce {
    /// Towards a point, in proportion to the distance from it.
    Central {
        /// The point \[m\].
        centre: [f64; 3],
        /// Acceleration per distance \[1/s²\].
        #[schemars(range(min = 0.0, max = 1e6))]
        stiffness: f64,
    },
    /// The same everywhere: accelerations \[m/s²\] at ascending times \[s\].
    Table(Vec<(f64, [f64; 3])>),
}

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

/// Iterations of smoothing of the normals of a surface that is moved, unless told otherwise.
const USUAL_NORMALS_SMOOTHING: u32 = 10;

/// How the surface is extracted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Surface {
    /// Edge of a marching-cubes cell, in particle radii.
    pub cell: f64,
    /// Iso value of the volume fraction field \[–\].
    #[schemars(range(min = 0.05, max = 0.95))]
    pub iso: f64,
    /// How many times narrower than h kernels may be across thin sheets; 1 for round ones.
    #[schemars(range(min = 1.0, max = 4.0))]
    pub anisotropy: f64,
    /// Whether short edges and slivers are collapsed.
    pub cleanup: bool,
    /// Iterations of Laplacian smoothing; 0 for none.
    #[schemars(range(min = 0, max = 1000))]
    pub smoothing: u32,
    /// Whether spray is not smoothed, and thin sheets less than flat surfaces.
    pub smoothing_weights: bool,
    /// Iterations of smoothing of the normals; `None` for some where the surface is moved, and
    /// else none.
    #[schemars(range(min = 0, max = 1000))]
    pub normals_smoothing: Option<u32>,
    /// How far the surface may be moved to save triangles, in particle radii; 0 saves none.
    #[schemars(range(min = 0.0, max = 2.0))]
    pub decimation: f64,
    /// Least volume of a body, in volumes of a particle; 0 keeps all.
    #[schemars(range(min = 0.0, max = 1e9))]
    pub smallest_body: f64,
    /// Whether smaller bodies make a surface of their own; otherwise they are left out.
    pub spray: bool,
    /// What the surface does at walls and solids.
    pub clip: Clip,
    /// Whether several fluids make one surface, not one each.
    pub together: bool,
}

/// How much kernels of a surface may be [stretched](Surface::anisotropy).
pub const ANISOTROPY: RangeInclusive<f64> = 1.0..=4.0;

/// What the surface does at walls and solids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Clip {
    /// It lies on them.
    Flat,
    /// It knows nothing of them.
    #[default]
    Free,
}

impl Surface {
    /// Whether anything is done to the mesh after marching cubes.
    pub fn is_finished(&self) -> bool {
        self.cleanup
            || self.smoothing > 0
            || self.smallest_body > 0.0
            || self.decimation > 0.0
            || self.clip == Clip::Flat
    }

    /// Whether the surface is moved off the field's, whose normals are not its own any more.
    pub fn is_moved(&self) -> bool {
        self.smoothing > 0 || self.decimation > 0.0 || self.clip == Clip::Flat
    }

    /// Iterations of smoothing of the normals.
    pub fn normals_iterations(&self) -> u32 {
        let usual = if self.is_moved() { USUAL_NORMALS_SMOOTHING } else { 0 };
        self.normals_smoothing.unwrap_or(usual)
    }
}

impl Default for Surface {
    fn default() -> Self {
        Surface {
            cell: 0.5,
            iso: 0.6,
            anisotropy: 1.0,
            cleanup: false,
            smoothing: 0,
            smoothing_weights: true,
            normals_smoothing: None,
            decimation: 0.0,
            smallest_body: 0.0,
            spray: false,
            clip: Clip::Free,
            together: false,
        }
    }
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
