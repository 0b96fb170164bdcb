//! Scenes as Python gives them: a dictionary, a text in RON or JSON, or a path.

use crate::errors;
use crate::paths::GivenPath;
use hashfall::cli;
use hashfall::scene::{Diagnostic, Override, Prepared, Source};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::path::PathBuf;

/// What a text without a file is called in messages.
const NAME: &str = "scene";

/// Where a scene comes from.
pub enum Origin {
    /// A file, or the name of a scene that is built in.
    File(PathBuf),
    /// A text whose paths are relative to a folder.
    Text { text: String, folder: PathBuf },
}

/// A scene with the settings that a caller changes in it.
pub struct Request {
    origin: Origin,
    changes: Vec<Override>,
    allow_outside: bool,
}

impl Request {
    /// Reads what Python gives.
    pub fn new(
        scene: &Bound<'_, PyAny>,
        base_path: Option<PathBuf>,
        changes: Option<&Bound<'_, PyDict>>,
        allow_outside: bool,
    ) -> PyResult<Self> {
        let py = scene.py();
        let text = |text: String| Origin::Text { text, folder: base_path.unwrap_or_default() };
        let origin = if scene.is_instance_of::<PyDict>() {
            let dumps = py.import("hashfall._scene")?.getattr("to_json")?;
            text(dumps.call1((scene,))?.extract()?)
        } else if let Some(given) = text_of(scene).filter(|given| is_text(given)) {
            text(given)
        } else {
            let GivenPath(path) = scene.extract().map_err(|_| {
                PyTypeError::new_err("a scene is a dict, a text in RON or JSON, or a path")
            })?;
            Origin::File(path)
        };
        Ok(Request { origin, changes: overrides(py, changes)?, allow_outside })
    }

    /// The name of the scene: the stem of its file.
    pub fn name(&self) -> String {
        match &self.origin {
            Origin::File(path) => path.file_stem().map(|stem| stem.to_string_lossy().into_owned()),
            Origin::Text { .. } => None,
        }
        .unwrap_or_else(|| NAME.to_owned())
    }

    /// Reads, checks and lays out the scene.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub fn prepare(&self) -> Result<Prepared, Vec<Diagnostic>> {
        match &self.origin {
            Origin::File(path) => cli::open_file(path, &self.changes, self.allow_outside),
            Origin::Text { text, folder } => {
                let source = Source { name: NAME.to_owned(), text: text.clone() };
                cli::open_text(&source, folder, &self.changes, self.allow_outside)
            }
        }
    }
}

/// The text that is given; `None` for anything else, and for paths that are no Unicode.
fn text_of(given: &Bound<'_, PyAny>) -> Option<String> {
    given.cast::<PyString>().ok()?.extract().ok()
}

/// Whether this is the text of a scene, not a path: both have brackets, or are of several lines.
fn is_text(given: &str) -> bool {
    let is_long = given.contains('\n');
    is_long || (given.contains(['(', '{']) && !PathBuf::from(given).exists())
}

/// Settings by their keys, each value as `--set` takes it.
pub fn overrides(py: Python<'_>, changes: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<Override>> {
    let Some(changes) = changes else { return Ok(Vec::new()) };
    let to_ron = py.import("hashfall._scene")?.getattr("to_ron")?;
    let mut all = Vec::new();
    for (key, value) in changes {
        let (key, value): (String, String) = (key.extract()?, to_ron.call1((value,))?.extract()?);
        let change = Override::parse(&format!("{key}={value}"));
        all.push(change.map_err(|fault| errors::scene(py, vec![fault]))?);
    }
    Ok(all)
}
