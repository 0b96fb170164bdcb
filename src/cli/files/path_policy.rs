//! The files that a scene may read: regular files below the parent of its folder.
//!
//! A scene from somebody else must not read the whole disk, nor block on a pipe. Its meshes are
//! next to it or, as `../meshes/column.obj`, in a folder next to its own. Links are followed first.

use hashfall_output::files::check_regular;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The files that a scene may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathPolicy {
    /// Files below the parent of the scene's folder.
    NearScene,
    /// All files, because the user trusts the scene.
    Anywhere,
}

impl PathPolicy {
    /// The policy by `--allow-outside`.
    pub fn new(allow_outside: bool) -> PathPolicy {
        if allow_outside { PathPolicy::Anywhere } else { PathPolicy::NearScene }
    }

    /// Checks that a scene in `folder` may read `path`: an allowed and regular file.
    ///
    /// # Errors
    /// If it may not, or on a system error.
    pub fn check(self, folder: &Path, path: &Path) -> io::Result<()> {
        if self == PathPolicy::NearScene {
            check_below(&home(folder)?, path)?;
        }
        check_regular(path)
    }
}

/// The folder of allowed files of a scene in `folder`: its parent, unless that is the root.
fn home(folder: &Path) -> io::Result<PathBuf> {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let folder = fs::canonicalize(here)?;
    let parent = folder.parent().filter(|parent| parent.parent().is_some());
    Ok(parent.map_or_else(|| folder.clone(), Path::to_path_buf))
}

fn check_below(home: &Path, path: &Path) -> io::Result<()> {
    // For a missing file its folder counts; opening it gives the error.
    let Some(place) = path.ancestors().find_map(|place| fs::canonicalize(place).ok()) else {
        return Ok(());
    };
    if place.starts_with(home) {
        return Ok(());
    }
    Err(io::Error::other(format!(
        "it is at `{}`, outside `{}`, where meshes of this scene are allowed; move it there, or \
         pass `--allow-outside`",
        place.display(),
        home.display()
    )))
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// A scene's folder with one for meshes beside it, and a file outside of both.
    fn places() -> tempfile::TempDir {
        let all = tempfile::tempdir().unwrap();
        for folder in ["project/scenes", "project/meshes", "project/scenes/own"] {
            fs::create_dir_all(all.path().join(folder)).unwrap();
        }
        for file in ["project/scenes/a.obj", "project/meshes/b.obj", "project/c.obj", "secret"] {
            fs::write(all.path().join(file), "v 0 0 0\n").unwrap();
        }
        all
    }

    #[test]
    fn a_scene_reaches_what_is_below_the_parent_of_its_folder_and_no_more() {
        let all = places();
        let folder = all.path().join("project/scenes");
        symlink(all.path().join("secret"), folder.join("out.obj")).unwrap();
        symlink("../meshes/b.obj", folder.join("in.obj")).unwrap();
        symlink(all.path(), folder.join("own/up")).unwrap();
        let check = |policy: PathPolicy, path: &str| policy.check(&folder, &folder.join(path));
        let absolute = folder.join("a.obj");
        let absolute = absolute.to_str().unwrap();
        for path in ["a.obj", "../meshes/b.obj", "../c.obj", "own/../in.obj", absolute] {
            check(PathPolicy::NearScene, path).unwrap();
        }
        let outside = ["../../secret", "out.obj", "own/up/secret", "/etc/hostname", "../../none"];
        for path in outside {
            let error = check(PathPolicy::NearScene, path).unwrap_err().to_string();
            assert!(error.contains("outside") && error.contains("--allow-outside"), "{error}");
        }
        for path in &outside[..3] {
            check(PathPolicy::Anywhere, path).unwrap();
        }
        for policy in [PathPolicy::NearScene, PathPolicy::Anywhere] {
            assert_eq!(check(policy, "none.obj").unwrap_err().kind(), io::ErrorKind::NotFound);
        }
    }

    #[test]
    fn a_scene_in_a_folder_of_the_root_does_not_reach_all_files() {
        let scenes = std::env::temp_dir().canonicalize().unwrap();
        if scenes.parent().is_some_and(|parent| parent.parent().is_none()) {
            let error = PathPolicy::NearScene.check(&scenes, Path::new("/etc/passwd")).unwrap_err();
            assert!(error.to_string().contains("outside"), "{error}");
        }
        assert_eq!(home(Path::new("/")).unwrap(), Path::new("/"));
    }

    #[test]
    fn only_a_regular_file_is_read() {
        let all = places();
        let folder = all.path().join("project/scenes");
        for policy in [PathPolicy::NearScene, PathPolicy::Anywhere] {
            let error = policy.check(&folder, &folder.join("own")).unwrap_err().to_string();
            assert_eq!(error, "it is a folder, not a regular file");
        }
        let error = PathPolicy::Anywhere.check(&folder, Path::new("/dev/null")).unwrap_err();
        assert_eq!(error.to_string(), "it is a pipe or device, not a regular file");
    }
}
