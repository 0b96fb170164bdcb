//! Reports the content and the cost of scenes, or all of their errors.

use super::line::Subject;
use super::pilot;
use super::report::render;
use crate::cli::args::CheckArgs;
use crate::cli::console::Console;
use crate::cli::console::Verdict;
use crate::cli::files::load;
use crate::cli::files::path_policy::PathPolicy;
use crate::cli::files::text_output::TextOutput;
use crate::cli::progress::{PREPARING, Waiting};
use hashfall_run::Plan;
use hashfall_scene::{Diagnostic, Override};
use std::path::Path;

/// Checks every scene; runs nothing.
pub fn check(args: &CheckArgs, console: Console) -> Verdict {
    let changes = match load::changes(&args.scene) {
        Ok(changes) => changes,
        Err(faults) => {
            console.diagnostics(&faults);
            return Verdict::WrongInput;
        }
    };
    let path_policy = PathPolicy::new(args.scene.allow_outside);
    let mut verdict = Verdict::Done;
    let mut output = TextOutput::new("report", &args.text, console);
    for path in &args.scenes {
        match report(path, &changes, path_policy, console) {
            Ok(report) => match output.add(&report) {
                // With a closed pipe the other scenes are still checked for the exit code.
                Verdict::Done => {}
                failed => return failed,
            },
            Err(worse) => verdict = verdict.or_worse(worse),
        }
    }
    verdict.or_worse(output.finish(console))
}

/// The report on one scene; prints errors.
fn report(
    path: &Path,
    changes: &[Override],
    path_policy: PathPolicy,
    console: Console,
) -> Result<String, Verdict> {
    let wrong = |faults: Vec<Diagnostic>| {
        console.diagnostics(&faults);
        Verdict::WrongInput
    };
    let waiting = Waiting::start(console, false, PREPARING);
    let prepared = load::check(path, changes, path_policy).and_then(|checked| {
        let without_files = checked.without_files();
        checked.build().map(|scene| (scene, without_files))
    });
    drop(waiting);
    let (scene, without_files) = prepared.map_err(wrong)?;
    console.diagnostics(&scene.warnings);
    match Plan::from(&scene).estimate() {
        Ok(estimate) => {
            let checked = without_files;
            let source = pilot::PilotSource { path, changes, path_policy, scene: &scene, checked };
            let waiting = Waiting::start(console, false, "taking trial steps");
            let time = pilot::run_time(&source, &estimate);
            drop(waiting);
            let time = time.unwrap_or_else(|blow_up| {
                let name = load::scene_name(path);
                console
                    .warning(format_args!("{name}: the run may end early; a trial did: {blow_up}"));
                None
            });
            let subject = Subject { scene: &scene, estimate: &estimate, time };
            Ok(render(&load::scene_name(path), &subject))
        }
        Err(blow_up) => {
            console.error(format_args!("{}: {blow_up}", load::scene_name(path)));
            Err(Verdict::WrongInput)
        }
    }
}
