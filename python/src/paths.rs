//! Paths as Python gives them: texts, bytes, and objects that have one.

use pyo3::prelude::*;
use std::path::PathBuf;

/// A path of the file system.
pub struct GivenPath(pub PathBuf);

impl<'a, 'py> FromPyObject<'a, 'py> for GivenPath {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let text = given.py().import("os")?.call_method1("fsdecode", (given,))?;
        Ok(GivenPath(text.extract()?))
    }
}
