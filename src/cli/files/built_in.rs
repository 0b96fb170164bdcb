//! The scenes that are built into the program, so that an installed one has something to run.
//!
//! The build script makes their table from `scenes/`. Wherever a command takes the path of a scene,
//! the name of one of them will do, if there is no file of that name.

use hashfall_scene::Source;
use std::io;
use std::path::Path;

/// A scene that is built in.
#[derive(Debug)]
pub struct BuiltIn {
    /// The stem of its file in `scenes/`.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
    /// The files that it names, with their paths relative to the folder of the scene.
    pub files: &'static [(&'static str, &'static [u8])],
}

include!(concat!(env!("OUT_DIR"), "/built_in.rs"));

/// All scenes, by name.
pub fn all() -> &'static [BuiltIn] {
    SCENES
}

/// The names of all scenes.
pub fn names() -> Vec<&'static str> {
    SCENES.iter().map(|scene| scene.name).collect()
}

/// The scene of a name.
pub fn named(name: &str) -> Option<&'static BuiltIn> {
    SCENES.iter().find(|scene| scene.name == name)
}

/// The scene that a path names, if no file or folder has that path.
pub fn find(path: &Path) -> Option<&'static BuiltIn> {
    let scene = named(path.to_str()?)?;
    (!path.exists()).then_some(scene)
}

impl BuiltIn {
    /// Its text with its name, as of a file.
    pub fn source(&self) -> Source {
        Source { name: self.name.to_owned(), text: self.text.to_owned() }
    }

    /// Reads a file that it names.
    ///
    /// # Errors
    /// If it is not built in, as of a path that `--set` gives.
    pub fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        match self.files.iter().find(|(known, _)| *known == path) {
            Some((_, bytes)) => Ok(bytes.to_vec()),
            None => Err(io::Error::new(
                io::ErrorKind::NotFound,
                format!(
                    "it is not built in; `sim new NAME --from {}` writes a scene that may name \
                     other files",
                    self.name
                ),
            )),
        }
    }

    /// What it shows: the first line of the comment at its head.
    pub fn title(&self) -> &'static str {
        self.head().next().unwrap_or_default()
    }

    /// How long it runs and how large it is, where its head says so.
    pub fn cost(&self) -> Option<&'static str> {
        self.head().find_map(|line| line.strip_prefix("Takes ")).map(str::trim)
    }

    /// The lines of the comment at its head.
    pub fn head(&self) -> impl Iterator<Item = &'static str> {
        let lines = self.text.lines().map_while(|line| line.strip_prefix("//"));
        lines.map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_of_the_folder_is_built_in_with_a_title_and_a_cost() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let files: Vec<_> =
            files.filter(|path| path.extension().is_some_and(|e| e == "ron")).collect();
        assert_eq!(files.len(), all().len());
        for scene in all() {
            assert!(scene.title().len() > 10, "{}", scene.name);
            assert!(scene.cost().is_some(), "{}", scene.name);
        }
    }

    #[test]
    fn a_file_wins_and_a_path_is_no_name() {
        assert!(find(Path::new("dam_break")).is_some());
        assert!(find(Path::new("./dam_break")).is_none());
        assert!(find(Path::new("dam_break.ron")).is_none());
        let glass = named("glass").unwrap();
        assert!(glass.read("../meshes/glass.obj").unwrap().len() > 1000);
        assert_eq!(glass.read("other.obj").unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
