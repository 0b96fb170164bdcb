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
use hashfall_output::plot::{self, Panel};
use hashfall_output::{FileError, RunFolder};
use hashfall_scene::{Diagnostic, Override};
use hashfall_validate::convergence::{self, Study, StudyRun};
use hashfall_validate::{Case, CaseOutcome, cases, report};
use std::fmt;

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
    if args.convergence && args.cases.is_empty() {
        return Err("`--convergence` runs a case about twelve times: name the cases, or '*' for \
                    all of them"
            .to_owned());
    }
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
    let mut studies = plan(chosen, &overrides, args.convergence).map_err(refuse)?;
    let stop = StopSignal::install(console)?;
    let folder = RunFolder::for_reports(&args.out).map_err(|error| {
        console.error(error);
        Verdict::WrongInput
    })?;
    stop.finish_files_first();
    let mut verdict = Verdict::Done;
    'all: for k in 0..studies.len() {
        while let Some((nth, run)) = studies[k].next_run() {
            let title = Title { study: &studies[k], run: &run };
            match nth {
                0 => console.message(format_args!("{title} ({} of {})", k + 1, chosen.len())),
                _ => {
                    let count = studies[k].run_count();
                    console.message(format_args!("{title} (run {} of {count})", nth + 1));
                }
            }
            let Some(outcome) = run_one(&title, &stop, console, args.quiet)? else {
                console.message("interrupted; the report has the runs so far");
                verdict = Verdict::Stopped(stop.exit_code());
                break 'all;
            };
            // In a study of convergence goals are told and do not count: its runs are to differ.
            if outcome.failure.is_some() || !args.convergence && !outcome.holds() {
                verdict = Verdict::Failed;
            }
            studies[k].push(outcome);
            // After each run, so that its results survive a failure of the next.
            write(&folder, &studies[..=k], args.convergence, console)?;
        }
    }
    let printed = console.output("table", tables(&studies));
    if studies.iter().any(|study| study.own().is_some()) {
        console.message(format_args!("report: {}", folder.path().join(PAGE).display()));
    }
    Ok(verdict.or_worse(printed))
}

/// The runs of each case. All are checked before the first runs: an error of the last would come
/// minutes later.
fn plan(
    chosen: &[&'static Case],
    overrides: &[Override],
    is_convergence: bool,
) -> Result<Vec<Study>, Vec<Diagnostic>> {
    if is_convergence {
        convergence::refuse_varied(overrides)?;
        return chosen.iter().map(|case| Study::with_variations(case, overrides)).collect();
    }
    let plain = |case: &&'static Case| {
        case.prepare(overrides)?;
        Ok(Study::new(case, overrides))
    };
    chosen.iter().map(plain).collect()
}

/// What was measured, as text.
fn tables(studies: &[Study]) -> String {
    let outcomes: Vec<&CaseOutcome> = studies.iter().filter_map(Study::own).collect();
    let sections = studies.iter().map(convergence::section).filter(|text| !text.is_empty());
    sections.fold(report::table(&outcomes), |text, section| text + "\n" + &section)
}

/// What a run is called.
struct Title<'a> {
    study: &'a Study,
    run: &'a StudyRun,
}

impl fmt::Display for Title<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.study.case().name)?;
        self.run.variation.iter().try_for_each(|variation| write!(f, ", {variation}"))
    }
}

/// Runs a case once, and prints its outcome; `None` if a signal stopped it.
fn run_one(
    title: &Title<'_>,
    stop: &StopSignal,
    console: Console,
    is_quiet: bool,
) -> Result<Option<CaseOutcome>, Verdict> {
    let mut observer = progress::observer(console, is_quiet);
    let Title { study, run } = title;
    let outcome = study.case().run(&run.overrides, observer.as_mut(), stop.requests());
    let outcome = outcome.map_err(|faults| {
        console.diagnostics(&faults);
        Verdict::WrongInput
    })?;
    drop(observer);
    if let Some(outcome) = &outcome {
        if let Some(why) = &outcome.failure {
            console.error(format_args!("{title}: the run failed: {why}"));
        }
        let wall = units::duration(outcome.report.wall);
        let measured = &outcome.findings.measured;
        let result = if run.variation.is_some() {
            units::count(outcome.report.steps, "step")
        } else {
            let missed = measured.iter().filter(|measured| !measured.holds()).count();
            format!("{missed} of {} missed", units::count(measured.len() as u64, "goal"))
        };
        console.message(format_args!("{title}: {result}, {wall}"));
    }
    Ok(outcome)
}

/// The files of a report.
const PAGE: &str = "validation.md";
const VALUES: &str = "validation.csv";
const CONVERGENCE: &str = "convergence.csv";

/// Writes the report on all runs so far, and the plots of the last case.
fn write(
    folder: &RunFolder,
    studies: &[Study],
    is_convergence: bool,
    console: Console,
) -> Result<(), Verdict> {
    let failed = |error: &dyn fmt::Display| {
        console.error(error);
        Verdict::Failed
    };
    let write = |name: &str, bytes: &[u8]| -> Result<(), Verdict> {
        folder.write(name, bytes, Write::Replace).map_err(|error: FileError| failed(&error))
    };
    let draw = |name: &str, panels: &[Panel]| -> Result<(), Verdict> {
        if panels.is_empty() {
            return Ok(());
        }
        write(name, plot::svg(panels).map_err(|error| failed(&error))?.as_bytes())
    };
    let outcomes: Vec<&CaseOutcome> = studies.iter().filter_map(Study::own).collect();
    if let (Some(study), Some(last)) = (studies.last(), outcomes.last()) {
        draw(&report::plot_name(last.case.name), &last.findings.panels)?;
        draw(&convergence::plot_name(last.case.name), &convergence::panels(study))?;
    }
    if is_convergence {
        write(CONVERGENCE, &convergence::csv(studies))?;
    }
    write(VALUES, &report::csv(&outcomes))?;
    write(PAGE, report::page(studies).as_bytes())
}
