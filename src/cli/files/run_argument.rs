//! What the user may have meant by an argument that should be the folder of a run, and is none.

use super::built_in;
use super::scene_argument::SCENES;
use super::sweep_folder::SweepFolder;
use crate::cli::console::shell_path;
use hashfall_output::layout;
use hashfall_scene::suggest::nearest;
use std::path::{Path, PathBuf};

/// The folder that runs are written to by default.
const OUT: &str = "out";
/// Upper bound of the runs that are listed.
const MAX_LISTED: usize = 3;

/// Checks that a path is the folder of a run, for the command of a name. Where nothing better is
/// known of it, it passes: the command has its own error.
///
/// # Errors
/// What it is instead, or which folder was meant.
pub fn check(path: &Path, command: &str) -> Result<(), String> {
    if is_run(path) {
        return Ok(());
    }
    match advice(path, command) {
        Some(advice) => Err(advice),
        None => Ok(()),
    }
}

fn is_run(path: &Path) -> bool {
    path.join(layout::MANIFEST).is_file()
}

fn advice(path: &Path, command: &str) -> Option<String> {
    let (shown, typed) = (path.display(), shell_path(path));
    let meant = |run: &Path| format!("did you mean `sim {command} {}`?", shell_path(run));
    if SweepFolder::is_one(path) {
        return Some(format!(
            "`{shown}` is the folder of a sweep: `sim sweep {typed}` continues it, `sim report \
             {typed}` shows it, and its runs are in `{}`",
            path.join("points").display()
        ));
    }
    if let Some(scene) = scene(path) {
        let run = Path::new(OUT).join(path.file_stem()?);
        let advice = if is_run(&run) {
            meant(&run)
        } else {
            format!("run it first with `sim {}`", shell_path(Path::new(&scene)))
        };
        return Some(format!("`{scene}` is a scene, not the folder of a run; {advice}"));
    }
    // A file or folder of a run, such as `out/NAME/particles.pvd`.
    if let Some(run) = path.ancestors().skip(1).take(2).find(|above| is_run(above)) {
        let what = if path.exists() { "is a part of a run" } else { "is no folder" };
        return Some(format!("`{shown}` {what}; {}", meant(run)));
    }
    if path.is_dir() {
        let runs = runs_in(path);
        let listed: Vec<String> =
            runs.iter().take(MAX_LISTED).map(|run| format!("`{}`", run.display())).collect();
        let more = if runs.len() > MAX_LISTED { ", …" } else { "" };
        return (!runs.is_empty())
            .then(|| format!("`{shown}` is no run, but holds some: {}{more}", listed.join(", ")));
    }
    if path.exists() {
        return Some(format!("`{shown}` is a file, not the folder of a run"));
    }
    let run = near_run(path)?;
    Some(format!("there is no folder `{shown}`; {}", meant(&run)))
}

/// The scene that a path names: a file, or the name of one that is built in.
fn scene(path: &Path) -> Option<String> {
    let is_scene = path.extension().is_some_and(|end| SCENES.iter().any(|known| end == *known));
    if path.is_file() && is_scene && path.file_name()? != layout::MANIFEST {
        return Some(path.display().to_string());
    }
    built_in::find(path).map(|scene| scene.name.to_owned())
}

/// The runs in a folder, by name.
fn runs_in(folder: &Path) -> Vec<PathBuf> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let mut runs: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| is_run(path)).collect();
    runs.sort();
    runs
}

/// A run that is called as the missing folder, in `out/`, or similarly, beside it or in `out/`.
fn near_run(path: &Path) -> Option<PathBuf> {
    let name = path.file_stem()?.to_str()?;
    let parent = path.parent().unwrap_or(Path::new(""));
    [parent, Path::new(OUT)].into_iter().find_map(|folder| {
        let runs = runs_in(folder);
        let names: Vec<&str> = runs.iter().filter_map(|run| run.file_name()?.to_str()).collect();
        let suggestion = nearest(name, names.iter().copied())?;
        Some(folder.join(suggestion))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_is_no_run_is_told_with_the_run_that_was_meant() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        for folder in ["out/tank/particles", "out/bottle"] {
            fs::create_dir_all(at(folder)).unwrap();
        }
        for file in ["out/tank/run.json", "out/bottle/run.json", "tank.ron", "notes.txt"] {
            fs::write(at(file), "").unwrap();
        }
        check(&at("out/tank"), "report").unwrap();
        check(&at("nothing/like/it"), "report").unwrap();
        let tank = at("out/tank");
        let (tank, all) = (tank.display(), at("out"));
        for (path, part) in [
            ("tank.ron", "is a scene, not the folder of a run; run it first".to_owned()),
            ("notes.txt", "is a file, not the folder of a run".to_owned()),
            ("out/tank/particles", format!("did you mean `sim report {tank}`?")),
            ("out/tank/particles.pvd", format!("did you mean `sim report {tank}`?")),
            ("out/tnak", format!("did you mean `sim report {tank}`?")),
            ("out", format!("holds some: `{}`", all.join("bottle").display())),
        ] {
            let message = check(&at(path), "report").unwrap_err();
            assert!(message.contains(&part), "{path}: {message}");
        }
    }
}
