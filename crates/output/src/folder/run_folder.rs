//! The folder of a run: which files it may touch, and the lock that keeps other runs out.

use crate::disk::content::Content;
use crate::disk::file_error::FileError;
use crate::disk::files::{
    Write, append, check_inside, free_space, is_locked, lock, make_folders, open_regular,
    read_regular, stop_writing, sync_folder, system, temporary_file, write_into, write_last,
};
use crate::layout;
use crate::records::checkpoint;
use crate::records::manifest::{self, Manifest, Status};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// The folder of a run, locked against other runs while this value lives.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    /// Folders that were created for the run, innermost first.
    created: Vec<PathBuf>,
    /// Files of an earlier run, which are removed when this one starts.
    earlier: Vec<String>,
    /// The lock; the system releases it for a killed run.
    _lock: Option<File>,
}

impl RunFolder {
    /// Checks that a run with copies of `meshes` can be written into `path`; removes nothing.
    ///
    /// # Errors
    /// If the folder holds an earlier run, unless `overwrite` marks it for removal at the run's
    /// start; or if the run would overwrite a file that no run has written. Nothing is changed
    /// then.
    pub fn create(
        path: impl Into<PathBuf>,
        meshes: &[&str],
        overwrite: bool,
    ) -> Result<RunFolder, FileError> {
        let path = path.into();
        let created = make_folders(&path)?;
        let mut folder = RunFolder { path, created, earlier: Vec::new(), _lock: None };
        folder.prepare(meshes, overwrite).inspect_err(|_| folder.remove_emptied())?;
        Ok(folder)
    }

    /// Checks that reports, which belong to no run, can be written into `path`; removes nothing.
    pub fn for_reports(path: impl Into<PathBuf>) -> Result<RunFolder, FileError> {
        let path = path.into();
        let created = make_folders(&path)?;
        let mut folder = RunFolder { path, created, earlier: Vec::new(), _lock: None };
        folder.acquire().inspect_err(|_| folder.remove_emptied())?;
        Ok(folder)
    }

    /// Removes the run in a folder, if there is one, with its temporary files; never another file.
    ///
    /// # Errors
    /// If another process uses it, or on a system error.
    pub fn remove_run(path: impl Into<PathBuf>) -> Result<(), FileError> {
        let mut folder = RunFolder::create(path, &[], true)?;
        folder.remove_earlier_run()?;
        folder.remove_emptied();
        Ok(())
    }

    /// Marks a run in progress as failed in its manifest, and removes temporary files, for a
    /// process that cannot use its recorder. Errors are ignored: nobody could act on them.
    pub fn mark_failed(path: impl Into<PathBuf>, reason: &str) {
        stop_writing();
        let Ok((folder, manifest)) = RunFolder::for_reading(path) else { return };
        let mut unfinished = folder.list().unwrap_or_default();
        unfinished.retain(|name| layout::is_unfinished(name));
        folder.discard(&unfinished);
        if let Some(mut manifest) = Manifest::read(&manifest).filter(Manifest::is_running) {
            manifest.end(&Status::Failed(reason.to_owned()));
            let (parent, path) = (&folder.path, folder.path.join(layout::MANIFEST));
            drop(write_last(parent, &path, manifest.bytes().into(), Write::ReplaceSynced));
        }
    }

    /// Locks the folder of a run to resume; changes nothing in it.
    ///
    /// # Errors
    /// If there is no such folder or run, or another process uses it.
    pub fn for_resume(path: impl Into<PathBuf>) -> Result<(RunFolder, Vec<u8>), FileError> {
        let (mut folder, manifest) = RunFolder::for_reading(path)?;
        folder.acquire()?;
        Ok((folder, manifest))
    }

