//! The results of what has been run: a table in two formats, a page, and what failed in words.

use crate::cli::args::SweepArgs;
use crate::cli::console::Console;
use crate::cli::console::Verdict;
use crate::cli::files::load;
#[cfg(not(feature = "parquet"))]
use crate::cli::files::sweep_folder::remove_file;
use crate::cli::files::sweep_folder::{Refusal, SweepFolder};
use crate::cli::preview;
use hashfall_core::units;
use hashfall_output::files::{self, Write};
use hashfall_output::layout;
use hashfall_report::SweepPage;
use hashfall_sweep::{PointOutcome, PointStatus, Results};
use std::path::Path;

/// Failed points that are told one by one.
const MAX_TOLD: usize = 20;
/// Points of which the page has a picture, and its width and height \[pixels\].
const MAX_PICTURES: usize = 200;
const SIZE: [u32; 2] = [320, 180];

/// Gathers the results; the verdict is whether all points are finished. No more pictures are drawn
/// when it is asked to stop.
pub fn collect(
    folder: &SweepFolder,
    args: &SweepArgs,
    console: Console,
    is_stopped: &dyn Fn() -> bool,
) -> Verdict {
    let mut standings = Vec::with_capacity(folder.points());
    let points = (0..folder.points()).map(|point| {
        let files = folder.files(point);
        standings.push(files.standing.clone());
        files
    });
    let results = Results::new(folder.manifest(), points);
    let write =
        |name: &str, bytes: &[u8]| folder.write(name, bytes).map_err(|error| error.to_string());
    let written = write("results.csv", &results.csv()).and_then(|()| {
        write_parquet(folder, &results)?;
        let pictures = pictures(folder, None, fastest(&results), is_stopped);
        write_page(folder, &results, &pictures, &folder.path().join(layout::REPORT))
    });
    if let Err(why) = written {
        console.error(why);
        return Verdict::Failed;
    }
    tell_failures(folder, args, &standings, console);
    let all_finished = standings.iter().all(|it| *it == PointStatus::Ended(PointOutcome::Finished));
    if !args.is_quiet() {
        let told = console.answer("summary", summary(folder, &standings));
        if told != Verdict::Done {
            return told;
        }
    }
    if all_finished { Verdict::Done } else { Verdict::Failed }
}

/// Writes the page of a sweep, each point in a frame, or in its last.
pub fn report(folder: &Path, to: &Path, frame: Option<u32>, console: Console) -> Verdict {
    let sweep = match SweepFolder::to_read(folder) {
        Ok(sweep) => sweep,
        Err(Refusal { why, verdict }) => {
            console.error(why);
            return verdict;
        }
    };
    match page(&sweep, to, frame) {
        Ok(()) => {
            console.talk(format_args!("the report is in {}", to.display()));
            Verdict::Done
        }
        Err(why) => {
            console.error(why);
            Verdict::Failed
        }
    }
}

/// Writes the page of a sweep as it stands; each point is shown in a frame, or in its last.
fn page(folder: &SweepFolder, to: &Path, frame: Option<u32>) -> Result<(), String> {
    let points = (0..folder.points()).map(|point| folder.files(point));
    let results = Results::new(folder.manifest(), points);
    let pictures = pictures(folder, frame, fastest(&results), &|| false);
    write_page(folder, &results, &pictures, to)
}

/// Writes `results.parquet` where this build has the feature.
#[cfg(feature = "parquet")]
fn write_parquet(folder: &SweepFolder, results: &Results) -> Result<(), String> {
    let bytes = results.parquet().map_err(|error| format!("`results.parquet`: {error}"))?;
    folder.write("results.parquet", &bytes).map_err(|error| error.to_string())
}

/// Removes the `results.parquet` of another build, which would not agree with `results.csv`.
#[cfg(not(feature = "parquet"))]
fn write_parquet(folder: &SweepFolder, _: &Results) -> Result<(), String> {
    remove_file(&folder.path().join("results.parquet"))
}

/// How to get `results.parquet` where this build has not written it.
const PARQUET_HINT: &str = if cfg!(feature = "parquet") {
    ""
} else {
    "                       (results.parquet needs a build with `--features parquet`)\n"
};

