//! What a scene file says, as plain data: SI units, double precision, no behaviour.
//!
//! The names here are the keys of the RON file. Optional keys carry their defaults, so that a
//! [`Model`] written back as text spells out everything that was left to default.

mod body_motion;
mod exchange;
mod fluids;
mod solids;

pub use body_motion::{After, Between, BodyMotion, KeyModel};
pub use exchange::{EmitterModel, Opening, SinkModel};
pub use fluids::{FluidModel, FluidShape, InterfaceModel, Jitter, Motion, StartPressure};
pub use solids::{
    BallsModel, BoxModel, Inside, LatticeField, MeshModel, RandomField, SizeLaw, SolidModel,
    SphereField, SphereModel,
};

use crate::settings::{Checkpoints, Frames, Limits, Output, Preview};
use hashfall_core::Dimension;
use hashfall_core::kernel::KernelKind;
use hashfall_search::{BroadPhaseKind, NeighborKind, SearchSettings};
use hashfall_solid::ContactLaw;
use hashfall_sph::world::{BodyForce, Density, Probes};
use hashfall_surface::SurfaceSettings;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Scene", deny_unknown_fields)]
pub struct Model {
    /// How many frames, and how often.
    pub frames: Frames,
    /// Space, or the plane of x and z.
    #[serde(default)]
    pub dimensions: Dimension,
    /// Gravity \[m/s²\]; z points up.
    #[serde(default = "standard_gravity")]
    pub gravity: [f64; 3],
    /// Body forces beside gravity.
    #[serde(default)]
    pub forces: Vec<BodyForce>,
    /// The fluid stays inside.
    pub domain: Domain,
    /// Particle radius r \[m\]; particles start 2r apart.
    #[schemars(range(min = 1e-6, max = 1e3))]
    pub particle_radius: f64,
    /// Support radius h of the kernel \[m\]; 4r unless given, 6r where surfaces pull.
    #[serde(default)]
    pub support_radius: Option<f64>,
    /// Shape of the kernel.
    #[serde(default)]
    pub kernel: KernelKind,
    /// Materials with the shapes that they fill at the start.
    #[schemars(length(min = 1, max = 255))]
    pub fluids: Vec<FluidModel>,
    /// Tensions where two fluids meet.
    #[serde(default)]
    pub interfaces: Vec<InterfaceModel>,
    /// Obstacles.
    #[serde(default)]
    pub solids: Vec<SolidModel>,
    /// Where fluid comes in.
    #[serde(default)]
    #[schemars(length(max = 255))]
    pub emitters: Vec<EmitterModel>,
    /// Where it goes out.
    #[serde(default)]
    pub sinks: Vec<SinkModel>,
    /// As long as there are so many particles, emitters wait; `None`: they never do.
    #[serde(default)]
    #[schemars(range(min = 1, max = 20_000_000))]
    pub max_particles: Option<u32>,
    /// How pressure is found.
    #[serde(default = "default_solver")]
    pub solver: SolverModel,
    /// How viscosity is solved for.
    #[serde(default)]
    pub viscosity_solver: ViscosityModel,
    /// The structure that finds a particle's neighbours.
    #[serde(default)]
    pub neighbors: NeighborKind,
    /// Parameters of that structure.
    #[serde(default)]
    pub search: SearchSettings,
    /// The structure that finds the solids near a particle.
    #[serde(default)]
    pub broad_phase: BroadPhaseKind,
    /// How the fluid's surface is extracted; `None` writes no surface.
    #[serde(default = "default_surface")]
    pub surface: Option<SurfaceSettings>,
    /// What is written per frame.
    #[serde(default)]
    pub output: Output,
    /// What is measured between frames.
    #[serde(default)]
    pub probes: Probes,
    /// When checkpoints are written; `None` writes none.
    #[serde(default = "default_checkpoints")]
    pub checkpoints: Option<Checkpoints>,
    /// How far the run may go before it is not to be believed.
    #[serde(default)]
    pub limits: Limits,
    /// The previews that are made at its end; `None` makes none.
    #[serde(default)]
    pub preview: Option<Preview>,
}

