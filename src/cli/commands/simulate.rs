//! `sim SCENE`: prepares a scene, runs it and prints a summary.

use crate::cli::args::SimulateArgs;
use crate::cli::console::Console;
use crate::cli::console::Verdict;
use crate::cli::console::report_file_error;
use crate::cli::files::load;
use crate::cli::files::path_policy::PathPolicy;
use crate::cli::files::stdin_scene;
use crate::cli::files::sweep_folder::SweepFolder;
use crate::cli::progress::{PREPARING, Waiting};
use crate::cli::session::disk_preflight;
use crate::cli::session::neighbor_choice;
use crate::cli::session::{ClusterRun, Job, Process, Run, meshes_of, run_info};
use crate::cli::system::out_of_memory;
use crate::cli::system::stop_signal::StopSignal;
use hashfall_output::{Recorder, RunFolder};
use hashfall_run::Plan;
use hashfall_scene::{Override, Prepared};
use std::path::{Path, PathBuf};

/// Runs a scene and leaves its frames in a folder.
pub fn simulate(args: &SimulateArgs, process: &Process) -> Verdict {
    let stop = StopSignal::install(process.console);
    stop.map_or_else(|verdict| verdict, |stop| simulate_until(args, process, &stop))
}

/// As [`simulate`], with the stop signal of the caller.
pub fn simulate_until(args: &SimulateArgs, process: &Process, stop: &StopSignal) -> Verdict {
    try_simulate(args, process, stop).unwrap_or_else(|verdict| verdict)
}

/// Runs a scene; an error that comes back as a verdict has been printed.
fn try_simulate(
    args: &SimulateArgs,
    process: &Process,
    stop: &StopSignal,
) -> Result<Verdict, Verdict> {
    let console = process.console;
    stop.stop_after(args.run.max_time, console)?;
    args.slurm.check(args.run.log).map_err(|why| {
        console.error(why);
        Verdict::WrongInput
    })?;
    if args.slurm.slurm && stdin_scene::is_stdin(&args.scene) {
        console.error("a job cannot read a scene from stdin; write it to a file");
        return Err(Verdict::WrongInput);
    }
    let scene = prepare(args, console)?;
    let plan = neighbor_choice::plan(&args.run, &scene, console);
    let folder = args.out.clone().unwrap_or_else(|| default_folder(&args.scene));
    if SweepFolder::is_one(&folder) {
        let folder = folder.display();
        console.error(format_args!("`{folder}` holds a sweep; pass another `--out`"));
        return Err(Verdict::WrongInput);
    }
    if args.slurm.slurm {
        // What the job would refuse is refused here; the folder may be made already.
        drop(open_folder(&folder, &scene, args.overwrite, console)?);
        return Ok(cluster_run(args, &folder).write(console));
    }
    if !args.run.allow_shortage {
        disk_preflight::check(&scene, &plan, &folder, u64::from(plan.frames.count) + 1, console)?;
    }
    stop.finish_files_first();
    let opened = open_folder(&folder, &scene, args.overwrite, console)?;
    let name = load::scene_stem(&args.scene).to_string_lossy();
    out_of_memory::watch(&folder);
    let recorder = start_records(opened, &name, &scene, &plan, process)?;
    let (name, quiet) = (&name, args.run.is_quiet());
    let run = Run { name, folder: &folder, scene: &scene, plan, resumed: None, quiet };
    Ok(run.execute(recorder, stop, process))
}

/// The scene with its overrides; prints errors and warnings.
fn prepare(args: &SimulateArgs, console: Console) -> Result<Prepared, Verdict> {
    let path_policy = PathPolicy::new(args.run.scene.allow_outside);
    let prepared = load::changes(&args.run.scene).and_then(|mut changes| {
        let prepare = |changes: &[Override]| {
            let _waiting = Waiting::start(console, args.run.is_quiet(), PREPARING);
            load::prepare(&args.scene, changes, path_policy)
        };
        neighbor_choice::prepare(&args.run, console, &mut changes, prepare)
    });
    let diagnostics = prepared.as_ref().map_or_else(Vec::as_slice, |scene| &scene.warnings);
    console.diagnostics(diagnostics);
    prepared.map_err(|_| Verdict::WrongInput)
}

/// The run as a job of a cluster.
fn cluster_run<'a>(args: &'a SimulateArgs, folder: &'a Path) -> ClusterRun<'a> {
    ClusterRun {
        folder,
        job: Job::Start(&args.scene),
        overwrite: args.overwrite,
        run: &args.run,
        slurm: &args.slurm,
    }
}

/// `out/` and the scene's name.
fn default_folder(scene: &Path) -> PathBuf {
    Path::new("out").join(load::scene_stem(scene))
}

/// Creates the folder of the run, or prints why it cannot be used.
fn open_folder(
    folder: &Path,
    scene: &Prepared,
    overwrite: bool,
    console: Console,
) -> Result<RunFolder, Verdict> {
    let meshes: Vec<&str> = scene.meshes.iter().map(|mesh| mesh.name.as_str()).collect();
    RunFolder::create(folder, &meshes, overwrite).map_err(|error| {
        match report_file_error(&error, console) {
            Verdict::DiskFull(code) => Verdict::DiskFull(code),
            _ => Verdict::WrongInput,
        }
    })
}

/// Writes the records before the first step.
fn start_records(
    folder: RunFolder,
    name: &str,
    scene: &Prepared,
    plan: &Plan,
    process: &Process,
) -> Result<Recorder, Verdict> {
    let meshes = meshes_of(scene);
    let info = run_info(name, scene, &meshes, plan, process);
    Recorder::start(folder, &plan.world, info)
        .map_err(|error| report_file_error(&error, process.console))
}
