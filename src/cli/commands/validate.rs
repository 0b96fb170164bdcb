//! `sim validate`: runs cases with a known outcome, and reports the error of the simulation.

use crate::cli::args::ValidateArgs;
use crate::cli::args::select;
use crate::cli::console::Console;
use crate::cli::console::Verdict;
use crate::cli::files::load;
use crate::cli::progress;
use crate::cli::system::stop_signal::StopSignal;
use hashfall_core::units;
use hashfall_output::files::Write;
use hashfall_output::{FileError, RunFolder, plot};
use hashfall_scene::{Diagnostic, Override};
use hashfall_validate::{Case, CaseOutcome, cases, report};

/// Runs the cases and writes the report into a folder.
pub fn validate(args: &ValidateArgs, console: Console) -> Verdict {
    let chosen = match chosen(args) {
        Ok(chosen) => chosen,
        Err(message) => {
            console.error(message);
            return Verdict::WrongInput;
        }
    };
    if args.list {
        return console.output("table", list(&chosen));
    }
    run_all(&chosen, args, console).unwrap_or_else(|verdict| verdict)
}

/// The cases that the arguments name.
fn chosen(args: &ValidateArgs) -> Result<Vec<&'static Case>, String> {
    let named = select::select(&args.cases, &cases::ALL, |item| item.name, "case");
    let mut chosen = named.map_err(|error| error.to_string())?;
    chosen.retain(|case| case.is_quick || !args.quick);
    if chosen.is_empty() {
        let names = args.cases.join("`, `");
        return Err(format!("`{names}`: no case of these is quick; leave `--quick` out"));
    }
    Ok(chosen)
}

/// The names of cases, with their topics.
fn list(cases: &[&Case]) -> String {
    let width = cases::ALL.iter().map(|case| case.name.len()).max().unwrap_or(0);
    cases.iter().map(|case| format!("{:<width$}  {}\n", case.name, case.about)).collect()
}

/// Runs the cases; an error that comes back as a verdict has been printed.
fn run_all(
    chosen: &[&'static Case],
    args: &ValidateArgs,
    console: Console,
) -> Result<Verdict, Verdict> {
    let refuse = |faults: Vec<Diagnostic>| {
        console.diagnostics(&faults);
        Verdict::WrongInput
    };
    let overrides = load::overrides(&args.common).map_err(refuse)?;
    // All cases are checked before the first runs: an error of the last would come minutes later.
    for case in chosen {
        case.prepare(&overrides).map_err(refuse)?;
    }
    let stop = StopSignal::install(console)?;
    let folder = RunFolder::for_reports(&args.out).map_err(|error| {
        console.error(error);
        Verdict::WrongInput
    })?;
    stop.finish_files_first();
    let mut outcomes = Vec::new();
    let mut verdict = Verdict::Done;
    for (k, case) in chosen.iter().enumerate() {
        console.message(format_args!("{} ({} of {})", case.name, k + 1, chosen.len()));
        let Some(outcome) = run(case, &overrides, &stop, console, args.quiet)? else {
            console.message("interrupted; the report has the cases so far");
            verdict = Verdict::Stopped(stop.exit_code());
            break;
        };
        if !outcome.holds() {
            verdict = Verdict::Failed;
        }
        outcomes.push(outcome);
        // After each case, so that its results survive a failure of the next.
        write(&folder, &outcomes, console)?;
    }
    let printed = console.output("table", report::table(&outcomes));
    if !outcomes.is_empty() {
        console.message(format_args!("report: {}", folder.path().join(PAGE).display()));
    }
    Ok(verdict.or_worse(printed))
}

/// Runs a case, and prints its outcome; `None` if a signal stopped it.
fn run(
    case: &'static Case,
    overrides: &[Override],
    stop: &StopSignal,
    console: Console,
    is_quiet: bool,
) -> Result<Option<CaseOutcome>, Verdict> {
    let mut observer = progress::observer(console, is_quiet);
    let outcome = case.run(overrides, observer.as_mut(), stop.requests()).map_err(|faults| {
        console.diagnostics(&faults);
        Verdict::WrongInput
    })?;
    drop(observer);
    if let Some(outcome) = &outcome {
        if let Some(why) = &outcome.failure {
            console.error(format_args!("{}: the run failed: {why}", case.name));
        }
        let missed = outcome.findings.measured.iter().filter(|measured| !measured.holds()).count();
        let all = units::count(outcome.findings.measured.len() as u64, "goal");
        let wall = units::duration(outcome.report.wall);
        console.message(format_args!("{}: {missed} of {all} missed, {wall}", case.name));
    }
    Ok(outcome)
}

/// The files of a report.
const PAGE: &str = "validation.md";
const VALUES: &str = "validation.csv";

/// Writes the report on all cases so far, and the plot of the last.
fn write(folder: &RunFolder, outcomes: &[CaseOutcome], console: Console) -> Result<(), Verdict> {
    let failed = |error: &dyn std::fmt::Display| {
        console.error(error);
        Verdict::Failed
    };
    let write = |name: &str, bytes: &[u8]| -> Result<(), Verdict> {
        folder.write(name, bytes, Write::Replace).map_err(|error: FileError| failed(&error))
    };
    if let Some(last) = outcomes.last().filter(|outcome| !outcome.findings.panels.is_empty()) {
        let drawn = plot::svg(&last.findings.panels).map_err(|error| failed(&error))?;
        write(&report::plot_name(last.case.name), drawn.as_bytes())?;
    }
    write(VALUES, &report::csv(outcomes))?;
    write(PAGE, report::page(outcomes).as_bytes())
}
