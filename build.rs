//! Tells the program which git revision it is built from, for the manifests of its runs, and builds
//! the scenes of `scenes/` into it, with the files that they name.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rustc-env=HASHFALL_REVISION={}", revision());
    println!("cargo::rerun-if-env-changed=HASHFALL_REVISION");
    for path in ["build.rs", "Cargo.toml", "src", SCENES] {
        println!("cargo::rerun-if-changed={path}");
    }
    // A commit moves HEAD's log, whatever branch it is on and wherever the worktree is.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    fs::write(out.join("built_in.rs"), built_in(&fs::canonicalize(SCENES)?)?)
}

/// The folder of the scenes that are built in.
const SCENES: &str = "scenes";

/// The table of the scenes in a folder, in Rust: each with its name, its text, and the files that
/// it names by a path that begins with `../`.
fn built_in(folder: &Path) -> io::Result<String> {
    let entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    let mut scenes: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    scenes.retain(|path| path.extension().is_some_and(|extension| extension == "ron"));
    scenes.sort();
    let mut table = "static SCENES: &[BuiltIn] = &[\n".to_owned();
    for scene in scenes {
        let text = fs::read_to_string(&scene)?;
        let name = scene.file_stem().unwrap_or_default();
        let mut files: Vec<&str> = text
            .split('"')
            .filter(|part| part.starts_with("../") && !part.contains('\n'))
            .collect();
        files.sort();
        files.dedup();
        let entry = |file: &&str| {
            let path = folder.join(file);
            println!("cargo::rerun-if-changed={}", path.display());
            format!("({file:?}, include_bytes!({path:?}))")
        };
        let files = files.iter().map(entry).collect::<Vec<_>>().join(", ");
        // Writing to memory does not fail.
        let _ = writeln!(
            table,
            "    BuiltIn {{ name: {name:?}, text: include_str!({scene:?}), files: &[{files}] }},"
        );
    }
    Ok(table + "];\n")
}

/// `HASHFALL_REVISION` if the builder sets it, else what git says, else `unknown`.
fn revision() -> String {
    if let Ok(revision) = env::var("HASHFALL_REVISION") {
        return revision;
    }
    // A copy of the sources inside another repository is not that repository's revision.
    let is_own_repository = git(&["rev-parse", "--show-prefix"]).is_some_and(|p| p.is_empty());
    is_own_repository
        .then(|| git(&["describe", "--always", "--dirty", "--exclude=*", "--abbrev=12"]))
        .flatten()
        .unwrap_or_else(|| "unknown".into())
}

/// The output of a git command, if there is git and it succeeds.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
