//! From text to world: the scene's model, its diagnostics, and what is built from it.
//!
//! ```text
//! text ─overrides→ edited text ─parse→ Model ─check→ ─build→ World
//!                       └─places──────────────┴ diagnostics, shown where the cause was typed
//! ```
//!
//! [`prepare`] is the whole way, and [`Checked`] its middle. It touches no path: files that a scene
//! names are read through a function that the caller gives. Problems of one kind are reported
//! together: all faults of the text, or all bad values and meshes, or all that only building can
//! tell.

mod body_motion;
mod body_tree;
mod build;
mod check;
mod checked;
mod diagnostic;
mod exchange;
mod hydrostatic;
mod keys;
mod lattice;
mod meshes;
mod model;
mod motion;
mod oddities;
mod opening;
mod overrides;
pub mod paint;
mod parse;
mod places;
pub mod schema;
mod settings;
mod shape;
pub mod snippet;
mod sound_speed;
mod sphere_field;
mod start;
pub mod suggest;
mod text;
mod told;

pub use checked::{Checked, Size};
pub use diagnostic::{Diagnostic, Severity, harmless, is_harmful};
pub use parse::Document;
pub use places::{Entry, Node};
pub use settings::{
    Checkpoints, Frames, Limits, OnBreach, Output, PREVIEW_ANGLES, PREVIEW_SIDES, Preview,
    PreviewOf, SurfaceFormat,
};
pub use text::SceneText;

use hashfall_search::Structures;
use hashfall_sph::world::{Probes, World};
use hashfall_surface::SurfaceSettings;
use model::Model;
use parse::Refused;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;
use told::told;

/// A scene file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The file as the user typed it.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// A change to a scene, from the command line by `--set key=value`, or from a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// A key path such as `fluids[0].viscosity`.
    pub key: String,
    /// RON for the new value.
    pub value: String,
    /// The text in which it was typed, to show faults there.
    pub source: Arc<Source>,
    /// The characters of the key in that text.
    pub key_at: Range<usize>,
    /// The characters of the value, or of what it was computed from.
    pub value_at: Range<usize>,
}

/// A mesh file that a run keeps a copy of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshFile {
    /// File name in the copy's folder `meshes/`.
    pub name: String,
    /// The file, byte by byte.
    pub bytes: Vec<u8>,
}

/// What a mesh measures where it is placed.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshSummary {
    /// Key path of what it makes, such as `solids[0]`.
    pub key: String,
    /// Its file, as the scene names it.
    pub path: String,
    /// Edges of the box around it \[m\].
    pub extent: [f64; 3],
    /// The volume that it encloses \[m³\]; `None` if it is open.
    pub volume: Option<f64>,
    /// The number of its connected surfaces.
    pub shells: usize,
    /// The number of its triangles.
    pub triangles: usize,
}

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

/// Reads, overrides, checks and builds a scene.
///
/// `read_file` is given paths as the scene has them, relative to the scene file. The text of an
/// error that it returns is shown to the user as it is, so a reader that knows near names can
/// offer them there.
///
/// # Errors
/// Every problem found, each with its place; see the module's head for what is found together.
pub fn prepare(
    source: &Source,
    overrides: &[Override],
    read_file: &mut ReadFile,
) -> Result<Prepared, Vec<Diagnostic>> {
    Checked::of(source, overrides, read_file)?.build()
}

/// As [`prepare`], for a run that goes on with other settings: those that its particles and tables
/// were made by must stay.
///
/// # Errors
/// As [`prepare`]; and a diagnostic for each setting that must stay.
pub fn prepare_to_resume(
    source: &Source,
    overrides: &[Override],
    read_file: &mut ReadFile,
) -> Result<Prepared, Vec<Diagnostic>> {
    let (_, before) = read(source, &[])?;
    let (text, after) = read(source, overrides)?;
    let problems = check::what_must_stay(&before, &after);
    if !problems.is_empty() {
        return Err(told(&text, &problems));
    }
    prepare(source, overrides, read_file)
}

/// Reads a scene with its overrides, and judges no value: what is wrong is a name, a type or a
/// bracket. What comes back are the files of its meshes, as it names them.
///
/// # Errors
/// Every fault that could be found in one go.
pub fn read_only(
    source: &Source,
    overrides: &[Override],
) -> Result<BTreeSet<String>, Vec<Diagnostic>> {
    read(source, overrides).map(|(_, model)| meshes::paths(&model))
}

/// Reads the text of another kind of file.
pub fn parse_document<T: Document>(text: &SceneText) -> Result<T, Vec<Diagnostic>> {
    parse::parse(text).map_err(|refused| refused.faults)
}

/// What a scene measures, by its text alone; `None` if it cannot be read.
pub fn probes(source: &Source) -> Option<Probes> {
    read(source, &[]).ok().map(|(_, model)| model.probes)
}

/// Reads the file, then each override on top of it.
fn read(source: &Source, overrides: &[Override]) -> Result<(SceneText, Model), Vec<Diagnostic>> {
    let mut text = SceneText::new(source);
    let read = match parse::parse(&text) {
        Err(refused) if overrides.is_empty() || !refused.lacks_a_key => Err(refused),
        read => overrides::apply(&mut text, read, overrides)?,
    };
    match read {
        Ok(model) => Ok((text, model)),
        Err(refused) => Err(all_faults(refused)),
    }
}

/// The faults of a refused text, and what is wrong with its values when its names are put right.
fn all_faults(refused: Refused) -> Vec<Diagnostic> {
    let mut faults = refused.faults;
    if let Some(mended) = refused.mended {
        let (text, model) = &*mended;
        faults.extend(told(text, &check::check(model)));
    }
    faults
}