    /// Locks the folder of a run to audit; it may be read-only.
    ///
    /// # Errors
    /// If there is no such folder or run, another process uses it, or a link in it leads out of it.
    pub fn for_audit(path: impl Into<PathBuf>) -> Result<(RunFolder, Vec<u8>), FileError> {
        let (mut folder, manifest) = RunFolder::for_previews(path)?;
        folder._lock = lock(&folder.path)?;
        Ok((folder, manifest))
    }

    /// Opens the folder of a run, which may be in progress, to read; returns also its manifest.
    ///
    /// # Errors
    /// If there is no such folder or run, or a file of it is a link that leads out of it: what is
    /// read comes to light in pages and messages.
    pub fn for_reading(path: impl Into<PathBuf>) -> Result<(RunFolder, Vec<u8>), FileError> {
        let path = path.into();
        let no_run = |why: &str| FileError::NoRun { path: path.clone(), why: why.to_owned() };
        if !path.is_dir() {
            return Err(no_run("there is no such folder"));
        }
        for name in layout::FILES {
            check_inside(&path, &path.join(name))?;
        }
        let name = path.join(layout::MANIFEST);
        let manifest = read_regular(&name).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => no_run("it has no `run.json`"),
            _ => system("read", &name, error),
        })?;
        Ok((RunFolder { path, created: Vec::new(), earlier: Vec::new(), _lock: None }, manifest))
    }

    /// Whether another process uses the folder, as far as the system knows.
    pub fn is_in_use(&self) -> bool {
        is_locked(&self.path)
    }

    /// Opens the folder of a run, which may be in progress, to add previews; returns also its
    /// manifest.
    ///
    /// # Errors
    /// If there is no such folder or run, or a link in it leads out of it.
    pub fn for_previews(path: impl Into<PathBuf>) -> Result<(RunFolder, Vec<u8>), FileError> {
        let (folder, manifest) = RunFolder::for_reading(path)?;
        for inner in layout::FOLDERS {
            check_inside(&folder.path, &folder.path.join(inner))?;
        }
        Ok((folder, manifest))
    }

    /// Locks the folder of the previews while the result lives; `None` where the system cannot lock
    /// folders.
    ///
    /// # Errors
    /// [`FileError::InUse`] if another process uses it; or if it cannot be created.
    pub fn lock_previews(&self) -> Result<Option<File>, FileError> {
        let folder = self.path.join(layout::PREVIEWS);
        make_folders(&folder)?;
        lock(&folder)
    }

    /// Removes previews other than `current`, temporary files of a killed call, and empty folders.
    ///
    /// # Errors
    /// If a folder cannot be read, or a file not removed.
    pub fn remove_old_previews(&self, current: &BTreeSet<String>) -> Result<(), FileError> {
        let is_ours = |name: &String| {
            layout::is_preview(name) || name.starts_with("preview/") && layout::is_unfinished(name)
        };
        let previews = self.list()?.into_iter().filter(is_ours);
        for name in previews.filter(|name| !current.contains(name)) {
            let path = self.path.join(name);
            fs::remove_file(&path).map_err(|e| system("remove", &path, e))?;
        }
        let folders = layout::FOLDERS.iter().filter(|folder| folder.starts_with("preview"));
        folders.for_each(|folder| drop(fs::remove_dir(self.path.join(folder))));
        Ok(())
    }

    /// Reads a file of the run.
    ///
    /// # Errors
    /// If it cannot be read, or is a link that leads out of the folder.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, FileError> {
        let path = self.path.join(name);
        check_inside(&self.path, &path)?;
        read_regular(&path).map_err(|error| system("read", &path, error))
    }

    /// Free space on its disk, if known \[bytes\].
    pub fn free_space(&self) -> Option<u64> {
        free_space(&self.path)
    }

    /// Whether there is such a file.
    pub fn has(&self, name: &str) -> bool {
        self.path.join(name).is_file()
    }

    /// The length of a file \[bytes\]; `None` if there is no such file.
    pub fn size(&self, name: &str) -> Option<u64> {
        let metadata = fs::metadata(self.path.join(name)).ok()?;
        metadata.is_file().then_some(metadata.len())
    }

    /// The names of checkpoints, the newest first.
    pub fn checkpoints(&self) -> Result<Vec<String>, FileError> {
        let mut names = self.list()?;
        names.retain(|name| layout::checkpoint_step(name).is_some());
        names.sort_by_key(|name| std::cmp::Reverse(layout::checkpoint_step(name)));
        Ok(names)
    }

    /// Removes all checkpoints but `newest` and the one before it; returns the remaining names, the
    /// oldest first.
    ///
    /// Checkpoints after `newest` are invalid. `newest` is valid and on disk, so a valid checkpoint
    /// remains whatever happens.
    pub(crate) fn trim_checkpoints(&self, newest: &str) -> Result<Vec<String>, FileError> {
        let mut newest_first = self.checkpoints()?;
        let first = newest_first.iter().position(|name| name == newest).unwrap_or(0);
        let end = (first + checkpoint::RETAINED).min(newest_first.len());
        let mut remaining: Vec<String> = newest_first.drain(first..end).collect();
        self.discard(&newest_first);
        remaining.reverse();
        Ok(remaining)
    }

    /// Syncs files to disk; missing files are skipped.
    pub(crate) fn sync(&self, names: &[String]) -> Result<(), FileError> {
        for name in names {
            let path = self.path.join(name);
            match File::open(&path) {
                Ok(file) => file.sync_all().map_err(|e| system("write", &path, e))?,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(system("read", &path, error)),
            }
        }
        layout::FOLDERS.iter().for_each(|folder| sync_folder(&self.path.join(folder)));
        Ok(())
    }

    /// The folder's path, as it was given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file, named relative to the folder, atomically.
    pub fn write<'a>(
        &self,
        name: &str,
        content: impl Into<Content<'a>>,
        how: Write,
    ) -> Result<(), FileError> {
        self.write_content(name, content.into(), how).map(drop)
    }

    /// The same; returns the file's length \[bytes\].
    pub(crate) fn write_content(
        &self,
        name: &str,
        content: Content<'_>,
        how: Write,
    ) -> Result<u64, FileError> {
        let path = self.path.join(name);
        let parent = path.parent().unwrap_or(&self.path);
        // The run's own folder is not created again: somebody has moved or removed it.
        let inner: Vec<&Path> =
            parent.ancestors().take_while(|inner| *inner != self.path).collect();
        for inner in inner.into_iter().rev() {
            check_inside(&self.path, inner)?;
            match fs::create_dir(inner) {
                Err(e) if e.kind() != io::ErrorKind::AlreadyExists => {
                    return Err(system("create", inner, e));
                }
                _ => {}
            }
        }
        write_into(parent, &path, content, how)
    }

    /// Writes bytes after the first `length` bytes of a file, and removes what follows.
    pub(crate) fn append(&self, name: &str, length: u64, bytes: &[u8]) -> Result<(), FileError> {
        if length == 0 {
            return self.write(name, bytes, Write::Replace);
        }
        append(&self.path.join(name), length, bytes)
    }

    /// Reads the first `length` bytes of a file; a length of 0 needs no file.
    pub(crate) fn read_first(&self, name: &str, length: u64) -> Result<Vec<u8>, FileError> {
        if length == 0 {
            return Ok(Vec::new());
        }
        let path = self.path.join(name);
        let mut bytes = Vec::new();
        let read = open_regular(&path).and_then(|file| file.take(length).read_to_end(&mut bytes));
        match read {
            Ok(read) if read as u64 == length => Ok(bytes),
            Ok(_) => Err(system("read", &path, io::Error::other("it has become shorter"))),
            Err(error) => Err(system("read", &path, error)),
        }
    }

    /// Removes the files of an earlier run, never another.
    ///
    /// The manifest is removed last: until then the run can be recognised.
    pub(crate) fn remove_earlier_run(&mut self) -> Result<(), FileError> {
        self.earlier.sort_by_key(|name| name == layout::MANIFEST);
        for name in self.earlier.drain(..) {
            let path = self.path.join(name);
            fs::remove_file(&path).map_err(|e| system("remove", &path, e))?;
        }
        layout::FOLDERS.iter().for_each(|folder| drop(fs::remove_dir(self.path.join(folder))));
        Ok(())
    }

    /// Removes files, named relative to the folder; those that are not there are skipped.
    ///
    /// # Errors
    /// The system's reason.
    pub fn remove(&self, names: &[String]) -> Result<(), FileError> {
        for name in names {
            let path = self.path.join(name);
            match fs::remove_file(&path) {
                Err(e) if e.kind() != io::ErrorKind::NotFound => {
                    return Err(system("remove", &path, e));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Removes files that nothing refers to yet, and ignores errors.
    pub(crate) fn discard(&self, names: &[String]) {
        names.iter().for_each(|name| drop(fs::remove_file(self.path.join(name))));
    }

    /// Removes the folders that the run has created, unless they contain files.
    pub(crate) fn remove_emptied(&self) {
        let inner = layout::FOLDERS.iter().map(|folder| self.path.join(folder));
        inner.chain(self.created.iter().cloned()).for_each(|path| drop(fs::remove_dir(path)));
    }

    /// Locks the folder, and checks that files can be written into it and that no link leads out.
    fn acquire(&mut self) -> Result<(), FileError> {
        self._lock = lock(&self.path)?;
        for folder in layout::FOLDERS {
            check_inside(&self.path, &self.path.join(folder))?;
        }
        let probe = temporary_file(&self.path).map_err(|e| system("write into", &self.path, e))?;
        probe.close().map_err(|e| system("write into", &self.path, e))
    }

    /// Locks the folder, and checks the files in it.
    fn prepare(&mut self, meshes: &[&str], overwrite: bool) -> Result<(), FileError> {
        self.acquire()?;
        let manifest = self.path.join(layout::MANIFEST);
        let manifest = match read_regular(&manifest) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(system("read", &manifest, error));
            }
            read => read.unwrap_or_default(),
        };
        let earlier_meshes = manifest::mesh_copies(&manifest);
        if earlier_meshes.is_some() && !overwrite {
            return Err(self.existing_run(&manifest));
        }
        let meshes: Vec<String> = meshes.iter().map(|name| layout::mesh(name)).collect();
        let files = self.list()?;
        let (earlier, others): (Vec<String>, Vec<String>) = match earlier_meshes {
            // An interrupted start leaves only temporary files.
            None => files.into_iter().partition(|name| layout::is_unfinished(name)),
            Some(names) => {
                let earlier: Vec<String> = names.iter().map(|name| layout::mesh(name)).collect();
                files.into_iter().partition(|name| {
                    layout::is_of_a_run(name)
                        || layout::is_unfinished(name)
                        || earlier.contains(name)
                })
            }
        };
        let is_needed = |name: &&String| layout::is_of_a_run(name) || meshes.contains(name);
        if let Some(name) = others.iter().find(is_needed) {
            return Err(FileError::ForeignFile(self.path.join(name)));
        }
        self.earlier = earlier;
        Ok(())
    }

    /// The error for an existing run with this manifest.
    fn existing_run(&self, manifest: &[u8]) -> FileError {
        let path = self.path.clone();
        match Manifest::read(manifest).filter(|manifest| !manifest.is_finished()) {
            Some(Manifest { scene, progress, .. }) => FileError::UnfinishedRun {
                path,
                scene: scene.name,
                written: progress.frames_written,
                all: scene.frames.saturating_add(1),
            },
            None => FileError::ExistingRun(path),
        }
    }

    /// The files in the folder and in the folders of a run, in order of name.
    ///
    /// # Errors
    /// If one of them cannot be read.
    pub fn list(&self) -> Result<Vec<String>, FileError> {
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
}
