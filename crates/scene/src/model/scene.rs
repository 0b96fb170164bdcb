//! The scene file as plain data: SI units, double precision, no behaviour.
//!
//! The fields are the keys of the RON file. This module and its siblings are the only place where a
//! key is described and bounded: the doc comment becomes the description in the schema, in the help
//! below an error and in the tables of `docs/scene.md`; its `[unit]` and `schemars(range(…))`
//! become the bounds that are checked. Optional keys have defaults, so that a [`Model`] written
//! back as text states every value.

use super::body_motion::BodyMotion;
use super::domain::Domain;
use super::elastic::ElasticModel;
use super::elastic_solvers::{ContactModeModel, ElasticSolverModel, SymplecticModel};
use super::emitters::{EmitterModel, SinkModel};
use super::fluids::{FluidModel, InterfaceModel};
use super::solids::SolidModel;
use super::viscosity::ViscosityModel;
use crate::output::Output;
use crate::settings::{Checkpoints, Frames, Limits, Preview};
use hashfall_core::Dimension;
use hashfall_core::kernel::KernelKind;
use hashfall_foam::FoamSettings;
use hashfall_search::{BroadPhaseKind, NeighborKind, SearchSettings};
use hashfall_solid::ContactLaw;
use hashfall_sph::world::{BodyForce, Probes, Solver};
use hashfall_surface::SurfaceSettings;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Scene", deny_unknown_fields)]
pub struct Model {
    /// What the scene shows; `sim check` prints it, and the run's `scene.ron` keeps it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Number of frames and their rate.
    pub frames: Frames,
    /// Number of dimensions; a scene of two lies in the plane of x and z, at y = 0.
    #[serde(default)]
    pub dimensions: Dimension,
    /// Acceleration of gravity \[m/s²\]; z points up.
    #[serde(default = "standard_gravity")]
    pub gravity: [f64; 3],
    /// Body forces in addition to gravity.
    #[serde(default)]
    pub forces: Vec<BodyForce>,
    /// Motion of the frame in which the scene is given, such as a tank that rolls, seen from
    /// inside; gravity is fixed outside.
    #[serde(default)]
    pub reference_frame: BodyMotion,
    /// The space of the fluid and its walls.
    pub domain: Domain,
    /// Particle radius r, half of the initial particle spacing; `None` in a scene without fluid
    /// \[m\].
    #[serde(default)]
    #[schemars(range(min = 1e-6, max = 1e3))]
    pub particle_radius: Option<f64>,
    /// Support radius h of the kernel, from 3r to 10r \[m\]; `None` for 4r to 6r, by solver, kernel
    /// and surface tension.
    #[serde(default)]
    pub support_radius: Option<f64>,
    /// Smoothing kernel.
    #[serde(default)]
    pub kernel: KernelKind,
    /// The fluids, each with the shapes that it fills at the start; none in a scene of elastic
    /// bodies alone.
    #[serde(default)]
    #[schemars(length(max = 255))]
    pub fluids: Vec<FluidModel>,
    /// Interfacial tensions between pairs of fluids.
    #[serde(default)]
    pub interfaces: Vec<InterfaceModel>,
    /// Solid obstacles.
    #[serde(default)]
    pub solids: Vec<SolidModel>,
    /// Elastic bodies: ropes, sheets and solids that bend and stretch.
    #[serde(default)]
    pub elastic: Vec<ElasticModel>,
    /// Openings through which fluid flows in.
    #[serde(default)]
    #[schemars(length(max = 255))]
    pub emitters: Vec<EmitterModel>,
    /// Regions in which fluid is removed.
    #[serde(default)]
    pub sinks: Vec<SinkModel>,
    /// Maximum number of particles, at which emitters pause; `None` for no maximum.
    #[serde(default)]
    #[schemars(range(min = 1, max = 20_000_000))]
    pub max_particles: Option<u32>,
    /// Pressure solver.
    #[serde(default)]
    pub solver: Solver,
    /// Time integration of viscosity.
    #[serde(default)]
    pub viscosity_solver: ViscosityModel,
    /// Time integration of elastic bodies.
    #[serde(default = "default_elastic_solver")]
    pub elastic_solver: ElasticSolverModel,
    /// How contact of elastic bodies is found and kept; `None` for no contact.
    #[serde(default = "default_elastic_contact")]
    pub elastic_contact: Option<ContactModeModel>,
    /// Data structure of the neighbour search.
    #[serde(default)]
    pub neighbors: NeighborKind,
    /// Parameters of the neighbour search.
    #[serde(default)]
    pub search: SearchSettings,
    /// Data structure that finds the solids near a particle, and what elastic bodies may touch.
    #[serde(default)]
    pub broad_phase: BroadPhaseKind,
    /// Surface reconstruction; `None` for no surface.
    #[serde(default = "default_surface")]
    pub surface: Option<SurfaceSettings>,
    /// Files written at each frame.
    #[serde(default)]
    pub output: Output,
    /// Measurements that are recorded during the run.
    #[serde(default)]
    pub probes: Probes,
    /// When checkpoints are written; `None` for no checkpoints.
    #[serde(default = "default_checkpoints")]
    pub checkpoints: Option<Checkpoints>,
    /// Limits at which the result counts as unphysical.
    #[serde(default)]
    pub limits: Limits,
    /// Spray, foam and bubbles computed at the end of the run, from its frames; `None` for none.
    #[serde(default)]
    pub foam: Option<FoamSettings>,
    /// Preview images rendered at the end of the run; `None` for no previews.
    #[serde(default)]
    pub preview: Option<Preview>,
}