impl Model {
    /// Support radius h \[m\]: as given, else 4r, or 6r where surfaces pull.
    pub fn support_radius(&self) -> f64 {
        let usual = if self.has_tension() { 6.0 } else { 4.0 };
        self.support_radius.unwrap_or(usual * self.particle_radius)
    }

    /// Whether surfaces pull.
    pub fn has_tension(&self) -> bool {
        !self.interfaces.is_empty() || self.fluids.iter().any(|fluid| fluid.surface_tension > 0.0)
    }

    /// How its surfaces act on fluid: those of the solids, then the walls.
    pub fn contacts(&self) -> Vec<ContactLaw> {
        let Domain::Box { contact, sides, .. } = &self.domain;
        let walls = sides.all().map(|(_, side)| side.unwrap_or(*contact));
        self.solids.iter().map(SolidModel::contact).chain(walls).collect()
    }
}

fn standard_gravity() -> [f64; 3] {
    [0.0, 0.0, -9.81]
}

fn default_solver() -> SolverModel {
    SolverModel::Dfsph(DfsphModel::default())
}

fn default_checkpoints() -> Option<Checkpoints> {
    Some(Checkpoints::default())
}

fn default_surface() -> Option<SurfaceSettings> {
    Some(SurfaceSettings::default())
}

/// How pressure is found.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Solver")]
pub enum SolverModel {
    /// Divergence-free SPH (Bender & Koschier 2017).
    Dfsph(DfsphModel),
    /// Weakly compressible SPH (Becker & Teschner 2007).
    Wcsph(WcsphModel),
    /// Multi-phase SPH with averaged forces (Onderik & Ďurikovič 2008).
    Multiphase(MultiphaseModel),
    /// None: particles fly, and solids alone stop them.
    Ballistic(BallisticModel),
}

/// How viscosity is solved for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "ViscositySolver")]
pub enum ViscosityModel {
    /// Implicit where as a force it would shorten the time step.
    #[default]
    Auto,
    /// As a force, which limits the time step.
    Explicit,
    /// By the velocities at the end of the step.
    Implicit,
}

/// Parameters of multi-phase SPH with averaged forces.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Multiphase", default, deny_unknown_fields)]
pub struct MultiphaseModel {
    /// Stiffness k of fluids that have none of their own, the squared speed of sound \[m²/s²\].
    #[schemars(range(min = 1e-6, max = 1e10))]
    pub stiffness: f64,
    /// Exponent γ of Tait's equation, a whole number; 1 for the gas equation \[–\].
    #[schemars(range(min = 1.0, max = 10.0))]
    pub exponent: f64,
    /// Rate at which sliding along solids fades \[1/s\].
    #[schemars(range(min = 0.0, max = 1e3))]
    pub wet_friction: f64,
    /// Courant number: part of the support radius that sound may cross in a step \[–\].
    #[schemars(range(min = 1e-3, max = 1.0))]
    pub courant: f64,
    /// Every step, but for the last of a frame \[s\]; `None` for steps by the Courant condition.
    #[schemars(range(min = 1e-9, max = 1.0))]
    pub time_step: Option<f64>,
    /// How many times steps of single particles may be halved, a whole number; 0 if all take the
    /// same \[–\].
    #[schemars(range(min = 0.0, max = 6.0))]
    pub individual_steps: f64,
}

impl Default for MultiphaseModel {
    fn default() -> Self {
        MultiphaseModel {
            stiffness: 20.0,
            exponent: 1.0,
            wet_friction: 0.0,
            courant: 0.3,
            time_step: None,
            individual_steps: 0.0,
        }
    }
}

/// Parameters of flight without pressure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Ballistic", default, deny_unknown_fields)]
pub struct BallisticModel {
    /// Courant number: part of the spacing that the fastest particle may cross in a step \[–\].
    #[schemars(range(min = 1e-3, max = 1.0))]
    pub courant: f64,
}

impl Default for BallisticModel {
    fn default() -> Self {
        BallisticModel { courant: 1.0 }
    }
}

