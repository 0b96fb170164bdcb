//! Files on disk. Only this file and `run_folder` touch paths.
//!
//! A file is written under a temporary name in its folder and renamed when it is complete: a killed
//! run or a full disk leaves the old or the new content, never a part. Only tables grow row by row,
//! and a resumed run repairs an incomplete last row. Series and manifest are synced to disk before
//! the rename, so that a power cut cannot empty them; frames are not, to save a wait per frame.

use super::content::Content;
use super::file_error::FileError;
use crate::layout;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};
use std::time::{Duration, Instant};
use tempfile::NamedTempFile;

/// How a file may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Write {
    /// Replaces a file of that name.
    Replace,
    /// As `Replace`, and survives a power cut.
    ReplaceSynced,
    /// Fails if there is a file of that name.
    New,
}

/// Writes a file atomically, and creates the folders above it.
pub fn write<'a>(
    path: &Path,
    content: impl Into<Content<'a>>,
    how: Write,
) -> Result<(), FileError> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(|e| system("create", parent, e))?;
    write_into(parent, path, content.into(), how).map(drop)
}

/// Read-locked by each thread that writes a file; write-locked for good when the process ends.
static WRITING: RwLock<()> = RwLock::new(());
/// How long an ending process waits for files that are being written.
const WRITE_TIMEOUT: Duration = Duration::from_secs(2);