/// The radius of particles that are not there, over the shortest side of the domain.
const NOMINAL_RADIUS: f64 = 0.01;

impl Model {
    /// Particle radius r \[m\]: as given; without fluid a hundredth of the domain's shortest side.
    pub fn particle_radius(&self) -> f64 {
        let Domain::Box { min, max, .. } = self.domain;
        let sides = min.iter().zip(max).map(|(min, max)| max - min);
        let shortest = sides.fold(f64::INFINITY, f64::min);
        self.particle_radius.unwrap_or(NOMINAL_RADIUS * shortest)
    }

    /// Whether there is fluid, or will be.
    pub fn has_fluid(&self) -> bool {
        !self.fluids.is_empty() || !self.emitters.is_empty()
    }

    /// Support radius h \[m\]: as given, else 4r; in the plane 5r with `Dfsph`, and with densities
    /// that go with the flow; 6r with those and `WendlandC2`, or with surface tension.
    pub fn support_radius(&self) -> f64 {
        let usual = if self.has_tension() {
            6.0
        } else {
            self.solver.settings().default_support(self.dimensions, self.kernel)
        };
        self.support_radius.unwrap_or(usual * self.particle_radius())
    }

    /// How far solids of the plane reach beyond it on either side \[m\]: so many support radii that
    /// none of their edges but those across the plane comes near a particle.
    pub fn depth_beyond_plane(&self) -> f64 {
        4.0 * self.support_radius()
    }

    /// Whether any fluid or interface has surface tension.
    pub fn has_tension(&self) -> bool {
        !self.interfaces.is_empty() || self.has_free_tension()
    }

    /// Whether any fluid has surface tension with the air.
    pub fn has_free_tension(&self) -> bool {
        self.fluids.iter().any(|fluid| fluid.surface_tension > 0.0)
    }

    /// Index of the fluid of an emitter; `None` if no fluid has its name.
    pub fn fluid_of(&self, emitter: &EmitterModel) -> Option<usize> {
        match &emitter.fluid {
            Some(name) => self.fluids.iter().position(|fluid| fluid.name == *name),
            None => (self.fluids.len() == 1).then_some(0),
        }
    }

    /// A solid in messages, such as `solids[2]` ("hub"), or `solids[2]` (Ball) if it has no name.
    pub fn solid_label(&self, index: usize) -> String {
        let path = format!("`solids[{index}]`");
        match self.solids.get(index).map(|solid| (solid.name(), solid.kind())) {
            Some((Some(name), _)) => format!("{path} (\"{name}\")"),
            Some((None, kind)) => format!("{path} ({kind})"),
            None => path,
        }
    }

    /// All motions, each with its key path.
    pub fn motions(&self) -> impl Iterator<Item = (String, &BodyMotion)> {
        let solids = self.solids.iter().enumerate();
        let solids = solids.map(|(i, solid)| (format!("solids[{i}].motion"), solid.motion()));
        solids.chain([("reference_frame".to_owned(), &self.reference_frame)])
    }

    /// As [`Model::motions`], to be completed.
    pub fn motions_mut(&mut self) -> impl Iterator<Item = (String, &mut BodyMotion)> {
        let solids = self.solids.iter_mut().enumerate();
        let solids = solids.filter_map(|(i, solid)| {
            let motion = solid.motion_mut()?;
            Some((format!("solids[{i}].motion"), motion))
        });
        solids.chain([("reference_frame".to_owned(), &mut self.reference_frame)])
    }

    /// The axes along which walls bound the domain.
    pub fn walled_axes(&self) -> impl Iterator<Item = usize> {
        let Domain::Box { periodic, .. } = self.domain;
        let is_space = self.dimensions == Dimension::Three;
        (0..3).filter(move |&a| !periodic[a] && (a != 1 || is_space))
    }

    /// The contact laws of the solids, then of the six walls.
    pub fn contacts(&self) -> Vec<ContactLaw> {
        let Domain::Box { contact, sides, .. } = &self.domain;
        let walls = sides.all().map(|(_, side)| side.unwrap_or(*contact));
        self.solids.iter().map(SolidModel::contact).chain(walls).collect()
    }
}

fn standard_gravity() -> [f64; 3] {
    [0.0, 0.0, -9.81]
}

fn default_elastic_solver() -> ElasticSolverModel {
    ElasticSolverModel::Symplectic(SymplecticModel::default())
}

fn default_elastic_contact() -> Option<ContactModeModel> {
    Some(ContactModeModel::default())
}

fn default_checkpoints() -> Option<Checkpoints> {
    Some(Checkpoints::default())
}

fn default_surface() -> Option<SurfaceSettings> {
    Some(SurfaceSettings::default())
}
