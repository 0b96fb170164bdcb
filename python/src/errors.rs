//! Exceptions, with the texts of the program's messages.

use hashfall::output::FileError;
use hashfall::scene::{Diagnostic, Severity};
use hashfall::{SimulationError as CoreError, step};
use pyo3::create_exception;
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyType};
use std::ffi::CString;

create_exception!(
    hashfall,
    SceneError,
    PyValueError,
    "A scene is wrong. The text names each place; `diagnostics` lists them."
);
create_exception!(hashfall, SceneWarning, PyUserWarning, "A scene is doubtful.");
create_exception!(
    hashfall,
    SimulationError,
    PyRuntimeError,
    "A simulation cannot start or go on: its state is not finite, it stalled, or a limit is passed."
);
create_exception!(
    hashfall,
    StaleViewError,
    PyRuntimeError,
    "A view of the state before the last step: take a new one."
);
create_exception!(
    hashfall,
    BusyError,
    PyRuntimeError,
    "Another thread, or a function that this simulation has called, steps it at present."
);
create_exception!(
    hashfall,
    FolderError,
    PyOSError,
    "The folder of a run cannot be written or resumed."
);

/// Adds the exceptions to the module.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("SceneError", py.get_type::<SceneError>())?;
    module.add("SceneWarning", py.get_type::<SceneWarning>())?;
    module.add("SimulationError", py.get_type::<SimulationError>())?;
    module.add("StaleViewError", py.get_type::<StaleViewError>())?;
    module.add("BusyError", py.get_type::<BusyError>())?;
    module.add("FolderError", py.get_type::<FolderError>())
}

/// The exception of a scene's faults, as the program shows them.
pub fn scene(py: Python<'_>, faults: Vec<Diagnostic>) -> PyErr {
    let listed = diagnostics(py, &faults);
    let error = SceneError::new_err(CoreError::Scene(faults).to_string());
    let attached = listed.and_then(|list| error.value(py).setattr("diagnostics", list));
    attached.err().unwrap_or(error)
}

/// Warns of what is doubtful in a scene.
pub fn warn(py: Python<'_>, doubts: &[Diagnostic]) -> PyResult<()> {
    for doubt in doubts {
        let text = CoreError::Scene(vec![doubt.clone()]).to_string();
        warn_with(py, &py.get_type::<SceneWarning>(), &text)?;
    }
    Ok(())
}

/// Warns of what is doubtful about a scene, in words of this package.
pub fn warn_of_scene(py: Python<'_>, text: &str) -> PyResult<()> {
    warn_with(py, &py.get_type::<SceneWarning>(), text)
}

/// Warns of what is doubtful in a folder.
pub fn warn_of(py: Python<'_>, text: &str) -> PyResult<()> {
    warn_with(py, &py.get_type::<PyUserWarning>(), text)
}

fn warn_with(py: Python<'_>, category: &Bound<'_, PyType>, text: &str) -> PyResult<()> {
    PyErr::warn(py, category, &CString::new(text.replace('\0', " "))?, 2)
}

/// The faults as dictionaries.
fn diagnostics<'py>(py: Python<'py>, faults: &[Diagnostic]) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for fault in faults {
        let has_place = fault.span.is_some();
        let dict = PyDict::new(py);
        let is_error = fault.severity == Severity::Error;
        dict.set_item("severity", if is_error { "error" } else { "warning" })?;
        dict.set_item("message", &fault.message)?;
        dict.set_item("file", Some(&fault.source_name).filter(|name| !name.is_empty()))?;
        dict.set_item("line", has_place.then(|| fault.line()))?;
        dict.set_item("column", has_place.then(|| fault.column()))?;
        dict.set_item("help", &fault.help)?;
        list.append(dict)?;
    }
    Ok(list)
}

/// The exception of a world that cannot start.
pub fn start(error: &step::StepError) -> PyErr {
    SimulationError::new_err(error.to_string())
}

/// The exception of a folder.
pub fn folder(error: &FileError) -> PyErr {
    let text = error.to_string();
    let text = text.replace("pass `--overwrite`", "pass `overwrite=True`");
    FolderError::new_err(text.replace("another `--out`", "another folder"))
}

/// The exception of a state that another thread holds.
pub fn busy() -> PyErr {
    BusyError::new_err(
        "another thread, or a function that this simulation has called, steps it at present",
    )
}
