//! Scenes as the program reads them, for programs that run them by themselves, such as the Python
//! package: the same files, rules and messages.

use super::load;
use super::path_policy::PathPolicy;
use hashfall_output::layout;
use hashfall_scene::{Diagnostic, Override, Prepared, Source};
use std::path::Path;

/// The scene of a file, or one that is built in if no file has this path.
///
/// A scene may name files below the parent of its folder, or any if `allow_outside`.
///
/// # Errors
/// All that is wrong with it, each with its place.
pub fn open_file(
    path: &Path,
    overrides: &[Override],
    allow_outside: bool,
) -> Result<Prepared, Vec<Diagnostic>> {
    load::prepare(path, overrides, PathPolicy::new(allow_outside))
}

/// The scene of a text, whose paths are relative to `folder`.
///
/// # Errors
/// As [`open_file`].
pub fn open_text(
    source: &Source,
    folder: &Path,
    overrides: &[Override],
    allow_outside: bool,
) -> Result<Prepared, Vec<Diagnostic>> {
    load::prepare_text(source, folder, overrides, PathPolicy::new(allow_outside))
}

/// The scene of the run in `folder`, to be resumed.
///
/// # Errors
/// As [`open_file`], and a diagnostic for each setting that must not change.
pub fn reopen(
    folder: &Path,
    overrides: &[Override],
    allow_outside: bool,
) -> Result<Prepared, Vec<Diagnostic>> {
    let scene = folder.join(layout::SCENE);
    load::prepare_to_resume(&scene, overrides, PathPolicy::new(allow_outside))
}
