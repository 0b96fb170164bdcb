//! The folder of a sweep: `sweep.json`, `manifest.csv`, and a folder for each point.

use crate::output::files::{self, Write};
use crate::output::{FileError, RunFolder, layout};
use crate::sweep::{MANIFEST, Manifest, OUTCOME, Outcome, PointFiles, RECORD, Standing};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The folder that holds those of the points.
const POINTS: &str = "points";
/// Files that are made of the points again whenever that is asked.
const DERIVED: [&str; 4] = ["results.csv", "results.parquet", "report.html", "sweep.sbatch"];

/// The folder of a sweep whose points are known.
#[derive(Clone, Debug)]
pub struct SweepFolder {
    path: PathBuf,
    manifest: Manifest,
}

impl SweepFolder {
    /// Whether a folder holds a sweep.
    pub fn is_one(path: &Path) -> bool {
        path.join(RECORD).is_file()
    }

    /// The sweep that a folder holds.
    ///
    /// # Errors
    /// Why it cannot be had.
    pub fn open(path: &Path) -> Result<SweepFolder, String> {
        let read = |name: &str| {
            let file = path.join(name);
            fs::read(&file).map_err(|error| format!("cannot read `{}`: {error}", file.display()))
        };
        let manifest = Manifest::read(&read(RECORD)?, &read(MANIFEST)?);
        let manifest = manifest.map_err(|why| format!("`{}`: {why}", path.display()))?;
        Ok(SweepFolder { path: path.to_path_buf(), manifest })
    }

    /// The folder for a sweep: that of the same sweep, which goes on, or a new one. With
    /// `overwrite`, another sweep in it goes.
    ///
    /// # Errors
    /// Why it cannot be had.
    pub fn for_sweep(
        path: &Path,
        manifest: Manifest,
        overwrite: bool,
    ) -> Result<SweepFolder, String> {
        if SweepFolder::is_one(path) {
            let before = SweepFolder::open(path);
            let other = match &before {
                Ok(before) => before.manifest.difference(&manifest),
                Err(_) => Some("it cannot be read"),
            };
            match (other, before) {
                (None, Ok(before)) => return Ok(before),
                (Some(how), _) if !overwrite => {
                    return Err(format!(
                        "`{}` holds another sweep ({how}): pass `--overwrite` to replace it, or \
                         choose another folder with `--out`",
                        path.display()
                    ));
                }
                _ => remove(path)?,
            }
        }
        if path.join(layout::MANIFEST).exists() {
            let path = path.display();
            return Err(format!("`{path}` holds a run: choose another folder with `--out`"));
        }
        let folder = SweepFolder { path: path.to_path_buf(), manifest };
        // Last what makes it a sweep's.
        folder.write(MANIFEST, &folder.manifest.csv())?;
        folder.write(RECORD, &folder.manifest.json())?;
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

    /// How a point stands.
    pub fn standing(&self, point: usize) -> Standing {
        let path = self.point(point);
        let outcome = fs::read(path.join(OUTCOME)).ok();
        match outcome.and_then(|bytes| Outcome::read(&bytes).ok()) {
            Some(outcome) => Standing::Ended(outcome),
            None if path.join(layout::MANIFEST).is_file() => Standing::Unfinished,
            None => Standing::Waiting,
        }
    }

    /// Whether a point's run can be gone on with.
    pub fn has_run(&self, point: usize) -> bool {
        let path = self.point(point);
        path.join(layout::MANIFEST).is_file() && path.join(layout::SCENE).is_file()
    }

    /// Whether a process runs a point now.
    pub fn is_running(&self, point: usize) -> bool {
        let taken = files::is_taken(&self.point(point));
        matches!(taken, Err(FileError::InUse(_)))
    }

    /// Notes how a point ended.
    pub fn note(&self, point: usize, outcome: &Outcome) -> Result<(), String> {
        let path = self.point(point).join(OUTCOME);
        let written = files::write(&path, &outcome.json(), Write::ReplaceSynced);
        written.map_err(|error| error.to_string())
    }

    /// Forgets how a point ended, so that it is run again.
    pub fn forget(&self, point: usize) -> Result<(), String> {
        let path = self.point(point).join(OUTCOME);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(format!("cannot remove `{}`: {error}", path.display()))
            }
            _ => Ok(()),
        }
    }

    /// What a point has left behind.
    pub fn files(&self, point: usize) -> PointFiles {
        let path = self.point(point);
        let read = |name: &str| fs::read(path.join(name)).unwrap_or_default();
        PointFiles {
            standing: self.standing(point),
            log: read(layout::LOG),
            probes: read(layout::PROBES),
        }
    }

    /// Writes a file of the sweep.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        let written = files::write(&self.path.join(name), bytes, Write::ReplaceSynced);
        written.map_err(|error| error.to_string())
    }
}

/// Removes a sweep's files and those of its runs, and never another.
fn remove(path: &Path) -> Result<(), String> {
    let failed =
        |path: &Path, error: io::Error| format!("cannot remove `{}`: {error}", path.display());
    let points = path.join(POINTS);
    let entries = fs::read_dir(&points).into_iter().flatten().flatten();
    let is_point = |name: &str| name.len() >= 4 && name.bytes().all(|byte| byte.is_ascii_digit());
    for entry in entries.filter(|entry| entry.file_name().to_str().is_some_and(is_point)) {
        let point = entry.path();
        RunFolder::remove_run(&point).map_err(|error| error.to_string())?;
        drop(fs::remove_file(point.join(OUTCOME)));
        // Files of the user's keep their folder.
        drop(fs::remove_dir(&point));
    }
    drop(fs::remove_dir(&points));
    // Last what makes it a sweep's.
    for name in DERIVED.into_iter().chain([MANIFEST, RECORD]) {
        let file = path.join(name);
        match fs::remove_file(&file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(failed(&file, error));
            }
            _ => {}
        }
    }
    Ok(())
}
