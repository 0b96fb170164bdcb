//! Where previews are written: into the run's folder, or the folder that the user names.

use super::subject::PreviewError;
use hashfall_output::files::{self, Write};
use hashfall_output::{FileError, RunFolder, layout};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// A folder for previews. Their names are those in a run's folder, such as `preview/index.html`.
pub enum Target<'a> {
    /// `preview/` in the folder of the run.
    Run(&'a RunFolder),
    /// A folder of its own, without `preview/`.
    Folder(PathBuf),
}

impl<'a> Target<'a> {
    /// The folder that the user names, or that of the run.
    ///
    /// # Errors
    /// If the named folder holds other files than previews, which might be replaced.
    pub fn new(out: Option<&Path>, run: &'a RunFolder) -> Result<Target<'a>, PreviewError> {
        let Some(folder) = out else { return Ok(Target::Run(run)) };
        if folder.exists() && !folder.is_dir() {
            return Err(PreviewError::NoFolder(folder.to_path_buf()));
        }
        match names_in(folder).into_iter().find(|name| !is_preview(name)) {
            Some(name) => Err(PreviewError::ForeignFile(folder.join(inner(&name)))),
            None => Ok(Target::Folder(folder.to_path_buf())),
        }
    }

    /// The path of a preview.
    pub fn path(&self, name: &str) -> PathBuf {
        match self {
            Target::Run(run) => run.path().join(name),
            Target::Folder(folder) => folder.join(inner(name)),
        }
    }

    /// Writes a preview.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), FileError> {
        match self {
            Target::Run(run) => run.write(name, bytes, Write::Replace),
            Target::Folder(_) => files::write(&self.path(name), bytes, Write::Replace),
        }
    }

    /// Locks the previews while the result lives: another process would remove them.
    ///
    /// # Errors
    /// If another process makes previews there.
    pub fn lock(&self) -> Result<Option<File>, PreviewError> {
        let locked = match self {
            Target::Run(run) => run.lock_previews(),
            Target::Folder(folder) => {
                fs::create_dir_all(folder)
                    .map_err(|source| PreviewError::System { folder: folder.clone(), source })?;
                return Ok(None);
            }
        };
        locked.map_err(|error| match error {
            FileError::InUse(folder) => PreviewError::InUse(folder),
            error => PreviewError::Folder(error),
        })
    }

    /// Removes previews other than `current`.
    ///
    /// # Errors
    /// If one cannot be removed.
    pub fn remove_old(&self, current: &BTreeSet<String>) -> Result<(), FileError> {
        let folder = match self {
            Target::Run(run) => return run.remove_old_previews(current),
            Target::Folder(folder) => folder,
        };
        for name in names_in(folder).into_iter().filter(|name| is_preview(name)) {
            if !current.contains(&name) {
                let path = self.path(&name);
                let system =
                    |source| FileError::System { action: "remove", path: path.clone(), source };
                fs::remove_file(&path).map_err(system)?;
            }
        }
        Ok(())
    }
}

/// The name of a preview without the folder that it has in a run.
fn inner(name: &str) -> &str {
    name.strip_prefix(layout::PREVIEWS).map_or(name, |rest| rest.trim_start_matches('/'))
}

/// Whether this is a preview, or one that a killed call has left unfinished.
fn is_preview(name: &str) -> bool {
    layout::is_preview(name) || layout::is_unfinished(name)
}

/// The files in a folder and its folder `page`, with the names that they would have in a run.
fn names_in(folder: &Path) -> Vec<String> {
    let page = folder.join("page");
    let mut names = Vec::new();
    for (folder, prefix) in [(folder, "preview/"), (&page, "preview/page/")] {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let entries = entries.filter(|entry| entry.path() != page);
        names.extend(entries.map(|entry| prefix.to_owned() + &entry.file_name().to_string_lossy()));
    }
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn previews_are_told_from_other_files() {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir(place.path().join("page")).unwrap();
        for name in ["frame_00001.png", "index.html", "page/solids.js", "page/f00001.js"] {
            fs::write(place.path().join(name), "").unwrap();
        }
        assert_eq!(names_in(place.path()).len(), 4);
        assert!(names_in(place.path()).iter().all(|name| is_preview(name)));
        let target = Target::Folder(place.path().to_path_buf());
        assert_eq!(target.path(layout::PREVIEW_PAGE), place.path().join("index.html"));
        let kept: BTreeSet<String> = [layout::PREVIEW_PAGE.to_owned()].into();
        target.remove_old(&kept).unwrap();
        assert_eq!(names_in(place.path()), ["preview/index.html"]);
    }
}
