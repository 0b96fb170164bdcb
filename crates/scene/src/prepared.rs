//! A scene that is ready to run.

use crate::flotation::FreeBodyReport;
use crate::meshes::{MeshFile, MeshSummary};
use crate::output::Output;
use crate::settings::{Checkpoints, Frames, Limits, Preview};
use crate::text::diagnostic::Diagnostic;
use hashfall_elastic::MeshQuality;
use hashfall_foam::FoamSettings;
use hashfall_search::Structures;
use hashfall_sph::world::{Probes, World};
use hashfall_surface::SurfaceSettings;

/// A scene, ready to run.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// What the scene shows, in its own words.
    pub description: Option<String>,
    /// The world at the start.
    pub world: World,
    /// How many solids it lists; further balls of fields that move freely are bodies after these.
    pub solid_count: usize,
    /// The data structures that find neighbours and nearby solids.
    pub structures: Structures,
    /// When frames are written.
    pub frames: Frames,
    /// Settings of the surface reconstruction, if there is a surface.
    pub surface: Option<SurfaceSettings>,
    /// Files written at each frame.
    pub output: Output,
    /// Measurements during the run.
    pub probes: Probes,
    /// When checkpoints are written, if any are.
    pub checkpoints: Option<Checkpoints>,
    /// Limits at which the result counts as unphysical.
    pub limits: Limits,
    /// The names of its solids.
    pub solid_names: Vec<Option<String>>,
    /// Settings of spray, foam and bubbles, if there are any.
    pub foam: Option<FoamSettings>,
    /// Settings of the previews, if any are rendered.
    pub preview: Option<Preview>,
    /// The scene with every default and override written out, its meshes under `meshes/`.
    pub resolved: String,
    /// Copies of the meshes that `resolved` names.
    pub meshes: Vec<MeshFile>,
    /// Measurements of each mesh: of solids, of fluids, of openings, then of elastic bodies.
    pub mesh_summaries: Vec<MeshSummary>,
    /// Number of particles removed because they started inside a solid or closer than r to one.
    pub removed_in_solids: usize,
    /// Number of particles of each fluid.
    pub particles_per_fluid: Vec<usize>,
    /// The shapes of fluid, as they were filled.
    pub shapes: Vec<ShapeReport>,
    /// What is known of the bodies that move freely, in the order of the world's.
    pub free_bodies: Vec<FreeBodyReport>,
    /// How good the mesh of each elastic body is.
    pub elastic_qualities: Vec<MeshQuality>,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

/// How a shape of fluid was filled.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeReport {
    /// Key path of the shape.
    pub key: String,
    /// What it is called in a scene.
    pub name: &'static str,
    /// Its volume without what solids take of it \[m³, in the plane m²\]; `None` of a shape that
    /// asks for no volume: random positions, and what takes the particles of others.
    pub requested: Option<f64>,
    /// The volume of its particles \[m³, in the plane m²\].
    pub given: f64,
    /// What solids take of the shape \[m³, in the plane m²\].
    pub cut: f64,
    /// How far the two may differ: half a layer \[m³, in the plane m²\].
    pub tolerance: f64,
    /// Number of its particles.
    pub particles: usize,
    /// Particles of its lattice that were left out inside a solid, or closer than r to one.
    pub removed: usize,
    /// Particles that other shapes took over.
    pub replaced: usize,
    /// Whether it was packed, instead of laid on a lattice.
    pub is_packed: bool,
    /// The height up to which a vessel is filled \[m\].
    pub level: Option<f64>,
}

/// Reads a mesh file; the argument is the path as the scene has it.
pub type ReadFile<'a> = dyn FnMut(&str) -> std::io::Result<Vec<u8>> + 'a;