/// Waits for files that are being written, and blocks every later call of [`write_into`] and
/// [`append`]: the process is about to end.
pub(crate) fn stop_writing() {
    let start = Instant::now();
    // The ending thread may itself be writing a file, so the wait is bounded.
    while start.elapsed() < WRITE_TIMEOUT {
        if let Ok(guard) = WRITING.try_write() {
            std::mem::forget(guard);
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Writes a file of the folder `parent` atomically; returns its length \[bytes\].
pub(crate) fn write_into(
    parent: &Path,
    path: &Path,
    content: Content<'_>,
    how: Write,
) -> Result<u64, FileError> {
    let _writing = WRITING.read().unwrap_or_else(PoisonError::into_inner);
    write_last(parent, path, content, how)
}

/// As [`write_into`], also after [`stop_writing`].
pub(crate) fn write_last(
    parent: &Path,
    path: &Path,
    content: Content<'_>,
    how: Write,
) -> Result<u64, FileError> {
    let mut file = temporary_file(parent).map_err(|e| system("write", path, e))?;
    // Through the file itself: the wrapper would add the temporary name to the error.
    let length = content.write_to(file.as_file_mut()).map_err(|e| system("write", path, e))?;
    if how == Write::ReplaceSynced {
        file.as_file().sync_all().map_err(|e| system("write", path, e))?;
    }
    let renamed = if how == Write::New { file.persist_noclobber(path) } else { file.persist(path) };
    match renamed {
        Ok(_) => {
            if how == Write::ReplaceSynced {
                sync_folder(parent);
            }
            Ok(length)
        }
        Err(e) if e.error.kind() == io::ErrorKind::AlreadyExists => {
            Err(FileError::ForeignFile(path.to_path_buf()))
        }
        Err(e) => Err(system("write", path, e.error)),
    }
}

/// A file that grows under a temporary name in its folder, and gets its own once it is complete.
/// Dropped before that, it is removed.
pub struct Growing {
    file: NamedTempFile,
    path: PathBuf,
}

impl Growing {
    /// Begins a file, and creates the folders above it.
    ///
    /// # Errors
    /// On a system error.
    pub fn create(path: &Path) -> Result<Growing, FileError> {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let parent = parent.unwrap_or(Path::new("."));
        fs::create_dir_all(parent).map_err(|e| system("create", parent, e))?;
        let file = temporary_file(parent).map_err(|e| system("write", path, e))?;
        Ok(Growing { file, path: path.to_path_buf() })
    }

    /// Appends bytes.
    ///
    /// # Errors
    /// On a system error.
    pub fn append(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        let _writing = WRITING.read().unwrap_or_else(PoisonError::into_inner);
        let written = self.file.as_file_mut().write_all(bytes);
        written.map_err(|e| system("write", &self.path, e))
    }

    /// Replaces the first bytes, and gives the file its name; on disk, so that a power cut cannot
    /// empty it. It may replace another unless `how` is [`Write::New`].
    ///
    /// # Errors
    /// On a system error, or if there is a file of that name.
    pub fn complete(mut self, head: &[u8], how: Write) -> Result<(), FileError> {
        let _writing = WRITING.read().unwrap_or_else(PoisonError::into_inner);
        let file = self.file.as_file_mut();
        let written = file.seek(SeekFrom::Start(0)).and_then(|_| file.write_all(head));
        let written = written.and_then(|()| file.sync_all());
        written.map_err(|e| system("write", &self.path, e))?;
        let renamed = match how {
            Write::New => self.file.persist_noclobber(&self.path),
            Write::Replace | Write::ReplaceSynced => self.file.persist(&self.path),
        };
        match renamed {
            Ok(_) => Ok(()),
            Err(e) if e.error.kind() == io::ErrorKind::AlreadyExists => {
                Err(FileError::ForeignFile(self.path))
            }
            Err(e) => Err(system("write", &self.path, e.error)),
        }
    }
}

/// Writes bytes after the first `length` bytes of a file, and removes what follows. If the disk is
/// full, the file keeps its first `length` bytes. Links are not followed.
pub(crate) fn append(path: &Path, length: u64, bytes: &[u8]) -> Result<(), FileError> {
    let _writing = WRITING.read().unwrap_or_else(PoisonError::into_inner);
    let grow = || {
        if path.is_symlink() {
            return Err(io::Error::other("it has been replaced by a link"));
        }
        let mut file = fs::OpenOptions::new().write(true).open(path)?;
        if file.seek(SeekFrom::End(0))? < length {
            return Err(io::Error::other("it has become shorter"));
        }
        file.set_len(length)?;
        file.seek(SeekFrom::Start(length))?;
        file.write_all(bytes).inspect_err(|_| drop(file.set_len(length)))
    };
    grow().map_err(|error| system("write", path, error))
}

/// Fails unless the path is a regular file: opening a pipe blocks until somebody writes to it, and
/// devices may never end.
pub fn check_regular(path: &Path) -> io::Result<()> {
    let kind = fs::metadata(path)?.file_type();
    if kind.is_file() {
        return Ok(());
    }
    let what = if kind.is_dir() { "a folder" } else { "a pipe or device" };
    Err(io::Error::other(format!("it is {what}, not a regular file")))
}

/// Opens a regular file to read it.
pub fn open_regular(path: &Path) -> io::Result<File> {
    check_regular(path)?;
    File::open(path)
}

/// Reads a regular file.
pub fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    check_regular(path)?;
    fs::read(path)
}

/// The first and the last bytes of a regular file, at most `count` of each, and its length.
pub(crate) fn ends(path: &Path, count: usize) -> io::Result<(Vec<u8>, Vec<u8>, u64)> {
    let mut file = open_regular(path)?;
    let length = file.metadata()?.len();
    let count = count as u64;
    let (mut head, mut tail) = (Vec::new(), Vec::new());
    (&file).take(count).read_to_end(&mut head)?;
    file.seek(SeekFrom::Start(length.saturating_sub(count)))?;
    file.take(count).read_to_end(&mut tail)?;
    Ok((head, tail, length))
}

/// Syncs the names in a folder to disk, where the system can.
pub(crate) fn sync_folder(folder: &Path) {
    // Some systems cannot open or sync a folder; there is nothing better to do on them.
    drop(File::open(folder).and_then(|folder| folder.sync_all()));
}

/// Locks a folder for one process until the result is dropped; `None` where the system cannot lock
/// folders, as on some network file systems.
///
/// # Errors
/// [`FileError::InUse`] if another process holds the lock.
pub fn lock(folder: &Path) -> Result<Option<File>, FileError> {
    let Ok(handle) = File::open(folder) else { return Ok(None) };
    match handle.try_lock() {
        Ok(()) => Ok(Some(handle)),
        Err(TryLockError::WouldBlock) => Err(FileError::InUse(folder.to_path_buf())),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

/// Whether another process has locked a folder, as far as the system knows.
pub(crate) fn is_locked(folder: &Path) -> bool {
    let Ok(handle) = File::open(folder) else { return false };
    matches!(handle.try_lock_shared(), Err(TryLockError::WouldBlock))
}

/// Fails if `inner` is a link out of `folder`. The folder itself may be a link: the user named it.
pub(crate) fn check_inside(folder: &Path, inner: &Path) -> Result<(), FileError> {
    if !inner.is_symlink() {
        return Ok(());
    }
    match (fs::canonicalize(folder), fs::canonicalize(inner)) {
        (Ok(folder), Ok(inner)) if inner.starts_with(&folder) => Ok(()),
        _ => Err(FileError::LeadsOut(inner.to_path_buf())),
    }
}

/// Locks a file, exclusively or shared, until the result is dropped; creates it and the folders
/// above it. `None` where the system has no locks.
///
/// # Errors
/// [`FileError::InUse`] if another process holds a conflicting lock.
pub fn hold(path: &Path, alone: bool) -> Result<Option<File>, FileError> {
    let parent = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(|e| system("create", parent, e))?;
    let file = fs::OpenOptions::new().create(true).read(true).append(true).open(path);
    let file = file.map_err(|e| system("write", path, e))?;
    match if alone { file.try_lock() } else { file.try_lock_shared() } {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Err(FileError::InUse(parent.to_path_buf())),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

/// Free space where a folder is or would be, if known \[bytes\].
pub fn free_space(folder: &Path) -> Option<u64> {
    let existing = folder.ancestors().find(|folder| folder.is_dir());
    let folder = existing.unwrap_or(Path::new("."));
    fs4::available_space(folder).ok()
}

/// Creates a folder and those above it; returns those that were missing, innermost first.
pub(crate) fn make_folders(path: &Path) -> Result<Vec<PathBuf>, FileError> {
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

/// A temporary file with the permissions of any new file. It is opened here, because the crate
/// would add the temporary name to errors and hide the system's error code.
pub(crate) fn temporary_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(layout::TEMPORARY.0).suffix(layout::TEMPORARY.1);
    builder.make_in(folder, |path| {
        fs::OpenOptions::new().read(true).write(true).create_new(true).open(path)
    })
}

pub(crate) fn system(action: &'static str, path: &Path, source: io::Error) -> FileError {
    FileError::System { action, path: path.to_path_buf(), source }
}

/// The text of a file of the system, such as `/proc/cpuinfo`; `None` where there is none.
pub(crate) fn system_text(path: &str) -> Option<String> {
    fs::read_to_string(path).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_grows_has_its_name_once_it_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("inner/run.abc");
        let names = || fs::read_dir(path.parent().unwrap()).unwrap().count();
        let mut growing = Growing::create(&path).unwrap();
        growing.append(b"....").unwrap();
        growing.append(b"tail").unwrap();
        assert!(!path.exists() && names() == 1);
        drop(growing);
        assert_eq!(names(), 0, "a part is removed");
        for (how, is_taken) in [(Write::New, false), (Write::New, true), (Write::Replace, true)] {
            assert_eq!(path.exists(), is_taken);
            let mut growing = Growing::create(&path).unwrap();
            growing.append(b"....").unwrap();
            growing.append(b"tail").unwrap();
            let completed = growing.complete(b"head", how);
            if how == Write::New && is_taken {
                assert!(matches!(completed, Err(FileError::ForeignFile(_))));
            }
            assert_eq!((fs::read(&path).unwrap(), names()), (b"headtail".to_vec(), 1));
        }
    }

    #[test]
    fn the_error_of_a_missing_folder_is_that_of_the_system() {
        let folder = tempfile::tempdir().unwrap();
        let gone = folder.path().join("gone");
        let path = gone.join("series.pvd");
        let reason = fs::read(&path).unwrap_err().to_string();
        let fault = write_into(&gone, &path, b"bytes"[..].into(), Write::Replace).unwrap_err();
        assert_eq!(fault.to_string(), format!("cannot write `{}`: {reason}", path.display()));
    }
}
