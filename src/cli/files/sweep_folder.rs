//! The folder of a sweep: `sweep.json`, `manifest.csv`, and a folder for each point.

use crate::cli::console::Verdict;
use hashfall_output::files::{self, Write};
use hashfall_output::{FileError, RunFolder, layout};
use hashfall_sweep::{
    MANIFEST_CSV, Manifest, ManifestError, OUTCOME_JSON, PointFiles, PointOutcome, PointStatus,
    SWEEP_JSON,
};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};
use thiserror::Error;

/// The folder of the points' folders.
const POINTS: &str = "points";
/// Files that are derived from the points.
const DERIVED: [&str; 4] = ["results.csv", "results.parquet", layout::REPORT, SCRIPT];
/// The script for Slurm, and the folder of its jobs' logs.
pub const SCRIPT: &str = "sweep.sbatch";
pub const JOB_LOGS: &str = "slurm";
/// The lock file of processes that use the sweep, or the point that has it in its folder.
const LOCK: &str = "sweep.lock";
/// Interval and timeout of waiting for another process: points of a killed sweep release the lock
/// when they have stopped.
const RETRY: Duration = Duration::from_millis(200);
const MAX_WAIT: Duration = Duration::from_secs(20);

/// Why the folder of a sweep cannot be used.
#[derive(Debug, Error)]
pub enum SweepFolderError {
    /// It holds no sweep.
    #[error("`{}` holds no sweep: it has no `{SWEEP_JSON}`", .0.display())]
    NoSweep(PathBuf),
    /// It holds another sweep.
    #[error(
        "`{}` holds another sweep ({difference}); pass `--overwrite` to replace it, or another \
         `--out`",
        path.display()
    )]
    OtherSweep {
        /// The folder.
        path: PathBuf,
        /// How the sweeps differ.
        difference: &'static str,
    },
    /// A file in it belongs to no sweep.
    #[error(
        "`{}` exists and does not belong to a sweep; move it, or pass another `--out`",
        .0.display()
    )]
    ForeignFile(PathBuf),
    /// Its files are invalid.
    #[error("`{}`: {source}", path.display())]
    Manifest {
        /// The folder.
        path: PathBuf,
        /// What is wrong.
        source: ManifestError,
    },
    /// Another process uses it.
    #[error("another process uses the sweep in `{}`; wait for its end", .0.display())]
    InUse(PathBuf),
    /// Options that would change an existing sweep.
    #[error("{0}")]
    Options(&'static str),
    /// A file cannot be read or removed.
    #[error("cannot {action} `{}`: {source}", path.display())]
    System {
        /// The failed action: a verb.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A file or folder cannot be written or locked.
    #[error(transparent)]
    File(#[from] FileError),
}

impl SweepFolderError {
    /// The verdict of a command that fails with this error.
    pub fn verdict(&self) -> Verdict {
        match self {
            SweepFolderError::File(error) if error.is_disk_full() => Verdict::Failed,
            _ => Verdict::WrongInput,
        }
    }
}

/// The folder of a sweep whose points are known.
#[derive(Debug)]
pub struct SweepFolder {
    path: PathBuf,
    manifest: Manifest,
    /// The lock that keeps others from replacing the sweep.
    _lock: Option<File>,
}

/// A lock on a point, which no other process runs while this lives.
#[derive(Debug)]
pub struct PointLock {
    _lock: Option<File>,
}

impl SweepFolder {
    /// Whether a folder holds a sweep.
    pub fn is_one(path: &Path) -> bool {
        path.join(SWEEP_JSON).is_file()
    }

    /// Opens the sweep in a folder to read.
    ///
    /// # Errors
    /// If it cannot be used.
    pub fn for_reading(path: &Path) -> Result<SweepFolder, SweepFolderError> {
        Ok(SweepFolder { path: path.to_path_buf(), manifest: manifest(path)?, _lock: None })
    }

    /// Opens the sweep in a folder, locked against replacement while this lives.
    ///
    /// # Errors
    /// If it cannot be used.
    pub fn open(path: &Path) -> Result<SweepFolder, SweepFolderError> {
        let held = hold(&path.join(LOCK), false)?;
        Ok(SweepFolder { path: path.to_path_buf(), manifest: manifest(path)?, _lock: held })
    }

    /// The folder for a sweep: that of the same sweep, to continue it, or a new one. With
    /// `overwrite`, an existing sweep is removed; other files never are.
    ///
    /// # Errors
    /// If it cannot be used.
    pub fn for_sweep(
        path: &Path,
        manifest: Manifest,
        overwrite: bool,
    ) -> Result<SweepFolder, SweepFolderError> {
        let was_sweep = SweepFolder::is_one(path);
        if was_sweep {
            let mut before = SweepFolder::open(path)?;
            match before.manifest.difference(&manifest) {
                None if !overwrite => {
                    // The scene may have been moved.
                    if before.manifest.record.scene != manifest.record.scene {
                        before.manifest = manifest;
                        before.write(SWEEP_JSON, &before.manifest.json())?;
                    }
                    return Ok(before);
                }
                Some(difference) if !overwrite => {
                    let path = path.to_path_buf();
                    return Err(SweepFolderError::OtherSweep { path, difference });
                }
                _ => {}
            }
            drop(before);
            let alone = hold(&path.join(LOCK), true)?;
            remove(path)?;
            drop(alone);
        }
        // Files that remain in the points' folders of a removed sweep are the user's.
        let points = if was_sweep { None } else { Some(POINTS) };
        let foreign = [layout::MANIFEST].into_iter().chain(points).chain(DERIVED);
        let foreign = foreign.map(|name| path.join(name)).find(|path| path.exists());
        // The same manifest belongs to the same sweep, which starts now.
        let other = path.join(MANIFEST_CSV);
        let is_other = || files::read_regular(&other).is_ok_and(|bytes| bytes != manifest.csv());
        if let Some(name) = foreign.or_else(|| is_other().then(|| other.clone())) {
            if !was_sweep && SweepFolder::is_one(path) {
                // Another process was faster.
                return SweepFolder::for_sweep(path, manifest, overwrite);
            }
            return Err(SweepFolderError::ForeignFile(name));
        }
        let held = hold(&path.join(LOCK), false)?;
        let folder = SweepFolder { path: path.to_path_buf(), manifest, _lock: held };
        // Last the file that makes it a sweep.
        folder.write(MANIFEST_CSV, &folder.manifest.csv())?;
        folder.write(SWEEP_JSON, &folder.manifest.json())?;
        Ok(folder)
    }

    /// The path, as the user named it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its manifest.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The number of points.
    pub fn points(&self) -> usize {
        self.manifest.rows.len()
    }

    /// The folder of a point.
    pub fn point(&self, point: usize) -> PathBuf {
        self.path.join(POINTS).join(format!("{point:04}"))
    }

    /// The points to run: those that have not ended, and on request those that failed.
    pub fn pending(&self, retry_failed: bool) -> Vec<usize> {
        let is_due = |point: &usize| match self.status(*point) {
            PointStatus::Waiting | PointStatus::Unfinished => true,
            PointStatus::Ended(PointOutcome::Finished) => false,
            PointStatus::Ended(PointOutcome::Failed { .. }) => retry_failed,
        };
        (0..self.points()).filter(is_due).collect()
    }

    /// The status of a point.
    pub fn status(&self, point: usize) -> PointStatus {
        let path = self.point(point);
        let outcome = files::read_regular(&path.join(OUTCOME_JSON)).ok();
        let outcome =
            outcome.and_then(|bytes| PointOutcome::read(&bytes, &self.manifest.digest(point)));
        match outcome {
            Some(outcome) => PointStatus::Ended(outcome),
            None if path.join(layout::MANIFEST).is_file() => PointStatus::Unfinished,
            None => PointStatus::Waiting,
        }
    }

    /// The resolved scene of a point's run that can be resumed, if there is one.
    pub fn scene_of_run(&self, point: usize) -> Option<String> {
        let path = self.point(point);
        let scene = files::read_regular(&path.join(layout::SCENE)).ok()?;
        let scene = String::from_utf8(scene).ok()?;
        path.join(layout::MANIFEST).is_file().then_some(scene)
    }

    /// Locks a point for this process; `None` if another process runs it.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn lock(&self, point: usize) -> Result<Option<PointLock>, FileError> {
        match files::hold(&self.point(point).join(LOCK), true) {
            Ok(held) => Ok(Some(PointLock { _lock: held })),
            Err(FileError::InUse(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Records the outcome of a point.
    pub fn record_outcome(&self, point: usize, outcome: &PointOutcome) -> Result<(), FileError> {
        let path = self.point(point).join(OUTCOME_JSON);
        let note = outcome.json(&self.manifest.digest(point));
        files::write(&path, &note, Write::ReplaceSynced)
    }

    /// Removes the outcome of a point, so that it is run again.
    pub fn clear_outcome(&self, point: usize) -> Result<(), SweepFolderError> {
        remove_file(&self.point(point).join(OUTCOME_JSON))
    }

    /// The files of a point.
    pub fn files(&self, point: usize) -> PointFiles {
        let path = self.point(point);
        let read = |name: &str| files::read_regular(&path.join(name)).unwrap_or_default();
        PointFiles {
            status: self.status(point),
            log: read(layout::LOG),
            probes: read(layout::PROBES),
        }
    }

    /// Writes a file of the sweep.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), FileError> {
        files::write(&self.path.join(name), bytes, Write::ReplaceSynced)
    }
}

/// The manifest of the sweep in a folder.
fn manifest(path: &Path) -> Result<Manifest, SweepFolderError> {
    let read = |name: &str| {
        let file = path.join(name);
        files::read_regular(&file).map_err(|source| SweepFolderError::System {
            action: "read",
            path: file,
            source,
        })
    };
    let manifest = Manifest::read(&read(SWEEP_JSON)?, &read(MANIFEST_CSV)?);
    manifest.map_err(|source| SweepFolderError::Manifest { path: path.to_path_buf(), source })
}

/// Locks the sweep, shared or exclusively, and waits for other processes.
fn hold(path: &Path, alone: bool) -> Result<Option<File>, SweepFolderError> {
    let start = Instant::now();
    let held = loop {
        match files::hold(path, alone) {
            Err(FileError::InUse(_)) if start.elapsed() < MAX_WAIT => thread::sleep(RETRY),
            held => break held,
        }
    };
    held.map_err(|error| match error {
        FileError::InUse(folder) => SweepFolderError::InUse(folder),
        error => error.into(),
    })
}

/// Removes the files of a sweep and of its runs, never another.
fn remove(path: &Path) -> Result<(), SweepFolderError> {
    let points = path.join(POINTS);
    let entries = fs::read_dir(&points).into_iter().flatten().flatten();
    let is_point = |name: &str| name.len() >= 4 && name.bytes().all(|byte| byte.is_ascii_digit());
    for entry in entries.filter(|entry| entry.file_name().to_str().is_some_and(is_point)) {
        let point = entry.path();
        // First the file that marks it as done.
        remove_file(&point.join(OUTCOME_JSON))?;
        RunFolder::remove_run(&point)?;
        remove_file(&point.join(LOCK))?;
        // Folders with other files remain.
        drop(fs::remove_dir(&point));
    }
    drop(fs::remove_dir(&points));
    for entry in fs::read_dir(path.join(JOB_LOGS)).into_iter().flatten().flatten() {
        if entry.path().extension().is_some_and(|extension| extension == "log") {
            remove_file(&entry.path())?;
        }
    }
    drop(fs::remove_dir(path.join(JOB_LOGS)));
    // Last the file that makes it a sweep.
    DERIVED
        .into_iter()
        .chain([MANIFEST_CSV, SWEEP_JSON])
        .try_for_each(|name| remove_file(&path.join(name)))
}

/// Removes a file, if it is there.
pub fn remove_file(path: &Path) -> Result<(), SweepFolderError> {
    match fs::remove_file(path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(SweepFolderError::System { action: "remove", path: path.to_path_buf(), source })
        }
        _ => Ok(()),
    }
}
