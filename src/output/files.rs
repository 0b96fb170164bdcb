//! The folder of a run on disk: the one place of the output that touches paths.
//!
//! A file is written under a temporary name in the folder where it will stand, and renamed once
//! it is whole: a killed run or a full disk leaves a file's old state or its new one, never a
//! part. The series and the manifest are also on the disk before they are renamed, so that a
//! power cut cannot empty them; frames are not, to save a wait per frame.

use super::layout;
use super::manifest;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

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
    /// The folder holds a file that a run would write, but no earlier run that wrote it.
    #[error(
        "`{}` is in the way and no run's manifest (`{}`) stands beside it: move it, or choose \
         another folder with `--out`",
        .0.display(),
        layout::MANIFEST
    )]
    InTheWay(PathBuf),
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

/// How a file may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Write {
    /// Replaces a file of that name.
    Replace,
    /// Replaces a file of that name, and survives a power cut.
    ReplaceSynced,
    /// Fails if there is a file of that name.
    New,
}

/// The folder that a run writes into.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
}

impl RunFolder {
    /// Makes `path` ready for a run: a folder that can be written and holds no run's files.
    ///
    /// An earlier run in it is an error, or with `overwrite` is removed: the files that its
    /// manifest or the layout name, never another. On an error everything is as it was.
    pub fn create(path: impl Into<PathBuf>, overwrite: bool) -> Result<RunFolder, FileError> {
        let folder = RunFolder { path: path.into() };
        let made = make_folders(&folder.path)?;
        let ready = folder.make_ready(overwrite);
        if ready.is_err() {
            made.iter().for_each(|path| drop(fs::remove_dir(path)));
        }
        ready.map(|()| folder)
    }

    /// The folder's path, as it was given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file, named relative to the folder, whole or not at all.
    pub fn write(&self, name: &str, bytes: &[u8], how: Write) -> Result<(), FileError> {
        let path = self.path.join(name);
        let parent = path.parent().unwrap_or(&self.path);
        fs::create_dir_all(parent).map_err(|e| system("create", parent, e))?;
        let mut file = temporary_file(parent).map_err(|e| system("write", &path, e))?;
        // Through the file itself: the wrapper would add the temporary name to the error.
        file.as_file_mut().write_all(bytes).map_err(|e| system("write", &path, e))?;
        if how == Write::ReplaceSynced {
            file.as_file().sync_all().map_err(|e| system("write", &path, e))?;
        }
        let renamed =
            if how == Write::New { file.persist_noclobber(&path) } else { file.persist(&path) };
        match renamed {
            Ok(_) => Ok(()),
            Err(e) if e.error.kind() == io::ErrorKind::AlreadyExists => {
                Err(FileError::InTheWay(path))
            }
            Err(e) => Err(system("write", &path, e.error)),
        }
    }

    /// Removes files that nothing names yet, as far as the system lets it.
    pub(super) fn discard(&self, names: &[String]) {
        names.iter().for_each(|name| drop(fs::remove_file(self.path.join(name))));
    }

    /// Checks that a file can be written here, then clears an earlier run away.
    fn make_ready(&self, overwrite: bool) -> Result<(), FileError> {
        let probe = temporary_file(&self.path).map_err(|e| system("write into", &self.path, e))?;
        probe.close().map_err(|e| system("write into", &self.path, e))?;
        let files = self.list()?;
        let Some(first) = files.iter().find(|name| layout::is_of_a_run(name)) else {
            return Ok(());
        };
        if !overwrite {
            return Err(FileError::ExistingRun(self.path.clone()));
        }
        let meshes = fs::read(self.path.join(layout::MANIFEST))
            .ok()
            .and_then(|bytes| manifest::mesh_copies(&bytes))
            .ok_or_else(|| FileError::InTheWay(self.path.join(first)))?;
        let meshes: Vec<String> = meshes.iter().map(|name| layout::mesh(name)).collect();
        let is_to_go = |name: &String| {
            layout::is_of_a_run(name) || layout::is_unfinished(name) || meshes.contains(name)
        };
        self.remove(files.into_iter().filter(is_to_go))
    }

    /// The files in the folder and in the folders of a run, in order of name.
    fn list(&self) -> Result<Vec<String>, FileError> {
        let mut names = Vec::new();
        for folder in [""].into_iter().chain(layout::FOLDERS) {
            let path = self.path.join(folder);
            if !path.is_dir() {
                continue;
            }
            let failed = |e| system("read", &path, e);
            for entry in fs::read_dir(&path).map_err(failed)? {
                if let Ok(name) = entry.map_err(failed)?.file_name().into_string() {
                    let separator = if folder.is_empty() { "" } else { "/" };
                    names.push(format!("{folder}{separator}{name}"));
                }
            }
        }
        names.sort();
        Ok(names)
    }

    /// Removes files, the manifest last: until then the run can be told from a user's files.
    fn remove(&self, names: impl Iterator<Item = String>) -> Result<(), FileError> {
        let names = names.filter(|name| name != layout::MANIFEST);
        for name in names.chain([layout::MANIFEST.to_owned()]) {
            let path = self.path.join(name);
            fs::remove_file(&path).map_err(|e| system("remove", &path, e))?;
        }
        // A folder with files of the user's is not empty, and stays.
        layout::FOLDERS.iter().for_each(|folder| drop(fs::remove_dir(self.path.join(folder))));
        Ok(())
    }
}

/// Makes a folder and those above it; the ones that were missing, innermost first.
fn make_folders(path: &Path) -> Result<Vec<PathBuf>, FileError> {
    let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
    let missing: Vec<PathBuf> =
        path.ancestors().take_while(is_missing).map(Path::to_path_buf).collect();
    match fs::create_dir_all(path) {
        Ok(()) => Ok(missing),
        Err(e) => {
            missing.iter().for_each(|path| drop(fs::remove_dir(path)));
            Err(system("create", path, e))
        }
    }
}

/// A file that disappears unless it is given a name; as readable as any other new file.
fn temporary_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(layout::TEMPORARY.0).suffix(layout::TEMPORARY.1);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

fn system(action: &'static str, path: &Path, source: io::Error) -> FileError {
    FileError::System { action, path: path.to_path_buf(), source: without_path(source) }
}

/// The kind of an error alone, where the temporary file's name was added to it.
fn without_path(error: io::Error) -> io::Error {
    if error.raw_os_error().is_some() { error } else { error.kind().into() }
}

/// What Linux says about the processors.
pub(super) fn cpu_info() -> Option<String> {
    fs::read_to_string("/proc/cpuinfo").ok()
}
