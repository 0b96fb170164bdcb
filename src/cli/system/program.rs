//! The program that a sweep starts for its points, and that the script of a job calls.

use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Sets the path of `sim`, where the process runs another program that calls
/// [`main`](crate::cli::main), such as an interpreter. The first call counts.
pub fn set_program(path: PathBuf) {
    PROGRAM.get_or_init(|| path);
}

/// The path of `sim`: of this process, unless it was [set](set_program).
///
/// # Errors
/// The system's reason why it is unknown.
pub fn program() -> io::Result<PathBuf> {
    PROGRAM.get().cloned().map_or_else(std::env::current_exe, Ok)
}
