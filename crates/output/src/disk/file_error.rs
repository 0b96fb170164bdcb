//! What can go wrong with a folder and its files, in words for the user.

use std::io;
use std::path::PathBuf;

/// Why a run folder could not be made or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The folder holds an earlier run, and nobody asked to replace it.
    #[error(
        "`{}` holds an earlier run: pass `--overwrite` to replace it, or choose another folder \
         with `--out`",
        .0.display()
    )]
    ExistingRun(PathBuf),
    /// The folder holds an earlier run that did not come to its end.
    #[error(
        "`{0}` holds an unfinished run of `{scene}`, {written} of {all} frames: go on with `sim \
         resume {0}`, pass `--overwrite` to replace it, or choose another folder with `--out`",
        path.display()
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
    /// The folder holds no run to go on with.
    #[error("`{}` holds no run: {why}", path.display())]
    NoRun {
        /// The folder.
        path: PathBuf,
        /// What is missing.
        why: String,
    },
    /// The scene in the folder, or a mesh of it, is not the one that the run had.
    #[error(
        "`{}` is not as the run left it: put it back, and change settings with `--set`",
        .0.display()
    )]
    Changed(PathBuf),
    /// There are checkpoints, but none to go on from; each with the reason.
    #[error("no checkpoint to go on from: {}", reasons(.0))]
    NoCheckpoint(Vec<(PathBuf, String)>),
    /// Another run writes into the folder.
    #[error(
        "`{}` is in use by another run: wait for its end, or choose another folder with `--out`",
        .0.display()
    )]
    InUse(PathBuf),
    /// The folder holds a file that the run would write and no earlier run has written.
    #[error(
        "`{}` is in the way and not of an earlier run: move it, or choose another folder with \
         `--out`",
        .0.display()
    )]
    InTheWay(PathBuf),
    /// A folder of the run is a link to somewhere else, where nothing shall be written or removed.
    #[error(
        "`{}` is a link that leads out of the run's folder: remove it, or choose another folder \
         with `--out`",
        .0.display()
    )]
    LeadsOut(PathBuf),
    /// The system refused.
    #[error("cannot {action} `{}`: {source}", path.display())]
    System {
        /// What was tried: a verb.
        action: &'static str,
        /// On which file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

impl FileError {
    /// Whether the disk is full, or the user's share of it.
    pub fn is_disk_full(&self) -> bool {
        let FileError::System { source, .. } = self else { return false };
        matches!(source.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
    }
}

/// Files, each with what is wrong with it.
fn reasons(files: &[(PathBuf, String)]) -> String {
    let reason = |(path, why): &(PathBuf, String)| format!("`{}`: {why}", path.display());
    files.iter().map(reason).collect::<Vec<_>>().join("; ")
}