fn write_page(
    folder: &SweepFolder,
    results: &Results,
    pictures: &[PointPicture],
    to: &Path,
) -> Result<(), String> {
    let parameters = &folder.manifest().record.parameters;
    let parameters: Vec<String> = parameters.iter().map(|it| it.title.clone()).collect();
    let title = folder.path().file_name().unwrap_or_default().to_string_lossy();
    let page = SweepPage {
        title: &title,
        parameters: &parameters,
        header: &results.header,
        rows: &results.rows,
        units: &units_of_probes(folder),
        pictures,
        is_beside: to.parent() == Some(folder.path()),
    };
    let written = files::write(to, page.html().as_bytes(), Write::Replace);
    written.map_err(|error| error.to_string())
}

/// The probes of the first point that has begun, with their units.
fn units_of_probes(folder: &SweepFolder) -> Vec<(String, String)> {
    let scene = (0..folder.points()).find_map(|point| folder.scene_of_run(point));
    scene.map_or_else(Vec::new, |scene| load::probe_units(&scene))
}

/// The largest speed of all points that are finished \[m/s\]: so the same colour is the same speed
/// in all pictures.
fn fastest(results: &Results) -> Option<f32> {
    let column = |name: &str| results.header.iter().position(|other| other == name);
    let (status, speed) = (column("status")?, column("max_speed_max")?);
    let finished = results.rows.iter().filter(|row| row[status] == "finished");
    let speeds = finished.filter_map(|row| row[speed].parse::<f32>().ok());
    speeds.filter(|speed| speed.is_finite()).reduce(f32::max)
}

/// A point, a frame, and its picture as PNG.
type PointPicture = (usize, u32, Vec<u8>);

/// A picture of each of the first points, in a frame or in the last before it; points without
/// frames have none.
fn pictures(
    folder: &SweepFolder,
    frame: Option<u32>,
    fastest: Option<f32>,
    is_stopped: &dyn Fn() -> bool,
) -> Vec<PointPicture> {
    let choose = |frames: &[u32]| {
        let last = frames.iter().rev().find(|&&other| frame.is_none_or(|frame| other <= frame));
        last.into_iter().copied().collect()
    };
    let draw = |point: usize| {
        let drawn = preview::thumbnails(&folder.point(point), SIZE, fastest, choose).ok()?;
        let (frame, png) = drawn.into_iter().next()?;
        Some((point, frame, png.ok()?))
    };
    // One after the other: drawing keeps all threads busy, and scenes may be large.
    let goes_on = (0..folder.points().min(MAX_PICTURES)).take_while(|_| !is_stopped());
    goes_on.filter_map(draw).collect()
}

fn tell_failures(
    folder: &SweepFolder,
    args: &SweepArgs,
    standings: &[PointStatus],
    console: Console,
) {
    let failed = standings.iter().enumerate().filter_map(|(point, standing)| match standing {
        PointStatus::Ended(PointOutcome::Failed { reason }) => Some((point, reason)),
        _ => None,
    });
    let failed: Vec<(usize, &String)> = failed.collect();
    for (point, reason) in failed.iter().take(MAX_TOLD) {
        console.error(format_args!("point {point} ({}): {reason}", parameters(folder, *point)));
    }
    if failed.len() > MAX_TOLD {
        let more = failed.len() - MAX_TOLD;
        console.error(format_args!("{more} more points failed; `results.csv` has the reasons"));
    }
    if !failed.is_empty() && !args.is_quiet() {
        let folder = folder.path().display();
        console.talk(format_args!("`sim sweep {folder} --retry-failed` runs them again"));
    }
}

/// What a point sets of what varies.
pub fn parameters(folder: &SweepFolder, point: usize) -> String {
    let manifest = folder.manifest();
    let pairs = manifest.record.parameters.iter().zip(&manifest.rows[point]);
    let set = pairs.filter(|(_, value)| !value.is_empty());
    let typed = set.map(|(parameter, value)| format!("{}={value}", parameter.title));
    typed.collect::<Vec<_>>().join(", ")
}

/// How many points stand how, and where the results are.
fn summary(folder: &SweepFolder, standings: &[PointStatus]) -> String {
    let count =
        |wanted: &str| standings.iter().filter(|it| it.status_and_reason().0 == wanted).count();
    let parts = ["finished", "failed", "unfinished", "waiting"];
    let parts = parts.map(|name| (count(name), name));
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts.map(|(count, name)| format!("{count} {name}")).collect();
    format!(
        "{}: {}\nresults                {}\n{PARQUET_HINT}page                   {}\n",
        units::count(standings.len() as u64, "point"),
        parts.join(", "),
        folder.path().join("results.csv").display(),
        folder.path().join(layout::REPORT).display()
    )
}
