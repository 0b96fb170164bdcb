//! The folder of a sweep: `sweep.json`, `manifest.csv`, and a folder for each point.

use crate::cli::console::Verdict;
use hashfall_output::files::{self, Write};
use hashfall_output::{FileError, RunFolder, layout};
use hashfall_sweep::{
    MANIFEST_CSV, Manifest, OUTCOME_JSON, PointFiles, PointOutcome, PointStatus, SWEEP_JSON,
};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// The folder that holds those of the points.
const POINTS: &str = "points";
/// Files that are made of the points again whenever that is asked.
const DERIVED: [&str; 4] = ["results.csv", "results.parquet", layout::REPORT, SCRIPT];
/// The script for Slurm, and the folder of what its jobs say.
pub const SCRIPT: &str = "sweep.sbatch";
pub const JOB_LOGS: &str = "slurm";
/// What processes hold that work on the sweep, or on a point in whose folder it is.
const LOCK: &str = "sweep.lock";
/// How often and how long a sweep is tried that another process holds: points whose crew was killed
/// let it go when they have stopped.
const RETRY: Duration = Duration::from_millis(200);
const MAX_WAIT: Duration = Duration::from_secs(20);

/// Why the folder of a sweep cannot be had.
#[derive(Debug)]
pub struct Refusal {
    /// In words.
    pub why: String,
    /// What it means for the command.
    pub verdict: Verdict,
}

impl From<String> for Refusal {
    fn from(why: String) -> Self {
        Refusal { why, verdict: Verdict::WrongInput }
    }
}

impl From<FileError> for Refusal {
    fn from(error: FileError) -> Self {
        let is_full = error.is_disk_full();
        let verdict = if is_full { Verdict::Failed } else { Verdict::WrongInput };
        Refusal { why: error.to_string(), verdict }
    }
}

/// The folder of a sweep whose points are known.
#[derive(Debug)]
pub struct SweepFolder {
    path: PathBuf,
    manifest: Manifest,
    /// Keeps others from replacing the sweep.
    _held: Option<File>,
}

/// A point that no other process runs as long as this lives.
#[derive(Debug)]
pub struct HeldPoint {
    _held: Option<File>,
}

impl SweepFolder {
    /// Whether a folder holds a sweep, or what may have been one.
    pub fn is_one(path: &Path) -> bool {
        path.join(SWEEP_JSON).is_file()
    }

    /// The sweep that a folder holds, to look at.
    ///
    /// # Errors
    /// Why it cannot be had.
    pub fn to_read(path: &Path) -> Result<SweepFolder, Refusal> {
        Ok(SweepFolder { path: path.to_path_buf(), manifest: manifest(path)?, _held: None })
    }

    /// The sweep that a folder holds, which nobody replaces as long as this lives.
    ///
    /// # Errors
    /// Why it cannot be had.
    pub fn open(path: &Path) -> Result<SweepFolder, Refusal> {
        let held = hold(&path.join(LOCK), false)?;
        Ok(SweepFolder { path: path.to_path_buf(), manifest: manifest(path)?, _held: held })
    }

