//! The folder of a run: whose files it may touch, and who else may write into it.

use crate::disk::file_error::FileError;
use crate::disk::files::{
    Write, append, free_space, is_taken, lock, make_folders, open_regular, read_regular,
    stay_inside, stop_writing, sync_folder, system, temporary_file, write_into, write_last,
};
use crate::layout;
use crate::records::checkpoint;
use crate::records::manifest::{self, Manifest, Status};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// The folder that a run writes into, and no other run as long as this lives.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    /// Folders that were made for the run, innermost first.
    made: Vec<PathBuf>,
    /// Files of an earlier run, which go when this one starts.
    earlier: Vec<String>,
    /// Keeps other runs out until it is closed, which the system does for a killed run.
    _lock: Option<File>,
}

impl RunFolder {
    /// Makes sure that a run with copies of `meshes` can be written into `path`; removes nothing.
    ///
    /// An earlier run in it is an error, or with `overwrite` is noted, to be removed at
    /// the run's start. A file that this run would write and no earlier run has
    /// written is an error. On an error everything is as it was.
    pub fn create(
        path: impl Into<PathBuf>,
        meshes: &[&str],
        overwrite: bool,
    ) -> Result<RunFolder, FileError> {
        let path = path.into();
        let made = make_folders(&path)?;
        let mut folder = RunFolder { path, made, earlier: Vec::new(), _lock: None };
        folder.make_ready(meshes, overwrite).inspect_err(|_| folder.remove_emptied())?;
        Ok(folder)
    }

    /// Makes sure that reports can be written into `path`, which are no run's; removes nothing.
    pub fn for_reports(path: impl Into<PathBuf>) -> Result<RunFolder, FileError> {
        let path = path.into();
        let made = make_folders(&path)?;
        let mut folder = RunFolder { path, made, earlier: Vec::new(), _lock: None };
        folder.take().inspect_err(|_| folder.remove_emptied())?;
        Ok(folder)
    }

    /// Removes the run in a folder, if there is one, and what it left unfinished; never another
    /// file.
    ///
    /// # Errors
    /// If another process has it, or the system refuses.
    pub fn remove_run(path: impl Into<PathBuf>) -> Result<(), FileError> {
        let mut folder = RunFolder::create(path, &[], true)?;
        folder.remove_earlier_run()?;
        folder.remove_emptied();
        Ok(())
    }

    /// Notes in the manifest of a run in progress that it failed, and removes unfinished files, for
    /// a process that cannot do so through its recorder. Errors are dropped: nobody could act.
    pub fn note_failure(path: impl Into<PathBuf>, reason: &str) {
        stop_writing();
        let Ok((folder, manifest)) = RunFolder::for_reading(path) else { return };
        let mut unfinished = folder.list().unwrap_or_default();
        unfinished.retain(|name| layout::is_unfinished(name));
        folder.discard(&unfinished);
        if let Some(mut manifest) = Manifest::read(&manifest).filter(Manifest::is_running) {
            manifest.end(&Status::Failed(reason.to_owned()));
            let (parent, path) = (&folder.path, folder.path.join(layout::MANIFEST));
            drop(write_last(parent, &path, &manifest.bytes(), Write::ReplaceSynced));
        }
    }

    /// Takes the folder of a run that shall go on; changes nothing in it.
    ///
    /// # Errors
    /// If there is no such folder or run, or another process has it.
    pub fn for_resume(path: impl Into<PathBuf>) -> Result<(RunFolder, Vec<u8>), FileError> {
        let (mut folder, manifest) = RunFolder::for_reading(path)?;
        folder.take()?;
        Ok((folder, manifest))
    }

    /// The folder of a run to be audited, which no other process writes meanwhile; it may be
    /// read-only.
    ///
    /// # Errors
    /// If there is no such folder or run, another process has it, or a link in it leads out of it.
    pub fn for_audit(path: impl Into<PathBuf>) -> Result<(RunFolder, Vec<u8>), FileError> {
        let (mut folder, manifest) = RunFolder::for_previews(path)?;
        folder._lock = lock(&folder.path)?;
        Ok((folder, manifest))
    }

