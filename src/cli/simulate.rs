//! `sim SCENE`: prepare, run, sum up.

use super::args::SimulateArgs;
use super::console::Console;
use super::stop_signal::StopSignal;
use super::verdict::Verdict;
use super::{load, progress, summary, units};
use crate::output::{FileError, Recorder, RunFolder, RunInfo, Status};
use crate::run::{End, Plan};
use crate::scene::{Override, Prepared};
use std::io;
use std::path::{Path, PathBuf};

/// The process that runs a scene.
pub struct Process {
    /// The command line, for the records.
    pub command_line: Vec<String>,
    /// Threads that compute.
    pub threads: usize,
    /// Where to talk.
    pub console: Console,
}

/// Runs a scene and leaves its frames in a folder.
pub fn simulate(args: &SimulateArgs, process: &Process) -> Verdict {
    try_simulate(args, process).unwrap_or_else(|verdict| verdict)
}

/// Runs a scene; an error has been told when it comes back as a verdict.
fn try_simulate(args: &SimulateArgs, process: &Process) -> Result<Verdict, Verdict> {
    let console = process.console;
    let stop = StopSignal::install().map_err(|error| {
        console.error(format_args!("cannot listen for signals: {error}"));
        Verdict::Failed
    })?;
    let scene = prepare(args, console)?;
    let plan = Plan::from(&scene);
    let folder = args.out.clone().unwrap_or_else(|| default_folder(&args.scene));
    stop.let_files_be_finished();
    let opened = open_folder(&folder, &scene, args.overwrite, console)?;
    let name = args.scene.file_stem().unwrap_or_default().to_string_lossy();
    let mut recorder = start_records(opened, &name, &scene, &plan, process)?;
    if !args.quiet {
        announce(&folder, &scene, process);
    }
    let output = plan.output.clone();
    let (report, end) = {
        let mut observer = progress::observer(console, args.quiet);
        plan.run(Some(&mut recorder), observer.as_mut(), stop.asked())
    };
    let mut verdict = close_records(recorder, end, &stop, args.quiet, console);
    if report.outside > 0 {
        let lost = units::count(report.outside as u64, "particle");
        console.warning(format_args!("{lost} stood outside the domain; see `outside` in log.csv"));
    }
    if report.capped > 0 {
        let capped = units::count(report.capped, "step");
        console.warning(format_args!(
            "{capped} of {} gave up at `max_iterations`, with errors above the tolerance; see \
             `density_capped` and `divergence_capped` in log.csv",
            report.steps
        ));
    }
    if !args.quiet && report.frames > 0 {
        let summary = summary::render(&report, &folder, &output);
        if let Err(error) = console.data(summary)
            && error.kind() != io::ErrorKind::BrokenPipe
        {
            console.error(format_args!("cannot write the summary: {error}"));
            verdict = verdict.or_worse(Verdict::Failed);
        }
    }
    Ok(verdict)
}

/// The scene with its overrides; faults and warnings are told.
fn prepare(args: &SimulateArgs, console: Console) -> Result<Prepared, Verdict> {
    let prepared = load::overrides(&args.common).and_then(|mut overrides| {
        overrides.extend(
            args.frames
                .map(|count| Override { key: "frames.count".to_owned(), value: count.to_string() }),
        );
        load::prepare(&args.scene, &overrides)
    });
    let told = prepared.as_ref().map_or_else(Vec::as_slice, |scene| &scene.warnings);
    console.diagnostics(told);
    prepared.map_err(|_| Verdict::WrongInput)
}

/// `out/` and the scene's name.
fn default_folder(scene: &Path) -> PathBuf {
    Path::new("out").join(scene.file_stem().unwrap_or_default())
}

/// Makes the folder of the run, or tells why it cannot be had.
fn open_folder(
    folder: &Path,
    scene: &Prepared,
    overwrite: bool,
    console: Console,
) -> Result<RunFolder, Verdict> {
    let meshes: Vec<&str> = scene.meshes.iter().map(|mesh| mesh.name.as_str()).collect();
    RunFolder::create(folder, &meshes, overwrite).map_err(|error| {
        console.error(error);
        Verdict::WrongInput
    })
}

/// Writes what is known before the first step.
fn start_records(
    folder: RunFolder,
    name: &str,
    scene: &Prepared,
    plan: &Plan,
    process: &Process,
) -> Result<Recorder, Verdict> {
    let meshes: Vec<(&str, &[u8])> =
        scene.meshes.iter().map(|mesh| (mesh.name.as_str(), mesh.bytes.as_slice())).collect();
    let info = RunInfo {
        name,
        scene: &scene.resolved,
        meshes: &meshes,
        command: &process.command_line,
        threads: process.threads,
        frames: plan.frames,
        particles: plan.output.particles,
        surface: &plan.output.surface,
        probes: &plan.probes.list,
    };
    Recorder::start(folder, &plan.world, info).map_err(|error| {
        process.console.error(&error);
        match error {
            FileError::System { .. } => Verdict::Failed,
            FileError::ExistingRun(_) | FileError::InUse(_) | FileError::InTheWay(_) => {
                Verdict::WrongInput
            }
        }
    })
}

/// A line before the run: what, on how many threads, and where to.
fn announce(folder: &Path, scene: &Prepared, process: &Process) {
    let solids = &scene.world.solids;
    let triangles: usize = solids.meshes.iter().map(|mesh| mesh.triangles.len()).sum();
    process.console.talk(format_args!(
        "{}, {}, {} on {} to {}",
        units::count(scene.world.particles.len() as u64, "particle"),
        units::count(solids.spheres.len() as u64, "sphere"),
        units::count(triangles as u64, "triangle"),
        units::count(process.threads as u64, "thread"),
        folder.display()
    ));
    if scene.removed_in_solids > 0 {
        let removed = units::count(scene.removed_in_solids as u64, "particle");
        process.console.talk(format_args!("{removed} started inside a solid and were removed"));
    }
}

/// Tells and records how the run ended.
fn close_records(
    recorder: Recorder,
    end: End,
    stop: &StopSignal,
    quiet: bool,
    console: Console,
) -> Verdict {
    let (status, verdict) = match end {
        End::Finished => (Status::Finished, Verdict::Done),
        End::Interrupted => {
            if !quiet {
                console.talk("interrupted; the frames so far are whole");
            }
            (Status::Interrupted, Verdict::Stopped(stop.exit_code()))
        }
        End::BlewUp(blow_up) => failed(format!("the simulation blew up: {blow_up}"), console),
        End::Stalled(stall) => failed(format!("the simulation stalled: {stall}"), console),
        End::Unwritable(error) => failed(error.to_string(), console),
    };
    match recorder.finish(&status) {
        Ok(()) => verdict,
        // Where the disk is full this fails too; the cause has been told.
        Err(_) if verdict == Verdict::Failed => verdict,
        Err(error) => {
            console.error(error);
            Verdict::Failed
        }
    }
}

fn failed(reason: String, console: Console) -> (Status, Verdict) {
    console.error(&reason);
    (Status::Failed(reason), Verdict::Failed)
}
