//! A scene that is ready to run.

use crate::meshes::{MeshFile, MeshSummary};
use crate::output::Output;
use crate::settings::{Checkpoints, Frames, Limits, Preview};
use crate::text::diagnostic::Diagnostic;
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
    /// Settings of the previews, if any are rendered.
    pub preview: Option<Preview>,
    /// The scene with every default and override written out, its meshes under `meshes/`.
    pub resolved: String,
    /// Copies of the meshes that `resolved` names.
    pub meshes: Vec<MeshFile>,
    /// Measurements of each mesh: of solids, of fluids, then of openings.
    pub mesh_summaries: Vec<MeshSummary>,
    /// Number of particles removed because they started inside a solid or closer than r to one.
    pub removed_in_solids: usize,
    /// Number of particles of each fluid.
    pub particles_per_fluid: Vec<usize>,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

/// Reads a mesh file; the argument is the path as the scene has it.
pub type ReadFile<'a> = dyn FnMut(&str) -> std::io::Result<Vec<u8>> + 'a;
