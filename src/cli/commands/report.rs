//! `sim report`: writes an HTML page of a run or a sweep.
//!
//! The run may be in progress: its folder is read without a lock, and the page shows the complete
//! rows of its tables.

use crate::cli::args::ReportArgs;
use crate::cli::commands::sweep;
use crate::cli::console::Console;
use crate::cli::console::Verdict;
use crate::cli::console::report_file_error;
use crate::cli::files::load;
use crate::cli::files::run_argument;
use crate::cli::files::sweep_folder::SweepFolder;
use crate::cli::preview;
use hashfall_output::files::{self, Write};
use hashfall_output::{FileError, Manifest, RunFolder, layout};
use hashfall_report::RunPage;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The first bytes of a page.
const PAGE_START: &[u8; 15] = b"<!DOCTYPE html>";

/// Writes the page of a run.
pub fn report(args: &ReportArgs, console: Console) -> Verdict {
    let is_sweep = SweepFolder::is_one(&args.folder);
    if let (false, Err(advice)) = (is_sweep, run_argument::check(&args.folder, "report")) {
        console.error(advice);
        return Verdict::WrongInput;
    }
    let path = args.out.clone().unwrap_or_else(|| args.folder.join(layout::REPORT));
    if is_foreign_file(&path) {
        let path = path.display();
        console.error(format_args!("`{path}` exists and is not a report; pass another `--out`"));
        return Verdict::WrongInput;
    }
    if is_sweep {
        return sweep::report(&args.folder, &path, args.frame, console);
    }
    let written = page(args, console).and_then(|html| write(&path, &html));
    match written {
        Err(error) => report_file_error(&error, console),
        Ok(()) => {
            console.message(format_args!("report: {}", path.display()));
            Verdict::Done
        }
    }
}

fn write(path: &Path, html: &str) -> Result<(), FileError> {
    files::write(path, html.as_bytes(), Write::Replace)
}

/// Whether the path exists and is neither a page nor an empty file. Only a regular file is opened:
/// opening a pipe blocks.
fn is_foreign_file(path: &Path) -> bool {
    let about = match fs::metadata(path) {
        Ok(about) => about,
        Err(error) => return error.kind() != io::ErrorKind::NotFound,
    };
    if !about.is_file() {
        return true;
    }
    let mut start = [0; PAGE_START.len()];
    let read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut start));
    about.len() > 0 && (read.is_err() || start != *PAGE_START)
}

/// The page of a run.
fn page(args: &ReportArgs, console: Console) -> Result<String, FileError> {
    let folder = &args.folder;
    let (run, manifest) = RunFolder::for_reading(folder)?;
    let no_run = || FileError::NoRun {
        path: PathBuf::from(folder),
        why: "its `run.json` is not a run of this program".to_owned(),
    };
    let manifest = Manifest::read(&manifest).ok_or_else(no_run)?;
    // A run has no tables before its first frame, and no table of probes without probes.
    let read = |name: &str| if run.has(name) { run.read(name) } else { Ok(Vec::new()) };
    let scene = String::from_utf8_lossy(&read(layout::SCENE)?).into_owned();
    let page = RunPage {
        manifest: &manifest,
        log: &read(layout::LOG)?,
        probes: &read(layout::PROBES)?,
        bodies: &read(layout::BODIES)?,
        units: &load::probe_units(&scene),
        scene: &scene,
        goes_on: run.is_in_use(),
        pictures: &strip(folder, manifest.scene.frame_rate, args.frame, console),
    };
    Ok(page.html())
}

/// Images of the strip.
const STRIP: usize = 6;
/// Their width and height \[pixels\].
const SIZE: [u32; 2] = [480, 270];

/// Frames with their times \[s\] and images: of the requested frame, or of a few from the first to
/// the last. Without frame files there are none.
fn strip(
    folder: &Path,
    frame_rate: f64,
    requested: Option<u32>,
    console: Console,
) -> Vec<(u32, f64, Vec<u8>)> {
    let choose = |frames: &[u32]| match requested {
        Some(frame) => frames.iter().copied().filter(|&other| other == frame).collect(),
        None => evenly(frames, STRIP),
    };
    let pictures = preview::thumbnails(folder, SIZE, None, &choose).unwrap_or_else(|why| {
        console.warning(format_args!("the report has no images: {why}"));
        Vec::new()
    });
    if let Some(frame) = requested.filter(|_| pictures.is_empty()) {
        console.warning(format_args!("there is no frame {frame}"));
    }
    let timed = |(frame, drawn): preview::Thumbnail| {
        let png = drawn.map_err(|why| {
            console.warning(format_args!("no image of frame {frame}: {why}"));
        });
        Some((frame, f64::from(frame) / frame_rate, png.ok()?))
    };
    pictures.into_iter().filter_map(timed).collect()
}

/// `count` of the frames, evenly spaced, with the first and the last.
fn evenly(frames: &[u32], count: usize) -> Vec<u32> {
    let last = frames.len().saturating_sub(1);
    let mut places: Vec<usize> = (0..count).map(|i| i * last / (count - 1)).collect();
    places.dedup();
    places.into_iter().filter_map(|place| frames.get(place).copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::evenly;

    #[test]
    fn frames_of_the_strip_go_from_the_first_to_the_last() {
        let frames: Vec<u32> = (0..=50).collect();
        assert_eq!(evenly(&frames, 6), [0, 10, 20, 30, 40, 50]);
        assert_eq!(evenly(&[3, 7], 6), [3, 7]);
        assert_eq!(evenly(&[3], 6), [3]);
        assert!(evenly(&[], 6).is_empty());
    }
}