    /// The folder of a run to read only, which may go on meanwhile, and the bytes of its manifest.
    ///
    /// # Errors
    /// If there is no such folder or run.
    pub fn for_reading(path: impl Into<PathBuf>) -> Result<(RunFolder, Vec<u8>), FileError> {
        let path = path.into();
        let no_run = |why: &str| FileError::NoRun { path: path.clone(), why: why.to_owned() };
        if !path.is_dir() {
            return Err(no_run("there is no such folder"));
        }
        let name = path.join(layout::MANIFEST);
        let manifest = read_regular(&name).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => no_run("there is no `run.json` in it"),
            _ => system("read", &name, error),
        })?;
        Ok((RunFolder { path, made: Vec::new(), earlier: Vec::new(), _lock: None }, manifest))
    }

    /// Whether another process has the folder now, as far as the system tells.
    pub fn is_in_use(&self) -> bool {
        is_taken(&self.path)
    }

    /// The folder of a run that may go on, to which previews are added; with its manifest.
    ///
    /// # Errors
    /// If there is no such folder or run, or a link in it leads out of it.
    pub fn for_previews(path: impl Into<PathBuf>) -> Result<(RunFolder, Vec<u8>), FileError> {
        let (folder, manifest) = RunFolder::for_reading(path)?;
        for inner in layout::FOLDERS {
            stay_inside(&folder.path, &folder.path.join(inner))?;
        }
        Ok((folder, manifest))
    }

    /// Takes the folder of the previews, in which no other process makes some as long as what comes
    /// back lives; `None` where the system has no locks for folders.
    ///
    /// # Errors
    /// [`FileError::InUse`] if another process has it, or if it cannot be made.
    pub fn hold_previews(&self) -> Result<Option<File>, FileError> {
        let folder = self.path.join(layout::PREVIEWS);
        make_folders(&folder)?;
        lock(&folder)
    }

    /// Removes the previews that are not in `kept`, what a killed call has left unfinished, and
    /// folders that become empty.
    ///
    /// # Errors
    /// If a folder cannot be read, or a file not removed.
    pub fn keep_previews(&self, kept: &BTreeSet<String>) -> Result<(), FileError> {
        let is_ours = |name: &String| {
            layout::is_preview(name) || name.starts_with("preview/") && layout::is_unfinished(name)
        };
        let previews = self.list()?.into_iter().filter(is_ours);
        for name in previews.filter(|name| !kept.contains(name)) {
            let path = self.path.join(name);
            fs::remove_file(&path).map_err(|e| system("remove", &path, e))?;
        }
        let folders = layout::FOLDERS.iter().filter(|folder| folder.starts_with("preview"));
        folders.for_each(|folder| drop(fs::remove_dir(self.path.join(folder))));
        Ok(())
    }

    /// Reads a file of the run.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, FileError> {
        let path = self.path.join(name);
        read_regular(&path).map_err(|error| system("read", &path, error))
    }

    /// Bytes that are free on its disk, if the system tells.
    pub fn free_space(&self) -> Option<u64> {
        free_space(&self.path)
    }

    /// Whether there is such a file.
    pub fn has(&self, name: &str) -> bool {
        self.path.join(name).is_file()
    }

    /// The names of checkpoints, the newest first.
    pub fn checkpoints(&self) -> Result<Vec<String>, FileError> {
        let mut names = self.list()?;
        names.retain(|name| layout::checkpoint_step(name).is_some());
        names.sort_by_key(|name| std::cmp::Reverse(layout::checkpoint_step(name)));
        Ok(names)
    }

    /// Leaves of the checkpoints `kept` and the one before it; returns their names, the oldest
    /// first.
    ///
    /// Newer ones are those that were refused in favour of `kept`. It is on disk and sound, so the
    /// last good checkpoint stays whatever happens.
    pub(crate) fn trim_checkpoints(&self, kept: &str) -> Result<Vec<String>, FileError> {
        let mut newest_first = self.checkpoints()?;
        let first = newest_first.iter().position(|name| name == kept).unwrap_or(0);
        let end = (first + checkpoint::KEPT).min(newest_first.len());
        let mut stay: Vec<String> = newest_first.drain(first..end).collect();
        self.discard(&newest_first);
        stay.reverse();
        Ok(stay)
    }

    /// Waits until files that were written are safe from a power cut; those that are gone need not
    /// be.
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

    /// Writes a file, named relative to the folder, whole or not at all.
    pub fn write(&self, name: &str, bytes: &[u8], how: Write) -> Result<(), FileError> {
        let path = self.path.join(name);
        let parent = path.parent().unwrap_or(&self.path);
        // The run's own folder is not made again: somebody has moved or removed it.
        let inner: Vec<&Path> =
            parent.ancestors().take_while(|inner| *inner != self.path).collect();
        for inner in inner.into_iter().rev() {
            stay_inside(&self.path, inner)?;
            match fs::create_dir(inner) {
                Err(e) if e.kind() != io::ErrorKind::AlreadyExists => {
                    return Err(system("create", inner, e));
                }
                _ => {}
            }
        }
        write_into(parent, &path, bytes, how)
    }

    /// Adds bytes to a file behind its first `length`; what stands there goes. Without room the
    /// file is as before.
    pub(crate) fn append(&self, name: &str, length: u64, bytes: &[u8]) -> Result<(), FileError> {
        if length == 0 {
            return self.write(name, bytes, Write::Replace);
        }
        append(&self.path.join(name), length, bytes)
    }

    /// Reads so many bytes from the start of a file, which has them; none need no file.
    pub(crate) fn read_first(&self, name: &str, length: u64) -> Result<Vec<u8>, FileError> {
        if length == 0 {
            return Ok(Vec::new());
        }
        let path = self.path.join(name);
        let mut bytes = Vec::new();
        let read = open_regular(&path).and_then(|file| file.take(length).read_to_end(&mut bytes));
        match read {
            Ok(read) if read as u64 == length => Ok(bytes),
            Ok(_) => Err(system("read", &path, io::Error::other("it is shorter than it was"))),
            Err(error) => Err(system("read", &path, error)),
        }
    }

    /// Removes the files of an earlier run, and never another.
    ///
    /// The manifest goes last: until then the run can be told from a user's files.
    pub(crate) fn remove_earlier_run(&mut self) -> Result<(), FileError> {
        self.earlier.sort_by_key(|name| name == layout::MANIFEST);
        for name in self.earlier.drain(..) {
            let path = self.path.join(name);
            fs::remove_file(&path).map_err(|e| system("remove", &path, e))?;
        }
        layout::FOLDERS.iter().for_each(|folder| drop(fs::remove_dir(self.path.join(folder))));
        Ok(())
    }

    /// Removes files that nothing names yet, as far as the system lets it.
    pub(crate) fn discard(&self, names: &[String]) {
        names.iter().for_each(|name| drop(fs::remove_file(self.path.join(name))));
    }

    /// Removes the folders that the run has made, unless files stand in them.
    pub(crate) fn remove_emptied(&self) {
        let inner = layout::FOLDERS.iter().map(|folder| self.path.join(folder));
        inner.chain(self.made.iter().cloned()).for_each(|path| drop(fs::remove_dir(path)));
    }

    /// Takes the folder, and checks that a file can be written into it, and not beyond it.
    fn take(&mut self) -> Result<(), FileError> {
        self._lock = lock(&self.path)?;
        for folder in layout::FOLDERS {
            stay_inside(&self.path, &self.path.join(folder))?;
        }
        let probe = temporary_file(&self.path).map_err(|e| system("write into", &self.path, e))?;
        probe.close().map_err(|e| system("write into", &self.path, e))
    }

    /// Takes the folder, and looks at what is there.
    fn make_ready(&mut self, meshes: &[&str], overwrite: bool) -> Result<(), FileError> {
        self.take()?;
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
            // A start that was cut short leaves nothing but these.
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
        let is_wanted = |name: &&String| layout::is_of_a_run(name) || meshes.contains(name);
        if let Some(name) = others.iter().find(is_wanted) {
            return Err(FileError::InTheWay(self.path.join(name)));
        }
        self.earlier = earlier;
        Ok(())
    }

    /// That there is a run with this manifest.
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
