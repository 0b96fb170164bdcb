//! Runs a scene from its start or from a checkpoint, with messages, records and summary.

use super::process::Process;
use super::summary::{self, Previews};
use crate::cli::commands::foam;
use crate::cli::console::{
    Console, Event, RunExtent, Start, Verdict, report_file_error, shell_path,
};
use crate::cli::preview;
use crate::cli::progress;
use crate::cli::system::stop_signal::StopSignal;
use hashfall_core::units;
use hashfall_output::{Recorder, RunInfo, Status};
use hashfall_run::{End, Plan, Resumed, RunReport};
use hashfall_scene::Prepared;
use hashfall_sph::world::Wait;
use std::path::Path;

/// A run to execute.
pub struct Run<'a> {
    /// The scene's name.
    pub name: &'a str,
    /// The folder of its files, as the user named it.
    pub folder: &'a Path,
    pub scene: &'a Prepared,
    pub plan: Plan,
    /// Where it resumes; `None` from the start.
    pub resumed: Option<Resumed>,
    /// Whether only warnings and errors are printed.
    pub quiet: bool,
}

impl Run<'_> {
    /// Runs to the end, and prints the outcome.
    pub fn execute(self, mut recorder: Recorder, stop: &StopSignal, process: &Process) -> Verdict {
        let Run { folder, quiet, scene, .. } = self;
        let console = process.console;
        if let Some(events) = console.events {
            events.emit(&Event::Start(self.start(process)));
        }
        if !quiet {
            self.announce(process);
        }
        let output = self.plan.output.clone();
        let (report, end) = {
            let mut observer = match console.events {
                Some(events) => {
                    let Plan { probes, body_names, .. } = &self.plan;
                    progress::for_programs(events, console, probes, body_names)
                }
                None => progress::observer(console, quiet),
            };
            let recorder = Some(&mut recorder);
            self.plan.run_from(self.resumed, recorder, observer.as_mut(), stop.requests())
        };
        let verdict = EndReporter { folder, stop, quiet, console }.report(recorder, end);
        warn(&report, console);
        console.set_extent(|| RunExtent::from_report(&report));
        let mut verdict = verdict;
        if let (Some(settings), Verdict::Done) = (&scene.foam, verdict) {
            let requests = &stop.requests().stop;
            verdict = match foam::after_run(folder, scene, settings, quiet, console, requests) {
                Ok(true) => Verdict::Done,
                Ok(false) => Verdict::Stopped(stop.exit_code()),
                Err(verdict) => verdict,
            };
        }
        let mut previews = Previews::None;
        if let (Some(settings), false) = (scene.preview, matches!(verdict, Verdict::Stopped(_))) {
            let (threads, stop) = (process.threads, &stop.requests().stop);
            if preview::after_run(folder, settings, quiet, threads, console, stop) {
                previews = Previews::Made;
            }
        }
        if quiet || report.frames == 0 {
            return verdict;
        }
        let summary = summary::render(&report, folder, &output, previews);
        verdict.or_worse(console.output("summary", summary))
    }

    /// The `start` event.
    fn start(&self, process: &Process) -> Start {
        let Plan { world, frames, .. } = &self.plan;
        let solids = &world.solids;
        Start {
            program: concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")),
            scene: self.name.to_owned(),
            folder: self.folder.display().to_string(),
            particles: world.particles.len(),
            spheres: solids.spheres().len(),
            triangles: self.triangles(),
            threads: process.threads,
            frames: frames.count,
            frame_rate: frames.rate,
            resumed_after: self.resumed.as_ref().map(|resumed| resumed.frame),
        }
    }

    /// Triangles of all solids.
    fn triangles(&self) -> usize {
        self.scene.world.solids.rigid_meshes().iter().map(|mesh| mesh.triangles.len()).sum()
    }

    /// Prints a line before the run: its size, threads and folder.
    fn announce(&self, process: &Process) {
        let console = process.console;
        let solids = &self.scene.world.solids;
        let nodes = self.plan.world.elastic.as_ref().map(|it| it.system.node_count() as u64);
        let nodes = nodes.map(|count| format!("{}, ", units::count(count, "elastic node")));
        console.message(format_args!(
            "{}, {}{}, {} on {} to {}",
            // Those present now: some may have been emitted or removed since the start.
            units::count(self.plan.world.particles.len() as u64, "particle"),
            nodes.unwrap_or_default(),
            units::count(solids.spheres().len() as u64, "sphere"),
            units::count(self.triangles() as u64, "triangle"),
            units::count(process.threads as u64, "thread"),
            self.folder.display()
        ));
        match &self.resumed {
            Some(resumed) => {
                let world = &self.plan.world;
                console.message(format_args!(
                    "resuming after frame {} (t = {} s, step {})",
                    resumed.frame,
                    units::three_figures(world.time),
                    world.steps
                ));
            }
            None if self.scene.removed_in_solids > 0 => {
                let removed = units::count(self.scene.removed_in_solids as u64, "particle");
                console.message(format_args!(
                    "removed {removed} inside a solid, or nearer than a particle radius to one"
                ));
            }
            None => {}
        }
    }
}

