//! The folder of a format: what is written there, and what goes if that fails.

use super::error::ExportError;
use hashfall_export::Target;
use hashfall_output::files::{self, Growing, Write};
use hashfall_output::{FileError, layout};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// A folder for the files of a format, locked while this value lives. Unless it is
/// [kept](ExportFolder::keep), what was written goes with it.
pub struct ExportFolder {
    path: PathBuf,
    how: Write,
    growing: BTreeMap<String, Growing>,
    /// The files so far.
    pub written: Vec<String>,
    /// Their length \[bytes\].
    pub bytes: u64,
    is_kept: bool,
    /// Whether the folder is new.
    is_new: bool,
    _lock: Option<File>,
}

impl ExportFolder {
    /// Creates a folder or takes it over. One with files is taken over with `overwrite` alone: in
    /// a run's folder an earlier export goes, elsewhere files of the same names are replaced.
    ///
    /// # Errors
    /// If it is a file, has files, or another process uses it.
    pub fn open(
        path: &Path,
        overwrite: bool,
        is_of_run: bool,
    ) -> Result<ExportFolder, ExportError> {
        if path.exists() && !path.is_dir() {
            return Err(ExportError::NoFolder(path.to_path_buf()));
        }
        let system = |action: &'static str, path: &Path| {
            let path = path.to_path_buf();
            move |source| ExportError::File(FileError::System { action, path, source })
        };
        let is_new = !path.exists();
        fs::create_dir_all(path).map_err(system("create", path))?;
        let lock = files::lock(path).map_err(|error| match error {
            FileError::InUse(folder) => ExportError::InUse(folder),
            error => ExportError::File(error),
        })?;
        let entries = fs::read_dir(path).map_err(system("read", path))?.flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        let (unfinished, names): (Vec<_>, Vec<_>) =
            names.into_iter().partition(|name| layout::is_unfinished(name));
        if !names.is_empty() && !overwrite {
            return Err(ExportError::Exists(path.to_path_buf()));
        }
        let format = path.file_name().unwrap_or_default().to_string_lossy();
        let is_ours = |name: &String| {
            is_of_run && layout::is_export(&format!("{}/{format}/{name}", layout::EXPORTS))
        };
        for name in names.iter().filter(|name| is_ours(name)).chain(&unfinished) {
            let path = path.join(name);
            fs::remove_file(&path).map_err(system("remove", &path))?;
        }
        Ok(ExportFolder {
            path: path.to_path_buf(),
            how: if overwrite { Write::Replace } else { Write::New },
            growing: BTreeMap::new(),
            written: Vec::new(),
            bytes: 0,
            is_kept: false,
            is_new,
            _lock: lock,
        })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Keeps what was written.
    pub fn keep(&mut self) {
        self.is_kept = true;
    }
}

impl Target for ExportFolder {
    fn put(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        files::write(&self.path.join(name), bytes, self.how).map_err(io::Error::other)?;
        self.written.push(name.to_owned());
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    fn append(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        if !self.growing.contains_key(name) {
            let growing = Growing::create(&self.path.join(name)).map_err(io::Error::other)?;
            self.growing.insert(name.to_owned(), growing);
        }
        if let Some(growing) = self.growing.get_mut(name) {
            growing.append(bytes).map_err(io::Error::other)?;
            self.bytes += bytes.len() as u64;
        }
        Ok(())
    }

    fn complete(&mut self, name: &str, head: &[u8]) -> io::Result<()> {
        if let Some(growing) = self.growing.remove(name) {
            growing.complete(head, self.how).map_err(io::Error::other)?;
            self.written.push(name.to_owned());
        }
        Ok(())
    }
}

impl Drop for ExportFolder {
    fn drop(&mut self) {
        if self.is_kept {
            return;
        }
        // What cannot be removed stays: the error that led here is told.
        self.growing.clear();
        self.written.iter().for_each(|name| drop(fs::remove_file(self.path.join(name))));
        if self.is_new {
            drop(fs::remove_dir(&self.path));
            if self.path.parent().is_some_and(|above| above.ends_with(layout::EXPORTS)) {
                self.path.parent().into_iter().for_each(|above| drop(fs::remove_dir(above)));
            }
        }
    }
}
