//! Collects the results of a sweep: a table in two formats, a page, and messages about failures.

use crate::cli::args::SweepArgs;
use crate::cli::console::{Console, Fields, Verdict, shell_path};
use crate::cli::files::load;
#[cfg(not(feature = "parquet"))]
use crate::cli::files::sweep_folder::remove_file;
use crate::cli::files::sweep_folder::{SweepFolder, SweepFolderError};
use crate::cli::preview;
use hashfall_core::units;
use hashfall_output::files::{self, Write};
use hashfall_output::{FileError, layout};
use hashfall_report::SweepPage;
use hashfall_sweep::{PointOutcome, PointStatus, Results};
use std::path::Path;

/// Upper bound of failed points that are printed one by one.
const MAX_LISTED: usize = 20;
/// Upper bound of points with an image on the page, and the size of the images \[pixels\].
const MAX_IMAGES: usize = 200;
const SIZE: [u32; 2] = [320, 180];

/// Why results cannot be written.
#[derive(Debug, thiserror::Error)]
enum Error {
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The sweep's folder cannot be used.
    #[error(transparent)]
    Folder(#[from] SweepFolderError),
    /// The table cannot be encoded.
    #[cfg(feature = "parquet")]
    #[error("`results.parquet`: {0}")]
    Parquet(String),
}

/// Collects the results; the verdict is whether all points are finished. After a stop request no
/// more images are drawn.
pub fn collect(
    folder: &SweepFolder,
    args: &SweepArgs,
    console: Console,
    is_stopped: &dyn Fn() -> bool,
) -> Verdict {
    let mut statuses = Vec::with_capacity(folder.points());
    let points = (0..folder.points()).map(|point| {
        let files = folder.files(point);
        statuses.push(files.status.clone());
        files
    });
    let results = Results::new(folder.manifest(), points);
    let written = folder.write("results.csv", &results.csv()).map_err(Error::from).and_then(|()| {
        write_parquet(folder, &results)?;
        let images = images(folder, None, max_speed(&results), is_stopped);
        write_page(folder, &results, &images, &folder.path().join(layout::REPORT))
    });
    if let Err(why) = written {
        console.error(why);
        return Verdict::Failed;
    }
    print_failures(folder, args, &statuses, console);
    let all_finished = statuses.iter().all(|it| *it == PointStatus::Ended(PointOutcome::Finished));
    if !args.is_quiet() {
        let printed = console.output("summary", summary(folder, &statuses));
        if printed != Verdict::Done {
            return printed;
        }
    }
    if all_finished { Verdict::Done } else { Verdict::Failed }
}

/// Writes the page of a sweep, each point in a frame, or in its last.
pub fn report(folder: &Path, to: &Path, frame: Option<u32>, console: Console) -> Verdict {
    let sweep = match SweepFolder::for_reading(folder) {
        Ok(sweep) => sweep,
        Err(error) => {
            console.error(&error);
            return error.verdict();
        }
    };
    match page(&sweep, to, frame) {
        Ok(()) => {
            console.message(format_args!("report: {}", to.display()));
            Verdict::Done
        }
        Err(why) => {
            console.error(why);
            Verdict::Failed
        }
    }
}

/// Writes the page of a sweep as it stands; each point is shown in a frame, or in its last.
fn page(folder: &SweepFolder, to: &Path, frame: Option<u32>) -> Result<(), Error> {
    let points = (0..folder.points()).map(|point| folder.files(point));
    let results = Results::new(folder.manifest(), points);
    let images = images(folder, frame, max_speed(&results), &|| false);
    write_page(folder, &results, &images, to)
}

/// Writes `results.parquet` where this build has the feature.
#[cfg(feature = "parquet")]
fn write_parquet(folder: &SweepFolder, results: &Results) -> Result<(), Error> {
    let bytes = results.parquet().map_err(|error| Error::Parquet(error.to_string()))?;
    Ok(folder.write("results.parquet", &bytes)?)
}

/// Removes the `results.parquet` of another build, which would not agree with `results.csv`.
#[cfg(not(feature = "parquet"))]
fn write_parquet(folder: &SweepFolder, _: &Results) -> Result<(), Error> {
    Ok(remove_file(&folder.path().join("results.parquet"))?)
}

/// How to get `results.parquet` where this build has not written it.
#[cfg(not(feature = "parquet"))]
const PARQUET_HINT: &str = "(results.parquet needs a build with `--features parquet`)";

fn write_page(
    folder: &SweepFolder,
    results: &Results,
    images: &[PointImage],
    to: &Path,
) -> Result<(), Error> {
    let parameters = &folder.manifest().record.parameters;
    let parameters: Vec<String> = parameters.iter().map(|it| it.title.clone()).collect();
    let title = folder.path().file_name().unwrap_or_default().to_string_lossy();
    let page = SweepPage {
        title: &title,
        parameters: &parameters,
        header: &results.header,
        rows: &results.rows,
        units: &units_of_probes(folder),
        pictures: images,
        is_beside: to.parent() == Some(folder.path()),
    };
    Ok(files::write(to, page.html().as_bytes(), Write::Replace)?)
}

/// The probes of the first point that has begun, with their units.
fn units_of_probes(folder: &SweepFolder) -> Vec<(String, String)> {
    let scene = (0..folder.points()).find_map(|point| folder.scene_of_run(point));
    scene.map_or_else(Vec::new, |scene| load::probe_units(&scene))
}

/// The largest speed of all finished points \[m/s\], so that colours mean the same speed in all
/// images.
fn max_speed(results: &Results) -> Option<f32> {
    let column = |name: &str| results.header.iter().position(|other| other == name);
    let (status, speed) = (column("status")?, column("max_speed_max")?);
    let finished = results.rows.iter().filter(|row| row[status] == "finished");
    let speeds = finished.filter_map(|row| row[speed].parse::<f32>().ok());
    speeds.filter(|speed| speed.is_finite()).reduce(f32::max)
}

/// A point, a frame, and its image as PNG.
type PointImage = (usize, u32, Vec<u8>);

/// Images of the first points, each in a frame or in the last before it; points without frames have
/// none.
fn images(
    folder: &SweepFolder,
    frame: Option<u32>,
    max_speed: Option<f32>,
    is_stopped: &dyn Fn() -> bool,
) -> Vec<PointImage> {
    let choose = |frames: &[u32]| {
        let last = frames.iter().rev().find(|&&other| frame.is_none_or(|frame| other <= frame));
        last.into_iter().copied().collect()
    };
    let draw = |point: usize| {
        let drawn = preview::thumbnails(&folder.point(point), SIZE, max_speed, &choose).ok()?;
        let (frame, png) = drawn.into_iter().next()?;
        Some((point, frame, png.ok()?))
    };
    // One after the other: drawing uses all threads, and scenes may be large.
    let points = (0..folder.points().min(MAX_IMAGES)).take_while(|_| !is_stopped());
    points.filter_map(draw).collect()
}

fn print_failures(
    folder: &SweepFolder,
    args: &SweepArgs,
    statuses: &[PointStatus],
    console: Console,
) {
    let failed = statuses.iter().enumerate().filter_map(|(point, standing)| match standing {
        PointStatus::Ended(PointOutcome::Failed { reason }) => Some((point, reason)),
        _ => None,
    });
    let failed: Vec<(usize, &String)> = failed.collect();
    for (point, reason) in failed.iter().take(MAX_LISTED) {
        console.error(format_args!("point {point} ({}): {reason}", parameters(folder, *point)));
    }
    if failed.len() > MAX_LISTED {
        let more = failed.len() - MAX_LISTED;
        console.error(format_args!("{more} more points failed; see `results.csv`"));
    }
    if !failed.is_empty() && !args.is_quiet() {
        let folder = shell_path(folder.path());
        console.message(format_args!("run them again with `sim sweep {folder} --retry-failed`"));
    }
}

/// The parameters of a point, as `KEY=VALUE`.
pub fn parameters(folder: &SweepFolder, point: usize) -> String {
    let manifest = folder.manifest();
    let pairs = manifest.record.parameters.iter().zip(&manifest.rows[point]);
    let set = pairs.filter(|(_, value)| !value.is_empty());
    let settings = set.map(|(parameter, value)| format!("{}={value}", parameter.title));
    settings.collect::<Vec<_>>().join(", ")
}

/// The number of points by status, and the files of the results.
fn summary(folder: &SweepFolder, statuses: &[PointStatus]) -> String {
    let count = |name: &str| statuses.iter().filter(|it| it.status_and_reason().0 == name).count();
    let parts = ["finished", "failed", "unfinished", "waiting"];
    let parts = parts.map(|name| (count(name), name));
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts.map(|(count, name)| format!("{count} {name}")).collect();
    let points = units::count(statuses.len() as u64, "point");
    let mut fields = Fields::new(0, 23);
    fields.add("results", folder.path().join("results.csv").display());
    #[cfg(not(feature = "parquet"))]
    fields.add("", PARQUET_HINT);
    fields.add("page", folder.path().join(layout::REPORT).display());
    format!("{points}: {}\n{}", parts.join(", "), fields.into_text())
}
