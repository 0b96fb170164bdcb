//! What the user may have meant by an argument that should be a scene, and is none.

use super::built_in;
use super::sweep_folder::SweepFolder;
use crate::cli::console::shell_path;
use hashfall_output::layout;
use hashfall_scene::suggest::nearest;
use std::path::Path;

/// Extensions of scenes.
pub const SCENES: [&str; 2] = ["ron", "json"];

/// Extensions of meshes, and of particles.
const MESHES: [&str; 6] = ["obj", "stl", "gltf", "glb", "dae", "fbx"];
const PARTICLES: [&str; 7] = ["vtk", "vtp", "vtu", "bgeo", "xyz", "pvd", "series"];

/// A file that is of another kind than a scene, by its extension: what it is, and what can be done
/// with it.
pub fn other_kind(path: &Path) -> Option<(&'static str, String)> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    let is_one = |known: &[&str]| path.is_file() && known.contains(&&*extension);
    let typed = shell_path(path);
    if is_one(&MESHES) {
        let name = path.file_name()?.display();
        let help = format!(
            "name it in a scene, such as `solids: [Mesh(path: \"{name}\")]`; `sim new NAME` writes \
             a scene to start from"
        );
        return Some(("this is a mesh, not a scene", help));
    }
    let help = format!("`sim surface {typed} -r RADIUS` makes a surface of particles");
    is_one(&PARTICLES).then_some(("this is no scene", help))
}

/// What the user may have meant by a path that is no scene; `near` is the name of a similar file
/// beside it.
pub fn help(path: &Path, suggestion: Option<String>) -> Option<String> {
    let typed = shell_path(path);
    if SweepFolder::is_one(path) {
        return Some(format!(
            "this is the folder of a sweep: `sim sweep {typed}` continues it, `sim report {typed}` \
             shows its results"
        ));
    }
    if path.join(layout::MANIFEST).is_file() {
        return Some(format!(
            "this is the folder of a run: `sim resume {typed}` continues it, `sim preview {typed}` \
             and `sim report {typed}` show it"
        ));
    }
    if path.exists() {
        return None;
    }
    let with_extension = SCENES.map(|end| path.with_extension(end));
    if let Some(scene) = with_extension.iter().find(|scene| scene.is_file()) {
        return Some(format!("did you mean `{}`?", scene.display()));
    }
    let stem = path.file_stem()?.to_str()?;
    if built_in::named(stem).is_some() {
        return Some(format!(
            "a scene of this name is built in: `sim {stem}` runs it, `sim new {stem}` writes \
             {stem}.ron"
        ));
    }
    if let Some(suggestion) = suggestion {
        return Some(format!("did you mean `{}`?", path.with_file_name(suggestion).display()));
    }
    let scene = nearest(stem, built_in::names())?;
    Some(format!("did you mean `{scene}`, which is built in? `sim list` lists all such scenes"))
}
