//! Help for the path of a scene that cannot be read: what the user may have meant.

use super::built_in;
use super::sweep_folder::SweepFolder;
use hashfall_output::layout;
use hashfall_scene::suggest::nearest;
use std::path::Path;

/// What the user may have meant by a path that is no scene; `near` is the name of a similar file
/// beside it.
pub fn help(path: &Path, near: Option<String>) -> Option<String> {
    let shown = path.display();
    if SweepFolder::is_one(path) {
        return Some(format!(
            "this is the folder of a sweep: `sim sweep {shown}` continues it, `sim report {shown}` \
             shows its results"
        ));
    }
    if path.join(layout::MANIFEST).is_file() {
        return Some(format!(
            "this is the folder of a run: `sim resume {shown}` continues it, `sim preview {shown}` \
             and `sim report {shown}` show it"
        ));
    }
    if path.exists() {
        return None;
    }
    let stem = path.file_stem()?.to_str()?;
    if built_in::named(stem).is_some() {
        return Some(format!(
            "a scene of this name is built in: `sim {stem}` runs it, `sim new {stem}` writes \
             {stem}.ron"
        ));
    }
    if let Some(near) = near {
        return Some(format!("did you mean `{}`?", path.with_file_name(near).display()));
    }
    let scene = nearest(stem, built_in::names())?;
    Some(format!("did you mean `{scene}`, which is built in? `sim list` lists all such scenes"))
}
