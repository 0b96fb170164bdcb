//! The program `sim` within an interpreter.

use hashfall::cli;
use pyo3::prelude::*;
use std::ffi::OsString;
use std::path::PathBuf;

/// Runs `sim` with these arguments, the first being its own name, and returns its exit code. Its
/// signal handlers stay for the rest of the process. `program` is what it calls for the points of
/// sweeps and in scripts of jobs.
#[pyfunction]
pub fn main(py: Python<'_>, args: Vec<OsString>, program: PathBuf) -> u8 {
    cli::set_program(program);
    py.detach(|| cli::main(args))
}
