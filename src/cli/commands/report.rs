//! `sim report`: a run's files become one page, and those of a sweep.
//!
//! The run may go on meanwhile: its folder is read and not taken, and what its tables have in whole
//! rows is shown.

use crate::cli::args::ReportArgs;
use crate::cli::commands::sweep;
use crate::cli::console::Console;
use crate::cli::console::Verdict;
use crate::cli::console::report_file_error;
use crate::cli::files::load;
use crate::cli::files::sweep_folder::SweepFolder;
use crate::cli::preview;
use hashfall_output::files::{self, Write};
use hashfall_output::{FileError, Manifest, RunFolder, layout};
use hashfall_report::RunPage;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// How a page begins.
const PAGE_START: &[u8; 15] = b"<!DOCTYPE html>";

/// Writes the page of a run.
pub fn report(args: &ReportArgs, console: Console) -> Verdict {
    let path = args.out.clone().unwrap_or_else(|| args.folder.join(layout::REPORT));
    if is_in_the_way(&path) {
        let path = path.display();
        console.error(format_args!("`{path}` is there and no page: choose another `--out`"));
        return Verdict::WrongInput;
    }
    if SweepFolder::is_one(&args.folder) {
        return sweep::report(&args.folder, &path, args.frame, console);
    }
    let written = page(args, console).and_then(|html| write(&path, &html));
    match written {
        Err(error) => report_file_error(&error, console),
        Ok(()) => {
            console.talk(format_args!("the report is in {}", path.display()));
            Verdict::Done
        }
    }
}

fn write(path: &Path, html: &str) -> Result<(), FileError> {
    files::write(path, html.as_bytes(), Write::Replace)
}

/// Whether something is there that is neither a page nor an empty file. Only a file is opened: one
/// waits at a pipe for whoever writes to it.
fn is_in_the_way(path: &Path) -> bool {
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
        units: &load::probe_units(&scene),
        scene: &scene,
        goes_on: run.is_in_use(),
        pictures: &strip(folder, manifest.scene.frame_rate, args.frame, console),
    };
    Ok(page.html())
}

/// Pictures of the strip.
const STRIP: usize = 6;
/// Their width and height \[pixels\].
const SIZE: [u32; 2] = [480, 270];

/// Frames, their times \[s\], and pictures of them: of the one that is asked for, or of a few from
/// the first to the last. Without files of frames there are none.
fn strip(
    folder: &Path,
    frame_rate: f64,
    asked: Option<u32>,
    console: Console,
) -> Vec<(u32, f64, Vec<u8>)> {
    let choose = |frames: &[u32]| match asked {
        Some(frame) => frames.iter().copied().filter(|&other| other == frame).collect(),
        None => evenly(frames, STRIP),
    };
    let pictures = preview::thumbnails(folder, SIZE, None, choose).unwrap_or_else(|why| {
        console.warning(format_args!("there are no pictures: {why}"));
        Vec::new()
    });
    if let Some(frame) = asked.filter(|_| pictures.is_empty()) {
        console.warning(format_args!("there is no frame {frame}"));
    }
    let timed = |(frame, drawn): preview::Thumbnail| {
        let png = drawn.map_err(|why| {
            console.warning(format_args!("there is no picture of frame {frame}: {why}"));
        });
        Some((frame, f64::from(frame) / frame_rate, png.ok()?))
    };
    pictures.into_iter().filter_map(timed).collect()
}

/// So many of some frames, evenly, the first and the last with them.
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