/// Warns about emitters that were blocked.
fn warn_of_emitters(report: &RunReport, console: Console) {
    let seconds = units::three_figures;
    for (i, emitter) in report.emitters.iter().enumerate() {
        let warn = |wait: &Wait, why: &str| {
            let Some(first) = wait.first else { return };
            let times = units::count(wait.times, "time");
            let (all, first) = (seconds(wait.time), seconds(first));
            console.warning(format_args!(
                "emitters[{i}] paused {times} for {all} s in total, first at t = {first} s: {why}"
            ));
        };
        warn(&emitter.for_room, "`max_particles` was reached");
        warn(&emitter.for_pressed, "fluid pressed against its opening");
        if emitter.left_out > 0 {
            let left_out = units::count(emitter.left_out, "particle");
            console.warning(format_args!(
                "emitters[{i}] skipped {left_out}, as fluid behind it occupied their positions"
            ));
        }
    }
}

/// Warns about breaches, blocked emitters, unconverged solves and inexact contacts.
fn warn(report: &RunReport, console: Console) {
    if let Some(first) = &report.first_breach {
        let times = units::count(report.breaches, "time");
        console.warning(format_args!("the run exceeded its limits {times}, first at {first}"));
    }
    if let Some(load) = report.energy.and_then(|energy| energy.load) {
        console.warning(format_args!(
            "the pressures of the start store {} J, as particles stand too close; what they let go \
             is no motion that the scene asks for",
            units::three_figures(load)
        ));
    }
    warn_of_emitters(report, console);
    if report.capped > 0 {
        let steps = units::count(report.steps, "step");
        console.warning(format_args!(
            "{} of {steps} hit `max_iterations` before converging; see the columns `…_capped` in \
             log.csv",
            report.capped
        ));
    }
    if report.inexact_contacts > 0 {
        let steps = units::count(report.steps, "step");
        console.warning(format_args!(
            "contact of free bodies was left with errors above 1e-4 of their speed in {} of \
             {steps}; see `inexact_contacts` in log.csv",
            report.inexact_contacts
        ));
    }
}

/// Prints and records the end of a run.
struct EndReporter<'a> {
    folder: &'a Path,
    stop: &'a StopSignal,
    quiet: bool,
    console: Console,
}

impl EndReporter<'_> {
    fn report(&self, recorder: Recorder, end: End) -> Verdict {
        let (status, verdict) = match end {
            End::Finished => (Status::Finished, Verdict::Done),
            End::Interrupted => self.interrupted(&recorder),
            End::BlewUp(blow_up) => {
                self.failed(format!("the simulation blew up: {blow_up}"), &recorder)
            }
            End::Breached(breach) => {
                self.failed(format!("the simulation exceeded a limit: {breach}"), &recorder)
            }
            End::Stalled(stall) => {
                self.failed(format!("the simulation stalled: {stall}"), &recorder)
            }
            End::WrongNeighbors(mismatch) => self
                .failed(format!("the neighbour search failed verification: {mismatch}"), &recorder),
            End::Unwritable(error) if error.is_disk_full() => {
                let (status, _) = self.failed(error.to_string(), &recorder);
                (status, Verdict::DiskFull(Verdict::Failed.code()))
            }
            End::Unwritable(error) => self.failed(error.to_string(), &recorder),
        };
        match recorder.finish(&status) {
            Ok(()) => verdict,
            // On a full disk this fails as well; the cause has been printed.
            Err(_) if matches!(verdict, Verdict::Failed | Verdict::DiskFull(_)) => verdict,
            Err(error) => match report_file_error(&error, self.console) {
                Verdict::DiskFull(code) => Verdict::DiskFull(code),
                _ => Verdict::Failed,
            },
        }
    }

    fn interrupted(&self, recorder: &Recorder) -> (Status, Verdict) {
        if !self.quiet {
            let hint = match recorder.last_checkpoint() {
                Some(_) => format!("; continue with `sim resume {}`", shell_path(self.folder)),
                None => String::new(),
            };
            let why = self.stop.reason();
            self.console.message(format_args!("{why}; all frames so far are complete{hint}"));
        }
        (Status::Interrupted, Verdict::Stopped(self.stop.exit_code()))
    }

    fn failed(&self, reason: String, recorder: &Recorder) -> (Status, Verdict) {
        self.console.error(&reason);
        if let Some(checkpoint) = recorder.last_checkpoint() {
            self.console.message(format_args!(
                "the last checkpoint is `{}`; continue with `sim resume {}`, with other settings \
                 by `--set`",
                self.folder.join(checkpoint).display(),
                shell_path(self.folder)
            ));
        }
        (Status::Failed(reason), Verdict::Failed)
    }
}

/// Names and bytes of the scene's meshes, for the records.
pub fn meshes_of(scene: &Prepared) -> Vec<(&str, &[u8])> {
    scene.meshes.iter().map(|mesh| (mesh.name.as_str(), mesh.bytes.as_slice())).collect()
}

/// The description of a run, for the records.
pub fn run_info<'a>(
    name: &'a str,
    scene: &'a Prepared,
    meshes: &'a [(&'a str, &'a [u8])],
    plan: &'a Plan,
    process: &'a Process,
) -> RunInfo<'a> {
    RunInfo {
        name,
        scene: &scene.resolved,
        meshes,
        command: &process.command_line,
        threads: process.threads,
        frames: plan.frames,
        output: &plan.output,
        probes: &plan.probes.list,
        body_names: &plan.body_names,
        has_callbacks: false,
    }
}
