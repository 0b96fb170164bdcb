//! A folder for previews that is no run's: which files in it are ours.
//!
//! The folder may be the user's, with pictures that are called as ours are. So a list beside the
//! previews names the files that were written by us: no others are removed, and without it a folder
//! with files is refused. The list is written before the files, with all that may come, so that
//! those of a killed call are on it.

use super::subject::PreviewError;
use hashfall_output::files::{self, Write};
use hashfall_output::{FileError, layout};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// The name of the list.
const LIST: &str = "previews.json";
/// The folder of the page's scripts.
const PAGE: &str = "page";
/// By which a list is told from another file of its name.
const PROGRAM: &str = env!("CARGO_PKG_NAME");

/// What the list holds.
#[derive(Debug, Deserialize, Serialize)]
struct List {
    program: String,
    /// The files, with the names that they would have in a run.
    files: BTreeSet<String>,
}

/// A folder for previews, locked while this value lives.
#[derive(Debug)]
pub struct OwnFolder {
    path: PathBuf,
    /// The files of earlier calls.
    earlier: BTreeSet<String>,
    _lock: Option<File>,
}

impl OwnFolder {
    /// Creates the folder or takes it over, for previews of these names. With `overwrite` these may
    /// replace files of the user; no others.
    ///
    /// # Errors
    /// If another process uses it, or it holds files that are not ours: any without a list, or one
    /// that would be replaced.
    pub fn take(
        path: &Path,
        planned: &BTreeSet<String>,
        overwrite: bool,
    ) -> Result<OwnFolder, PreviewError> {
        if path.exists() && !path.is_dir() {
            return Err(PreviewError::NoFolder(path.to_path_buf()));
        }
        fs::create_dir_all(path)
            .map_err(|source| PreviewError::System { folder: path.to_path_buf(), source })?;
        let lock = files::lock(path)?;
        let list = read_list(path);
        let is_ours = list.is_some();
        let earlier = list.unwrap_or_default();
        let folder = OwnFolder { path: path.to_path_buf(), earlier, _lock: lock };
        if !overwrite {
            let is_foreign = |name: &String| {
                !folder.earlier.contains(name)
                    && !layout::is_unfinished(name)
                    && (!is_ours || planned.contains(name))
            };
            if let Some(name) = names_in(path).into_iter().find(is_foreign) {
                return Err(PreviewError::ForeignFile(path.join(inner(&name))));
            }
        }
        folder.write_list(folder.earlier.union(planned).cloned().collect())?;
        Ok(folder)
    }

    /// The path of a preview.
    pub fn path(&self, name: &str) -> PathBuf {
        self.path.join(inner(name))
    }

    /// Removes the files of earlier calls other than `current`, and what killed ones have left
    /// unfinished.
    ///
    /// # Errors
    /// If one cannot be removed, or the list not be written.
    pub fn remove_old(&self, current: &BTreeSet<String>) -> Result<(), FileError> {
        let is_ours = |name: &String| self.earlier.contains(name) || layout::is_unfinished(name);
        for name in names_in(&self.path).into_iter().filter(is_ours) {
            if !current.contains(&name) {
                let path = self.path(&name);
                let system =
                    |source| FileError::System { action: "remove", path: path.clone(), source };
                fs::remove_file(&path).map_err(system)?;
            }
        }
        if self.earlier.iter().any(|name| name.starts_with("preview/page/")) {
            // It stays unless it is empty.
            drop(fs::remove_dir(self.path.join(PAGE)));
        }
        self.write_list(current.clone())
    }

    fn write_list(&self, files: BTreeSet<String>) -> Result<(), FileError> {
        let list = List { program: PROGRAM.to_owned(), files };
        let text = serde_json::to_string_pretty(&list).unwrap_or_default() + "\n";
        files::write(&self.path.join(LIST), text.as_bytes(), Write::Replace)
    }
}

/// The previews that the list in a folder names; `None` if there is no list of ours.
fn read_list(folder: &Path) -> Option<BTreeSet<String>> {
    let bytes = files::read_regular(&folder.join(LIST)).ok()?;
    let list: List = serde_json::from_slice(&bytes).ok()?;
    let files = list.files.into_iter().filter(|name| layout::is_preview(name));
    (list.program == PROGRAM).then(|| files.collect())
}

/// The name of a preview without the folder that it has in a run.
fn inner(name: &str) -> &str {
    name.strip_prefix(layout::PREVIEWS).map_or(name, |rest| rest.trim_start_matches('/'))
}

/// The files in a folder and its folder `page` but for the list, with the names that they would
/// have in a run.
fn names_in(folder: &Path) -> Vec<String> {
    let page = folder.join(PAGE);
    let mut names = Vec::new();
    for (folder, prefix) in [(folder, "preview/"), (&page, "preview/page/")] {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let entries = entries.filter(|entry| entry.path() != page || !page.is_dir());
        names.extend(entries.map(|entry| prefix.to_owned() + &entry.file_name().to_string_lossy()));
    }
    names.retain(|name| inner(name) != LIST);
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn only_files_on_the_list_are_removed() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("shown");
        let planned = ["preview/frame_00000.png", "preview/index.html", "preview/page/f00000.js"];
        let folder = OwnFolder::take(&path, &set(&planned), false).unwrap();
        assert!(matches!(
            OwnFolder::take(&path, &set(&[]), false),
            Err(PreviewError::InUse(busy)) if busy == path
        ));
        for name in planned {
            files::write(&folder.path(name), &b"ours"[..], Write::Replace).unwrap();
        }
        drop(folder);
        // As of a killed call: the list has what was planned.
        for name in ["frame_00001.png", "notes.txt", ".hashfall-a1.tmp"] {
            fs::write(path.join(name), "").unwrap();
        }
        let next = set(&["preview/index.html"]);
        let folder = OwnFolder::take(&path, &next, false).unwrap();
        folder.remove_old(&next).unwrap();
        drop(folder);
        let left = ["preview/frame_00001.png", "preview/index.html", "preview/notes.txt"];
        assert_eq!(names_in(&path), left);
        let clash = set(&["preview/frame_00001.png"]);
        let taken = OwnFolder::take(&path, &clash, false);
        assert!(matches!(taken, Err(PreviewError::ForeignFile(_))), "{taken:?}");
        drop(OwnFolder::take(&path, &clash, true).unwrap());
    }

    #[test]
    fn a_list_that_is_not_ours_is_none() {
        let place = tempfile::tempdir().unwrap();
        for text in ["{}", "[]", r#"{"program": "other", "files": []}"#, "notes"] {
            fs::write(place.path().join(LIST), text).unwrap();
            assert_eq!(read_list(place.path()), None, "{text}");
        }
        let text = format!(r#"{{"program": "{PROGRAM}", "files": ["../../notes.txt"]}}"#);
        fs::write(place.path().join(LIST), text).unwrap();
        assert_eq!(read_list(place.path()), Some(set(&[])));
    }
}
