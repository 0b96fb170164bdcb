//! What a scene file says, as plain data: SI units, double precision, no behaviour.
//!
//! The names here are the keys of the RON file. Optional keys carry their defaults, so that a
//! [`Model`] written back as text spells out everything that was left to default.

use super::domain::Domain;
use super::emitters::{EmitterModel, SinkModel};
use super::fluids::{FluidModel, InterfaceModel};
use super::solids::SolidModel;
use super::solvers::{DfsphModel, SolverModel, ViscosityModel};
use crate::settings::{Checkpoints, Frames, Limits, Output, Preview};
use hashfall_core::Dimension;
use hashfall_core::kernel::KernelKind;
use hashfall_search::{BroadPhaseKind, NeighborKind, SearchSettings};
use hashfall_solid::ContactLaw;
use hashfall_sph::world::{BodyForce, Probes};
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

    /// The number of an emitter's fluid; none if there is none of that name.
    pub fn fluid_of(&self, emitter: &EmitterModel) -> Option<usize> {
        match &emitter.fluid {
            Some(name) => self.fluids.iter().position(|fluid| fluid.name == *name),
            None => (self.fluids.len() == 1).then_some(0),
        }
    }

    /// The axes along which the domain ends at walls.
    pub fn walled_axes(&self) -> impl Iterator<Item = usize> {
        let Domain::Box { periodic, .. } = self.domain;
        let is_space = self.dimensions == Dimension::Three;
        (0..3).filter(move |&a| !periodic[a] && (a != 1 || is_space))
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
