//! Slurm: scripts' paths, and the submission of jobs by `sbatch`.

use crate::cli::args::SlurmArgs;
use hashfall_output::FileError;
use hashfall_sweep::SlurmJob;
use std::ffi::OsStr;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Output};

/// Why a job cannot be written or submitted.
#[derive(Debug, thiserror::Error)]
pub enum SlurmError {
    /// A path is not UTF-8.
    #[error("`{}` is not UTF-8, as a script must be", .0.display())]
    NotUtf8(PathBuf),
    /// A path has a control character.
    #[error("`{0}` has a line break or another control character, which a script cannot contain")]
    ControlCharacter(String),
    /// The path of this program is unknown.
    #[error("cannot find this program: {0}")]
    Program(io::Error),
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Slurm is not installed.
    #[error("`sbatch` is not installed; submit from a machine with Slurm and the same folders")]
    NoSbatch,
    /// `sbatch` cannot be started.
    #[error("cannot start `sbatch`: {0}")]
    Start(io::Error),
    /// `sbatch` failed with this message.
    #[error("sbatch: {0}")]
    Sbatch(String),
}

/// The path of this program, as a script has it.
///
/// # Errors
/// If it is unknown, or cannot be written in a script.
pub fn program() -> Result<String, SlurmError> {
    in_script(&super::program::program().map_err(SlurmError::Program)?)
}

/// The absolute path of a file or folder without `.` and `..`. Links are followed only where a `..`
/// may lead back over one.
pub fn absolute(path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    if !whole.components().any(|part| part == Component::ParentDir) {
        return whole;
    }
    std::fs::canonicalize(&whole).unwrap_or(whole)
}

/// The name of the folder of an absolute path, which is that of its job.
pub fn folder_name(path: &Path) -> &str {
    path.file_name().and_then(OsStr::to_str).unwrap_or("run")
}

/// An absolute path as a script has it: a line of text.
///
/// # Errors
/// If it is not UTF-8, or has a control character.
pub fn in_script(path: &Path) -> Result<String, SlurmError> {
    let path = absolute(path);
    match path.to_str() {
        None => Err(SlurmError::NotUtf8(path)),
        Some(text) if text.contains(char::is_control) => {
            Err(SlurmError::ControlCharacter(text.to_owned()))
        }
        Some(text) => Ok(text.to_owned()),
    }
}

/// A path as Slurm takes it for the file of a job's log: a percent sign of it is none of Slurm's.
pub fn log_path(path: &str) -> String {
    path.replace('%', "%%")
}

/// What the arguments ask of the cluster.
pub fn job<'a>(name: &'a str, log: &'a str, args: &'a SlurmArgs) -> SlurmJob<'a> {
    let SlurmArgs { time, stop_before, cpus, mem, sbatch, .. } = args;
    SlurmJob {
        name,
        log,
        time,
        stop_before: *stop_before,
        cpus: *cpus,
        memory: mem.as_deref(),
        options: sbatch,
    }
}

/// Submits a job; its number.
///
/// # Errors
/// If Slurm does not take it.
pub fn submit(options: &[&OsStr]) -> Result<String, SlurmError> {
    let output = Command::new("sbatch").args(options).output();
    let Output { status, stdout, stderr } = output.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => SlurmError::NoSbatch,
        _ => SlurmError::Start(error),
    })?;
    if !status.success() {
        return Err(SlurmError::Sbatch(String::from_utf8_lossy(&stderr).trim().to_owned()));
    }
    // With several clusters, the number stands before the cluster's name.
    let answer = String::from_utf8_lossy(&stdout);
    Ok(answer.trim().split(';').next().unwrap_or_default().to_owned())
}
