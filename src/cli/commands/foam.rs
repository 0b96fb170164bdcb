//! `sim foam`, and the same at the end of a run whose scene asks for it.

use crate::cli::args::FoamArgs;
use crate::cli::console::{Console, Fields, Verdict, report_file_error, shell_path};
use crate::cli::files::load;
use crate::cli::files::path_policy::PathPolicy;
use crate::cli::files::run_argument;
use crate::cli::progress::FileBar;
use crate::cli::system::stop_signal::StopSignal;
use hashfall_core::units;
use hashfall_foam::{FoamSettings, Limit, Limits};
use hashfall_output::{RunFolder, StoppedRun, layout};
use hashfall_run::Plan;
use hashfall_run::foam::{FoamError, FoamObserver, FoamPass, FoamReport, FoamRow, FoamStage};
use hashfall_scene::{Diagnostic, Override, Prepared};
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// The key of these settings.
const KEY: &str = "foam";

/// Computes the diffuse particles of a run.
pub fn foam(args: &FoamArgs, console: Console) -> Verdict {
    let stop = match StopSignal::install(console) {
        Ok(stop) => stop,
        Err(verdict) => return verdict,
    };
    match try_foam(args, console, &stop.requests().stop) {
        Ok(true) => Verdict::Done,
        Ok(false) => Verdict::Stopped(stop.exit_code()),
        Err(verdict) => verdict,
    }
}

/// Computes them at the end of a run, in the settings of its scene; whether all frames are done.
/// An error that comes back as a verdict has been printed.
pub fn after_run(
    folder: &Path,
    scene: &Prepared,
    settings: &FoamSettings,
    quiet: bool,
    console: Console,
    stop: &AtomicBool,
) -> Result<bool, Verdict> {
    let run = RunFolder::for_resume(folder).and_then(StoppedRun::open);
    let run = run.map_err(|error| report_file_error(&error, console))?;
    let goes_on = format!("`sim foam {}` goes on", shell_path(folder));
    Job { folder, scene, settings, run: &run, quiet, console, goes_on }.run(stop)
}

/// Computes them; whether all frames are done. An error that comes back as a verdict has been
/// printed.
fn try_foam(args: &FoamArgs, console: Console, stop: &AtomicBool) -> Result<bool, Verdict> {
    let folder = &args.folder;
    run_argument::check(folder, "foam").map_err(|advice| {
        console.error(advice);
        Verdict::WrongInput
    })?;
    let run = RunFolder::for_resume(folder).and_then(StoppedRun::open);
    let run = run.map_err(|error| report_file_error(&error, console))?;
    let scene = prepare(args).map_err(|faults| {
        console.diagnostics(&faults);
        Verdict::WrongInput
    })?;
    let settings = scene.foam.clone().unwrap_or_default();
    let (scene, settings, quiet) = (&scene, &settings, args.quiet);
    let goes_on = "the same command goes on".to_owned();
    Job { folder, scene, settings, run: &run, quiet, console, goes_on }.run(stop)
}

/// Reads the run's scene with the settings that the arguments change.
fn prepare(args: &FoamArgs) -> Result<Prepared, Vec<Diagnostic>> {
    let path = args.folder.join(layout::SCENE);
    let read = |changes: &[Override]| load::prepare(&path, changes, PathPolicy::NearScene);
    let mut changes = load::overrides(&args.common)?;
    let others: Vec<Diagnostic> = changes.iter().filter_map(other_key).collect();
    if !others.is_empty() {
        return Err(others);
    }
    if !changes.is_empty() && read(&[])?.foam.is_none() {
        changes.insert(0, Override::new(KEY, "()"));
    }
    let scene = read(&changes)?;
    match changes.iter().rfind(|change| change.key.trim() == KEY) {
        Some(change) if scene.foam.is_none() => Err(vec![no_foam(change)]),
        _ => Ok(scene),
    }
}

/// The fault of a change that asks for no foam.
fn no_foam(change: &Override) -> Diagnostic {
    fault(
        change,
        &change.value_at,
        "`sim foam` computes foam, and this asks for none".to_owned(),
        "leave it out: where the scene has no `foam`, defaults hold",
    )
}

/// The fault of a change that does not concern foam: the run has been computed without it.
fn other_key(change: &Override) -> Option<Diagnostic> {
    let is_own = change.key.trim().split(['.', '[']).next() == Some(KEY);
    let message = || format!("`{}` cannot change after the run", change.key.trim());
    let help = "settings of this command begin with `foam.`";
    (!is_own).then(|| fault(change, &change.key_at, message(), help))
}

