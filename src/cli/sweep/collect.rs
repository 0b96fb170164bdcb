//! The results of what has been run: a table in two formats, and what failed in words.

use super::folder::SweepFolder;
use crate::cli::args::SweepArgs;
use crate::cli::console::Console;
use crate::cli::units;
use crate::cli::verdict::Verdict;
use crate::sweep::{Outcome, PointFiles, Results, Standing};
use std::io;

/// Failed points that are told one by one.
const MOST_TOLD: usize = 20;

/// Gathers the results; the verdict is whether all points are finished.
pub fn collect(folder: &SweepFolder, args: &SweepArgs, console: Console) -> Verdict {
    let points: Vec<PointFiles> = (0..folder.points()).map(|point| folder.files(point)).collect();
    let standings: Vec<Standing> = points.iter().map(|files| files.standing.clone()).collect();
    let results = Results::of(folder.manifest(), points);
    let written = folder.write("results.csv", &results.csv()).and_then(|()| {
        let parquet = results.parquet().map_err(|error| format!("`results.parquet`: {error}"))?;
        folder.write("results.parquet", &parquet)
    });
    if let Err(why) = written {
        console.error(why);
        return Verdict::Failed;
    }
    tell_failures(folder, &standings, console);
    let all_finished = standings.iter().all(|it| *it == Standing::Ended(Outcome::Finished));
    if !args.is_quiet() {
        let told = console.data(summary(folder, &standings));
        if let Some(error) = told.err().filter(|e| e.kind() != io::ErrorKind::BrokenPipe) {
            console.error(format_args!("cannot write the summary: {error}"));
            return Verdict::Failed;
        }
    }
    if all_finished { Verdict::Done } else { Verdict::Failed }
}

fn tell_failures(folder: &SweepFolder, standings: &[Standing], console: Console) {
    let failed = standings.iter().enumerate().filter_map(|(point, standing)| match standing {
        Standing::Ended(Outcome::Failed { reason }) => Some((point, reason)),
        _ => None,
    });
    let failed: Vec<(usize, &String)> = failed.collect();
    for (point, reason) in failed.iter().take(MOST_TOLD) {
        console.error(format_args!("point {point} ({}): {reason}", parameters(folder, *point)));
    }
    if failed.len() > MOST_TOLD {
        let more = failed.len() - MOST_TOLD;
        console.error(format_args!("{more} more points failed; `results.csv` has the reasons"));
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
fn summary(folder: &SweepFolder, standings: &[Standing]) -> String {
    let count = |wanted: &str| standings.iter().filter(|it| it.told().0 == wanted).count();
    let parts = ["finished", "failed", "unfinished", "waiting"];
    let parts = parts.map(|name| (count(name), name));
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts.map(|(count, name)| format!("{count} {name}")).collect();
    format!(
        "{}: {}\nresults                {}\n",
        units::count(standings.len() as u64, "point"),
        parts.join(", "),
        folder.path().join("results.csv").display()
    )
}
