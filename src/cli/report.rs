//! `sim report`: a run's files become one page.
//!
//! The run may go on meanwhile: its folder is read and not taken, and what its tables have in whole
//! rows is shown.

use super::args::ReportArgs;
use super::console::Console;
use super::running::refused;
use super::verdict::Verdict;
use crate::output::files::{self, Write};
use crate::output::{FileError, Manifest, RunFolder, layout};
use crate::report::RunPage;
use crate::scene::{self, Source};
use std::path::{Path, PathBuf};

/// Writes the page of a run.
pub fn report(args: &ReportArgs, console: Console) -> Verdict {
    let path = args.out.clone().unwrap_or_else(|| args.folder.join(layout::REPORT));
    let written = page(&args.folder).and_then(|html| write(&path, &html));
    match written {
        Err(error) => refused(&error, console),
        Ok(()) => {
            console.talk(format_args!("the report is in {}", path.display()));
            Verdict::Done
        }
    }
}

fn write(path: &Path, html: &str) -> Result<(), FileError> {
    files::write(path, html.as_bytes(), Write::Replace)
}

/// The page of the run in a folder.
fn page(folder: &Path) -> Result<String, FileError> {
    let (run, manifest) = RunFolder::to_read(folder)?;
    let no_run = || FileError::NoRun {
        path: PathBuf::from(folder),
        why: "its `run.json` is not of a run that this program can read".to_owned(),
    };
    let manifest = Manifest::read(&manifest).ok_or_else(no_run)?;
    // Before its first frame a run has no tables, without probes never a second one.
    let read = |name: &str| if run.has(name) { run.read(name) } else { Ok(Vec::new()) };
    let scene = String::from_utf8_lossy(&read(layout::SCENE)?).into_owned();
    let page = RunPage {
        manifest: &manifest,
        log: &read(layout::LOG)?,
        probes: &read(layout::PROBES)?,
        units: &units(&scene),
        scene: &scene,
        goes_on: run.is_in_use(),
        pictures: &[],
    };
    Ok(page.html())
}

/// The probes of a scene with their units; none of a scene that cannot be read any more.
fn units(scene: &str) -> Vec<(String, String)> {
    let source = Source { name: layout::SCENE.to_owned(), text: scene.to_owned() };
    let probes = scene::probes(&source).map_or_else(Vec::new, |probes| probes.list);
    probes.iter().map(|probe| (probe.name().to_owned(), probe.unit().to_owned())).collect()
}