/// A fault at a part of a change.
fn fault(change: &Override, at: &Range<usize>, message: String, help: &str) -> Diagnostic {
    Diagnostic {
        severity: hashfall_scene::Severity::Error,
        source_name: change.source.name.clone(),
        source_text: change.source.text.clone(),
        span: Some(at.clone()),
        message,
        help: Some(help.to_owned()),
    }
}

/// A computation with its messages.
struct Job<'a> {
    folder: &'a Path,
    scene: &'a Prepared,
    settings: &'a FoamSettings,
    run: &'a StoppedRun,
    quiet: bool,
    console: Console,
    /// What continues with it after a stop.
    goes_on: String,
}

impl Job<'_> {
    /// Computes; whether all frames are done.
    fn run(&self, stop: &AtomicBool) -> Result<bool, Verdict> {
        let (console, quiet) = (self.console, self.quiet);
        let plan = Plan::from(self.scene);
        let pass = FoamPass {
            run: self.run,
            plan: &plan,
            solid_names: &self.scene.solid_names,
            settings: self.settings,
        };
        let start = Instant::now();
        let mut progress = Progress { console, quiet, bar: None };
        let report = pass.run(&mut progress, stop);
        drop(progress);
        let report = report.map_err(|error| report_error(error, console))?;
        if report.record.has_paused() {
            let max = self.settings.max_particles;
            console.warning(format_args!(
                "`foam.max_particles: {max}` was reached, and emission paused there"
            ));
        }
        if report.is_stopped {
            let goes_on = &self.goes_on;
            console.message(format_args!(
                "interrupted; all frames of foam so far are complete, and {goes_on}"
            ));
        } else if !quiet && console.events.is_none() {
            let seconds = start.elapsed().as_secs_f64();
            match console.output("summary", render(self.folder, &report, seconds)) {
                Verdict::Done => {}
                worse => return Err(worse),
            }
        }
        Ok(!report.is_stopped)
    }
}

/// Prints why it failed.
fn report_error(error: FoamError, console: Console) -> Verdict {
    match error {
        FoamError::File(error) => report_file_error(&error, console),
        error => {
            console.error(error);
            Verdict::WrongInput
        }
    }
}

/// Shows how far it is.
struct Progress {
    console: Console,
    quiet: bool,
    bar: Option<FileBar>,
}

impl FoamObserver for Progress {
    fn start_pass(&mut self, what: FoamStage, frames: u32) {
        let noun = match what {
            FoamStage::Limits => "frames searched for limits",
            FoamStage::Frames => "frames of foam",
        };
        self.bar = None;
        self.bar = Some(FileBar::or_lines(self.console, self.quiet, frames as usize, noun));
    }

    fn advance(&mut self) {
        self.bar.iter().for_each(FileBar::advance);
    }

    fn limits(&mut self, limits: &Limits) {
        if !self.quiet {
            self.bar = None;
            self.console.message(format_args!("{}", describe(limits)));
        }
    }

    fn resumed(&mut self, after: u32) {
        if !self.quiet {
            self.console.message(format_args!("resuming foam after frame {after}"));
        }
    }
}

/// The limits as a line.
fn describe(limits: &Limits) -> String {
    let range = |[min, max]: Limit| {
        format!("{} to {}", units::three_figures(min), units::three_figures(max))
    };
    format!(
        "limits: trapped air {} m/s, crests {}, vorticity {} 1/s, energy {} J/kg",
        range(limits.trapped_air),
        range(limits.wave_crest),
        range(limits.vorticity),
        range(limits.energy)
    )
}

fn render(folder: &Path, report: &FoamReport, seconds: f64) -> String {
    let mut fields = Fields::under(folder.display(), 17);
    let mut line = |key: &str, value: String| fields.add(key, value);
    let rows = &report.record.frames;
    let last = rows.last().copied().unwrap_or_default();
    let FoamRow { spray, foam, bubbles, next_id, .. } = last;
    line("foam", format!("{} frames, {} computed now", rows.len(), report.computed));
    line("emitted", units::count(next_id, "particle"));
    line("at the end", format!("{spray} spray, {foam} foam, {bubbles} bubbles"));
    if report.computed > 0 {
        let rate = report.particle_frames as f64 / seconds.max(1e-9) * 60.0;
        let rate = units::three_figures(rate / 1e6);
        line("speed", format!("{rate} M particle-frames a minute"));
    }
    line("files", folder.join(layout::FOAM).display().to_string());
    fields.into_text()
}
