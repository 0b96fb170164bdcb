//! `sim audit`: checks the files of runs.

use crate::cli::args::AuditArgs;
use crate::cli::console::{Console, Fields, Verdict, report_file_error};
use crate::cli::files::load;
use crate::cli::files::path_policy::PathPolicy;
use crate::cli::files::run_argument;
use crate::cli::files::text_output::TextOutput;
use hashfall_core::units;
use hashfall_output::{RunFolder, StoppedRun, layout};
use hashfall_run::Plan;
use hashfall_run::audit::{self, RunAudit};
use std::path::Path;

/// Audits every run.
pub fn audit(args: &AuditArgs, console: Console) -> Verdict {
    let mut output = TextOutput::new("report", &args.text, console);
    let mut verdict = Verdict::Done;
    for folder in &args.folders {
        verdict = verdict.or_worse(match one(folder, console) {
            Ok((found, report)) => found.or_worse(output.add(&report)),
            Err(worse) => worse,
        });
    }
    verdict.or_worse(output.finish(console))
}

/// Audits a run: whether it is valid, and the report. Prints what is wrong.
fn one(folder: &Path, console: Console) -> Result<(Verdict, String), Verdict> {
    if let Err(advice) = run_argument::check(folder, "audit") {
        console.error(advice);
        return Err(Verdict::WrongInput);
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
        })?;
    found
        .faults
        .iter()
        .for_each(|fault| console.error(format_args!("{}/{fault}", folder.display())));
    let verdict = if found.faults.is_empty() { Verdict::Done } else { Verdict::Failed };
    Ok((verdict, render(folder, &found)))
}

fn render(folder: &Path, found: &RunAudit) -> String {
    let mut fields = Fields::under(folder.display(), 17);
    let mut line = |key: &str, value: String| fields.add(key, value);
    line("frames", format!("{}, in {}", found.frames, units::count(found.files as u64, "file")));
    line("meshes", format!("{} checked", found.meshes));
    line("checkpoints", format!("{} usable", found.checkpoints));
    line("compression", format!("max {:.2} %", 100.0 * found.compression));
    line("penetration", format!("max {} d", units::three_figures(found.penetration)));
    line("energy gain", format!("max {} J", units::three_figures(found.energy_gain)));
    let faults = found.faults.len() as u64;
    line("verdict", if faults == 0 { "valid".into() } else { units::count(faults, "fault") });
    fields.into_text()
}
