//! Errors of folders and files, with messages for the user.

use hashfall_core::shell::quoted;
use std::io;
use std::path::PathBuf;

/// Why a folder or file could not be created, read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The folder holds an earlier run that must not be replaced.
    #[error(
        "`{}` holds an earlier run; pass `--overwrite` to replace it, or another `--out`",
        .0.display()
    )]
    ExistingRun(PathBuf),
    /// The folder holds an unfinished run.
    #[error(
        "`{}` holds an unfinished run of `{scene}` with {written} of {all} frames; continue with \
         `sim resume {}`, or pass `--overwrite` to replace it, or another `--out`",
        path.display(),
        quoted(&path.display().to_string())
    )]
    UnfinishedRun {
        /// The folder.
        path: PathBuf,
        /// The scene's name.
        scene: String,
        /// Frames on disk.
        written: u32,
        /// Frames of the whole run, with the first.
        all: u32,
    },
    /// The folder holds no run that can be used.
    #[error("`{}` holds no run: {why}", path.display())]
    NoRun {
        /// The folder.
        path: PathBuf,
        /// What is missing.
        why: String,
    },
    /// The scene in the folder, or one of its meshes, has changed since the run.
    #[error(
        "`{}` has changed since the run; restore it, and change settings with `--set`",
        .0.display()
    )]
    Changed(PathBuf),
    /// None of the checkpoints can be used; each with the reason.
    #[error("no usable checkpoint: {}", reasons(.0))]
    NoCheckpoint(Vec<(PathBuf, String)>),
    /// Another run writes into the folder.
    #[error(
        "`{}` is in use by another run; wait for its end, or pass another `--out`",
        .0.display()
    )]
    InUse(PathBuf),
    /// The run would overwrite a file that no run has written.
    #[error(
        "`{}` exists and does not belong to a run; move it, or pass another `--out`",
        .0.display()
    )]
    ForeignFile(PathBuf),
    /// A folder of the run is a symbolic link out of the run's folder.
    #[error(
        "`{}` is a link that leads out of the run's folder; remove it, or pass another `--out`",
        .0.display()
    )]
    LeadsOut(PathBuf),
    /// The system reports an error.
    #[error("cannot {action} `{}`: {source}", path.display())]
    System {
        /// The failed action: a verb.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

impl FileError {
    /// Whether the disk or the user's quota is full.
    pub fn is_disk_full(&self) -> bool {
        let FileError::System { source, .. } = self else { return false };
        matches!(source.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
    }
}

/// Files with their errors, on one line.
fn reasons(files: &[(PathBuf, String)]) -> String {
    let reason = |(path, why): &(PathBuf, String)| format!("`{}`: {why}", path.display());
    files.iter().map(reason).collect::<Vec<_>>().join("; ")
}
