//! Tells the program which git revision it is built from, for the manifests of its runs.

use std::process::Command;

fn main() {
    println!("cargo::rustc-env=HASHFALL_REVISION={}", revision());
    println!("cargo::rerun-if-env-changed=HASHFALL_REVISION");
    for path in ["build.rs", "Cargo.toml", "src"] {
        println!("cargo::rerun-if-changed={path}");
    }
    // A commit moves HEAD's log, whatever branch it is on and wherever the worktree is.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
}

/// `HASHFALL_REVISION` if the builder sets it, else what git says, else `unknown`.
fn revision() -> String {
    if let Ok(revision) = std::env::var("HASHFALL_REVISION") {
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
