//! `sim audit`: checks the files of runs.

use crate::cli::args::AuditArgs;
use crate::cli::console::Console;
use crate::cli::console::Verdict;
use crate::cli::console::report_file_error;
use crate::cli::files::load;
use crate::cli::files::path_policy::PathPolicy;
use crate::cli::files::run_argument;
use hashfall_core::units;
use hashfall_output::{RunFolder, StoppedRun, layout};
use hashfall_run::Plan;
use hashfall_run::audit::{self, RunAudit};
use std::fmt::Write;
use std::path::Path;

/// Audits every run.
pub fn audit(args: &AuditArgs, console: Console) -> Verdict {
    let verdicts = args.folders.iter().map(|folder| one(folder, console));
    verdicts.fold(Verdict::Done, Verdict::or_worse)
}

/// Audits a run, and prints the result.
fn one(folder: &Path, console: Console) -> Verdict {
    if let Err(advice) = run_argument::check(folder, "audit") {
        console.error(advice);
        return Verdict::WrongInput;
    }
    let found = RunFolder::for_audit(folder)
        .and_then(StoppedRun::open)
        .map_err(|error| report_file_error(&error, console))
        .and_then(|run| {
            let scene = load::prepare(&folder.join(layout::SCENE), &[], PathPolicy::NearScene)
                .map_err(|faults| {
                    console.diagnostics(&faults);
                    Verdict::WrongInput
                })?;
            Ok(audit::audit(&run, &Plan::from(&scene)))
        });
    let found = match found {
        Ok(found) => found,
        Err(verdict) => return verdict,
    };
    found
        .faults
        .iter()
        .for_each(|fault| console.error(format_args!("{}/{fault}", folder.display())));
    let verdict = if found.faults.is_empty() { Verdict::Done } else { Verdict::Failed };
    verdict.or_worse(console.output("report", render(folder, &found)))
}

fn render(folder: &Path, found: &RunAudit) -> String {
    let mut text = format!("{}\n", folder.display());
    let mut line = |key: &str, value: String| {
        // Writing to memory does not fail.
        let _ = writeln!(text, "  {key:<16} {value}");
    };
    line("frames", format!("{}, in {}", found.frames, units::count(found.files as u64, "file")));
    line("meshes", format!("{} checked", found.meshes));
    line("checkpoints", format!("{} usable", found.checkpoints));
    line("compression", format!("max {:.2} %", 100.0 * found.compression));
    line("penetration", format!("max {} d", units::three_figures(found.penetration)));
    line("energy gain", format!("max {} J", units::three_figures(found.energy_gain)));
    let faults = found.faults.len() as u64;
    line("verdict", if faults == 0 { "valid".into() } else { units::count(faults, "fault") });
    text
}
