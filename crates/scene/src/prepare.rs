//! Entry points: from a text to a scene that is ready to run.

use crate::check::forbidden_changes;
use crate::checked::Checked;
use crate::clouds;
use crate::meshes;
use crate::parse::{Document, parse, read};
use crate::prepared::{Prepared, ReadFile};
use crate::problem::to_diagnostics;
use crate::recordings;
use crate::text::diagnostic::Diagnostic;
use crate::text::scene_text::SceneText;
use crate::text::source::{Override, Source};
use hashfall_input::mesh;
use hashfall_sph::world::Probes;
use std::collections::BTreeSet;

/// Reads, overrides, checks and builds a scene.
///
/// `read_file` is given paths as the scene has them, relative to the scene file. The text of an
/// error that it returns is shown to the user unchanged, so that a reader can suggest similar
/// names.
///
/// # Errors
/// All problems that are found together, each located in its text: all errors of the text; else all
/// invalid values and meshes; else all problems that only building reveals.
pub fn prepare(
    source: &Source,
    overrides: &[Override],
    read_file: &mut ReadFile,
) -> Result<Prepared, Vec<Diagnostic>> {
    Checked::from_source(source, overrides, read_file)?.build()
}

/// As [`prepare`], for a run that is resumed with other settings. Settings that its particles and
/// tables depend on must not change.
///
/// # Errors
/// As [`prepare`]; and a diagnostic for each setting that must not change.
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

/// Paths of the files of a scene, meshes, particles and recorded motions, as it names them. The
/// text is parsed with its overrides; values are not checked.
///
/// # Errors
/// Every error of names, types and brackets.
pub fn mesh_paths(
    source: &Source,
    overrides: &[Override],
) -> Result<BTreeSet<String>, Vec<Diagnostic>> {
    read(source, overrides).map(|read| {
        let mut paths = meshes::paths(&read.model);
        paths.extend(clouds::paths(&read.model));
        paths.extend(recordings::paths(&read.model));
        paths
    })
}

/// Paths of the files that a file of a scene names in its turn, relative to the scene as `path` is:
/// the buffers of a `.gltf`.
pub fn paths_beside(path: &str, bytes: &[u8]) -> Vec<String> {
    mesh::files_beside(bytes).iter().map(|name| meshes::beside(path, name)).collect()
}

/// Parses a file of another kind, such as a sweep.
pub fn parse_document<T: Document>(text: &SceneText) -> Result<T, Vec<Diagnostic>> {
    parse(text).map_err(|refused| refused.faults)
}

/// The probes of a scene, from its text alone; `None` if it cannot be parsed.
pub fn probes(source: &Source) -> Option<Probes> {
    read(source, &[]).ok().map(|read| read.model.probes)
}
