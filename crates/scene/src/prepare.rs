//! The whole way from a text to a scene that is ready to run.

use crate::check::forbidden_changes;
use crate::checked::Checked;
use crate::meshes;
use crate::parse::{Document, parse, read};
use crate::prepared::{Prepared, ReadFile};
use crate::problem::to_diagnostics;
use crate::text::diagnostic::Diagnostic;
use crate::text::scene_text::SceneText;
use crate::text::source::{Override, Source};
use hashfall_sph::world::Probes;
use std::collections::BTreeSet;

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
    Checked::from_source(source, overrides, read_file)?.build()
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
    let before = read(source, &[])?;
    let after = read(source, overrides)?;
    let problems = forbidden_changes(&before.model, &after.model);
    if !problems.is_empty() {
        return Err(to_diagnostics(&after.text, &problems));
    }
    prepare(source, overrides, read_file)
}

/// Reads a scene with its overrides, and judges no value: what is wrong is a name, a type or a
/// bracket. What comes back are the files of its meshes, as it names them.
///
/// # Errors
/// Every fault that could be found in one go.
pub fn mesh_paths(
    source: &Source,
    overrides: &[Override],
) -> Result<BTreeSet<String>, Vec<Diagnostic>> {
    read(source, overrides).map(|read| meshes::paths(&read.model))
}

/// Reads the text of another kind of file.
pub fn parse_document<T: Document>(text: &SceneText) -> Result<T, Vec<Diagnostic>> {
    parse(text).map_err(|refused| refused.faults)
}

/// What a scene measures, by its text alone; `None` if it cannot be read.
pub fn probes(source: &Source) -> Option<Probes> {
    read(source, &[]).ok().map(|read| read.model.probes)
}
