//! `sim bench`: runs the papers' experiments with every structure, and writes a report.

use crate::cli::args::BenchArgs;
use crate::cli::args::select;
use crate::cli::console::Console;
use crate::cli::console::Verdict;
use crate::cli::system::memory;
use crate::cli::system::stop_signal::StopSignal;
use hashfall_bench::{Experiment, Halt, Outcome, Row, Setup, Size, experiments, report};
use hashfall_core::format_significant;
use hashfall_core::units;
use hashfall_output::files::Write;
use hashfall_output::{RunFolder, plot};
use hashfall_search::{BroadPhaseKind, NeighborKind, OTHERS, PairKind};
use std::fmt;

/// The page over all experiments.
const PAGE: &str = "report.md";

/// Runs experiments and writes the report into a folder.
pub fn bench(args: &BenchArgs, threads: usize, console: Console) -> Verdict {
    if args.list {
        return console.output("table", list());
    }
    run_all(args, threads, console).unwrap_or_else(|verdict| verdict)
}

/// All experiments with their topics and sizes, then all structures.
fn list() -> String {
    let mut text = "Experiments:\n".to_owned();
    for Experiment { name, about, sizes, .. } in &experiments::ALL {
        let [quick, full] = sizes;
        text += &format!("  {name:<16} {about}\n{:19}quick: {quick}; --full: {full}\n", "");
    }
    let mut structures = |title: &str, kinds: Vec<(&str, &str)>| {
        let width = kinds.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        text += &format!("\n{title}:\n");
        for (name, about) in kinds {
            text += &format!("  {name:<width$}  {about}\n");
        }
    };
    let neighbors = NeighborKind::ALL.iter().map(|kind| (kind.name(), kind.about()));
    structures("Structures for neighbours (`neighbors` in a scene)", neighbors.collect());
    let broad = BroadPhaseKind::ALL.iter().map(|kind| (kind.name(), kind.about()));
    structures("Broad phases (`broad_phase` in a scene)", broad.collect());
    let pairs = PairKind::ALL.iter().map(|kind| (kind.name(), kind.about()));
    structures("Structures for pairs", pairs.collect());
    structures("For points near triangles", OTHERS.to_vec());
    text
}

/// Runs the experiments; an error that comes back as a verdict has been printed.
fn run_all(args: &BenchArgs, threads: usize, console: Console) -> Result<Verdict, Verdict> {
    let wrong = |message: &dyn fmt::Display| {
        console.error(message);
        Verdict::WrongInput
    };
    let chosen =
        select::select(&args.experiments, &experiments::ALL, |item| item.name, "experiment")
            .map_err(|message| wrong(&message))?;
    let size = if args.full { Size::Full } else { Size::Quick };
    let (repeats, memory) = (args.repeats as usize, memory::limit(None));
    let setup = Setup { size, repeats, seed: args.seed, threads, memory };
    let stop = StopSignal::install(console)?;
    let folder = RunFolder::for_reports(&args.out).map_err(|error| wrong(&error))?;
    stop.finish_files_first();
    let mut outcomes: Vec<Outcome> = Vec::new();
    let mut verdict = Verdict::Done;
    for (k, experiment) in chosen.iter().enumerate() {
        console.message(format_args!("{} ({} of {})", experiment.name, k + 1, chosen.len()));
        let stopping = &stop.requests().stop;
        outcomes.push(experiment.run(setup, stopping, &mut |row| console.message(progress(row))));
        // After each experiment, so that its results survive a failure of the next.
        write(&folder, &outcomes, console)?;
        let Some(last) = outcomes.last() else { continue };
        match &last.halt {
            None => {
                let wall = units::duration(last.wall);
                console.message(format_args!("{}: {wall}", experiment.name));
            }
            Some(Halt::Wrong(why)) => {
                console.error(format_args!("{}: {why}", experiment.name));
                verdict = Verdict::Failed;
            }
            Some(Halt::Stopped) => {
                console.message("interrupted; the report has the measurements so far");
                verdict = Verdict::Stopped(stop.exit_code());
                break;
            }
        }
    }
    let texts = outcomes.iter().map(|o| format!("{}\n\n{}\n", o.experiment.name, report::text(o)));
    let printed = console.output("table", texts.collect::<String>());
    console.message(format_args!("report: {}", folder.path().join(PAGE).display()));
    Ok(verdict.or_worse(printed))
}

/// A measured row, as a progress message.
fn progress(row: &Row) -> String {
    let time = format_significant(1e3 * row.time.median, 4);
    format!("  {}: {}, {}: {time} ms", row.input, row.structure, row.task)
}

/// Writes the report on all experiments so far, with the values and the plot of the last.
fn write(folder: &RunFolder, outcomes: &[Outcome], console: Console) -> Result<(), Verdict> {
    let failed = |error: &dyn fmt::Display| {
        console.error(error);
        Verdict::Failed
    };
    let write = |name: &str, bytes: &[u8]| {
        folder.write(name, bytes, Write::Replace).map_err(|error| failed(&error))
    };
    if let Some(last) = outcomes.last() {
        let name = last.experiment.name;
        let drawn = plot::svg(&last.findings.panels).map_err(|error| failed(&error))?;
        write(&format!("{name}.svg"), drawn.as_bytes())?;
        write(&format!("{name}.csv"), &report::csv(last))?;
    }
    write(PAGE, report::page(outcomes).as_bytes())
}