    /// The folder for a sweep: that of the same sweep, which goes on, or a new one. With
    /// `overwrite`, a sweep that is in it goes; files that are no sweep's never do.
    ///
    /// # Errors
    /// Why it cannot be had.
    pub fn for_sweep(
        path: &Path,
        manifest: Manifest,
        overwrite: bool,
    ) -> Result<SweepFolder, Refusal> {
        let is_left = SweepFolder::is_one(path);
        if is_left {
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
                Some(how) if !overwrite => {
                    return Err(format!(
                        "`{}` holds another sweep ({how}): pass `--overwrite` to replace it, or \
                         choose another folder with `--out`",
                        path.display()
                    )
                    .into());
                }
                _ => {}
            }
            drop(before);
            let alone = hold(&path.join(LOCK), true)?;
            remove(path)?;
            drop(alone);
        }
        // What is left in the folders of points of a sweep that went is the user's.
        let points = if is_left { None } else { Some(POINTS) };
        let foreign = [layout::MANIFEST].into_iter().chain(points).chain(DERIVED);
        let foreign = foreign.map(|name| path.join(name)).find(|path| path.exists());
        // The same manifest is of the same sweep: it begins now, or never came farther.
        let other = path.join(MANIFEST_CSV);
        let is_other = || files::read_regular(&other).is_ok_and(|bytes| bytes != manifest.csv());
        if let Some(name) = foreign.or_else(|| is_other().then(|| other.clone())) {
            if !is_left && SweepFolder::is_one(path) {
                // Another process was faster.
                return SweepFolder::for_sweep(path, manifest, overwrite);
            }
            let name = name.display();
            return Err(format!(
                "`{name}` is in the way and not of a sweep: move it, or choose another folder with \
                 `--out`"
            )
            .into());
        }
        let held = hold(&path.join(LOCK), false)?;
        let folder = SweepFolder { path: path.to_path_buf(), manifest, _held: held };
        // Last what makes it a sweep's.
        folder.write(MANIFEST_CSV, &folder.manifest.csv())?;
        folder.write(SWEEP_JSON, &folder.manifest.json())?;
        Ok(folder)
    }

    /// Where it is, as the user named it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it runs.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// How many points it has.
    pub fn points(&self) -> usize {
        self.manifest.rows.len()
    }

    /// The folder of a point.
    pub fn point(&self, point: usize) -> PathBuf {
        self.path.join(POINTS).join(format!("{point:04}"))
    }

    /// The points that are to be run: those that have not ended, and if asked those that failed.
    pub fn due(&self, retry_failed: bool) -> Vec<usize> {
        let is_due = |point: &usize| match self.standing(*point) {
            PointStatus::Waiting | PointStatus::Unfinished => true,
            PointStatus::Ended(PointOutcome::Finished) => false,
            PointStatus::Ended(PointOutcome::Failed { .. }) => retry_failed,
        };
        (0..self.points()).filter(is_due).collect()
    }

    /// How a point stands.
    pub fn standing(&self, point: usize) -> PointStatus {
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

    /// The resolved scene of a point's run that can be gone on with, if there is one.
    pub fn scene_of_run(&self, point: usize) -> Option<String> {
        let path = self.point(point);
        let scene = files::read_regular(&path.join(layout::SCENE)).ok()?;
        let scene = String::from_utf8(scene).ok()?;
        path.join(layout::MANIFEST).is_file().then_some(scene)
    }

    /// Takes a point for this process; `None` if another has it.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn hold(&self, point: usize) -> Result<Option<HeldPoint>, FileError> {
        match files::hold(&self.point(point).join(LOCK), true) {
            Ok(held) => Ok(Some(HeldPoint { _held: held })),
            Err(FileError::InUse(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Notes how a point ended.
    pub fn note(&self, point: usize, outcome: &PointOutcome) -> Result<(), FileError> {
        let path = self.point(point).join(OUTCOME_JSON);
        let note = outcome.json(&self.manifest.digest(point));
        files::write(&path, &note, Write::ReplaceSynced)
    }

    /// Forgets how a point ended, so that it is run again.
    pub fn forget(&self, point: usize) -> Result<(), String> {
        remove_file(&self.point(point).join(OUTCOME_JSON))
    }

    /// What a point has left behind.
    pub fn files(&self, point: usize) -> PointFiles {
        let path = self.point(point);
        let read = |name: &str| files::read_regular(&path.join(name)).unwrap_or_default();
        PointFiles {
            standing: self.standing(point),
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
fn manifest(path: &Path) -> Result<Manifest, String> {
    let read = |name: &str| {
        let file = path.join(name);
        files::read_regular(&file)
            .map_err(|error| format!("cannot read `{}`: {error}", file.display()))
    };
    let manifest = Manifest::read(&read(SWEEP_JSON)?, &read(MANIFEST_CSV)?);
    manifest.map_err(|why| format!("`{}`: {why}", path.display()))
}

/// Holds the sweep with others, or alone as soon as they let it go.
fn hold(path: &Path, alone: bool) -> Result<Option<File>, Refusal> {
    let start = Instant::now();
    let held = loop {
        match files::hold(path, alone) {
            Err(FileError::InUse(_)) if start.elapsed() < MAX_WAIT => thread::sleep(RETRY),
            held => break held,
        }
    };
    held.map_err(|error| match error {
        FileError::InUse(folder) => {
            let folder = folder.display();
            format!("another process works on the sweep in `{folder}`: wait for its end").into()
        }
        error => error.into(),
    })
}

/// Removes a sweep's files and those of its runs, and never another.
fn remove(path: &Path) -> Result<(), String> {
    let points = path.join(POINTS);
    let entries = fs::read_dir(&points).into_iter().flatten().flatten();
    let is_point = |name: &str| name.len() >= 4 && name.bytes().all(|byte| byte.is_ascii_digit());
    for entry in entries.filter(|entry| entry.file_name().to_str().is_some_and(is_point)) {
        let point = entry.path();
        // First what says that it is done.
        remove_file(&point.join(OUTCOME_JSON))?;
        RunFolder::remove_run(&point).map_err(|error| error.to_string())?;
        remove_file(&point.join(LOCK))?;
        // Files of the user's keep their folder.
        drop(fs::remove_dir(&point));
    }
    drop(fs::remove_dir(&points));
    for entry in fs::read_dir(path.join(JOB_LOGS)).into_iter().flatten().flatten() {
        if entry.path().extension().is_some_and(|extension| extension == "log") {
            remove_file(&entry.path())?;
        }
    }
    drop(fs::remove_dir(path.join(JOB_LOGS)));
    // Last what makes it a sweep's.
    DERIVED
        .into_iter()
        .chain([MANIFEST_CSV, SWEEP_JSON])
        .try_for_each(|name| remove_file(&path.join(name)))
}

/// Removes a file, if it is there.
pub fn remove_file(path: &Path) -> Result<(), String> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(format!("cannot remove `{}`: {error}", path.display()))
        }
        _ => Ok(()),
    }
}
