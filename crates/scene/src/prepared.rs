//! A scene that is ready to run.

use crate::meshes::{MeshFile, MeshSummary};
use crate::settings::{Checkpoints, Frames, Limits, Output, Preview};
use crate::text::diagnostic::Diagnostic;
use hashfall_search::Structures;
use hashfall_sph::world::{Probes, World};
use hashfall_surface::SurfaceSettings;

/// A scene, ready to run.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The world at the start.
    pub world: World,
    /// Who finds neighbours, and who the solids near a particle.
    pub structures: Structures,
    /// When frames are written.
    pub frames: Frames,
    /// How the surface is extracted, if it is.
    pub surface: Option<SurfaceSettings>,
    /// What is written.
    pub output: Output,
    /// What is measured.
    pub probes: Probes,
    /// When checkpoints are written, if any are.
    pub checkpoints: Option<Checkpoints>,
    /// How far the run may go.
    pub limits: Limits,
    /// The previews that are made at its end, if any are.
    pub preview: Option<Preview>,
    /// The scene with every default and override written out, its meshes under `meshes/`.
    pub resolved: String,
    /// The meshes that `resolved` names.
    pub meshes: Vec<MeshFile>,
    /// What each mesh of the scene measures: those of solids, of fluids, then of openings.
    pub mesh_summaries: Vec<MeshSummary>,
    /// Particles left out because they started inside a solid or closer than r to one.
    pub removed_in_solids: usize,
    /// Particles of each fluid.
    pub particles_per_fluid: Vec<usize>,
    /// What does not stop the scene from running.
    pub warnings: Vec<Diagnostic>,
}

/// Reads a file that a scene names.
pub type ReadFile<'a> = dyn FnMut(&str) -> std::io::Result<Vec<u8>> + 'a;