/// Parameters of divergence-free SPH.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Dfsph", default, deny_unknown_fields)]
pub struct DfsphModel {
    /// Mean compression that is left, over the step that motion allows \[–\].
    #[schemars(range(min = 1e-6, max = 0.1))]
    pub max_density_error: f64,
    /// Mean compression that the velocities still lead to over such a step \[–\].
    #[schemars(range(min = 1e-6, max = 0.1))]
    pub max_divergence_error: f64,
    /// Iterations after which a solution is taken as it is, a whole number.
    #[schemars(range(min = 1.0, max = 1e5))]
    pub max_iterations: f64,
    /// Artificial viscosity α (Monaghan 1992), with √(p/ρ₀) in place of the speed of sound \[–\].
    #[schemars(range(min = 0.0, max = 10.0))]
    pub artificial_viscosity: f64,
    /// Courant number: part of the spacing that the fastest particle may cross in a step \[–\].
    #[schemars(range(min = 1e-3, max = 1.0))]
    pub courant: f64,
}

impl Default for DfsphModel {
    fn default() -> Self {
        DfsphModel {
            max_density_error: 1e-4,
            max_divergence_error: 1e-4,
            max_iterations: 200.0,
            artificial_viscosity: 0.2,
            courant: 0.4,
        }
    }
}

/// Parameters of weakly compressible SPH.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Wcsph", default, deny_unknown_fields)]
pub struct WcsphModel {
    /// Speed of sound \[m/s\]; `None` takes ten times the largest speed that the fluid can reach.
    #[schemars(range(min = 1e-3, max = 1e5))]
    pub sound_speed: Option<f64>,
    /// Exponent γ of Tait's equation, a whole number \[–\].
    #[schemars(range(min = 1.0, max = 10.0))]
    pub exponent: f64,
    /// Artificial viscosity α (Monaghan 1992) \[–\].
    #[schemars(range(min = 0.0, max = 10.0))]
    pub artificial_viscosity: f64,
    /// Courant number: part of the spacing that sound may cross in a step \[–\].
    #[schemars(range(min = 1e-3, max = 1.0))]
    pub courant: f64,
    /// How densities are found.
    pub density: Density,
    /// Coefficient of particle shifting; 0 for none \[–\].
    #[schemars(range(min = 0.0, max = 10.0))]
    pub shifting: f64,
    /// What is added to the pressure everywhere, so that fluids that fill their box stay pressed
    /// together \[Pa\].
    #[schemars(range(min = 0.0, max = 1e9))]
    pub background_pressure: f64,
    /// How much harder pressure pushes particles of two fluids apart than those of one, so that
    /// interfaces stay sharp: a part of it \[–\].
    #[schemars(range(min = 0.0, max = 1.0))]
    pub interface_repulsion: f64,
    /// How many times steps of single particles may be halved, a whole number; 0 if all take the
    /// same \[–\].
    #[schemars(range(min = 0.0, max = 6.0))]
    pub individual_steps: f64,
}

impl Default for WcsphModel {
    fn default() -> Self {
        WcsphModel {
            sound_speed: None,
            exponent: 7.0,
            artificial_viscosity: 0.05,
            courant: 0.4,
            density: Density::Summation,
            shifting: 0.0,
            background_pressure: 0.0,
            interface_repulsion: 0.0,
            individual_steps: 0.0,
        }
    }
}

/// The walls.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum Domain {
    /// An axis-aligned box with the fluid inside.
    Box {
        /// Lowest corner \[m\].
        min: [f64; 3],
        /// Highest corner \[m\].
        max: [f64; 3],
        /// Along which axes fluid that leaves on one side comes in on the other, in place of walls.
        #[serde(default)]
        periodic: [bool; 3],
        /// How the walls act on fluid that touches them.
        #[serde(default)]
        contact: ContactLaw,
        /// How single walls act, in place of that.
        #[serde(default)]
        sides: Sides,
    },
}

/// How single walls act; `None` for those that act as all do.
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
    /// Each with its key: low x, high x, low y, …
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

/// A box that bounds something.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Region {
    /// Lowest corner \[m\].
    pub min: [f64; 3],
    /// Highest corner \[m\].
    pub max: [f64; 3],
}

fn one() -> f64 {
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

impl Default for Rotation {
    fn default() -> Self {
        Rotation { axis: [0.0, 0.0, 1.0], degrees: 0.0 }
    }
}
