//! `sim resume`: resumes a stopped run; the result is the same as without the stop.

use crate::cli::args::ResumeArgs;
use crate::cli::commands::foam;
use crate::cli::console::Console;
use crate::cli::console::RunExtent;
use crate::cli::console::Verdict;
use crate::cli::console::{report_file_error, shell_path};
use crate::cli::files::load;
use crate::cli::files::path_policy::PathPolicy;
use crate::cli::files::run_argument;
use crate::cli::progress::{PREPARING, Waiting};
use crate::cli::session::disk_preflight;
use crate::cli::session::neighbor_choice;
use crate::cli::session::{ClusterRun, Job, Process, Run, meshes_of, run_info};
use crate::cli::system::out_of_memory;
use crate::cli::system::stop_signal::StopSignal;
use hashfall_core::units;
use hashfall_output::{
    Checkpoint, CheckpointError, CheckpointSearch, ResumePoint, RunFolder, StoppedRun,
    changes_formats, changes_particles_every, checkpoint, layout,
};
use hashfall_run::{Notes, Plan};
use hashfall_scene::{Override, Prepared};
use std::path::Path;

/// Upper bound of the files that a warning lists.
const MAX_LISTED_FILES: usize = 8;

/// Resumes the run in a folder.
pub fn resume(args: &ResumeArgs, process: &Process) -> Verdict {
    let stop = StopSignal::install(process.console);
    stop.map_or_else(|verdict| verdict, |stop| resume_until(args, process, &stop))
}

/// As [`resume`], with the stop signal of the caller.
pub fn resume_until(args: &ResumeArgs, process: &Process, stop: &StopSignal) -> Verdict {
    try_resume(args, process, stop).unwrap_or_else(|verdict| verdict)
}

/// Resumes; an error that comes back as a verdict has been printed.
fn try_resume(args: &ResumeArgs, process: &Process, stop: &StopSignal) -> Result<Verdict, Verdict> {
    let console = process.console;
    stop.stop_after(args.run.max_time, console)?;
    args.slurm.check(args.run.log).map_err(|why| {
        console.error(why);
        Verdict::WrongInput
    })?;
    run_argument::check(&args.folder, "resume").map_err(|advice| {
        console.error(advice);
        Verdict::WrongInput
    })?;
    let run = RunFolder::for_resume(&args.folder).and_then(StoppedRun::open);
    let run = run.map_err(|error| report_file_error(&error, console))?;
    if run.has_callbacks() {
        console.error(format_args!(
            "functions of a Python program act on this run, and it resumes only with them: \
             `hashfall.resume({:?}, on_step=…)`",
            args.folder.display().to_string()
        ));
        return Err(Verdict::WrongInput);
    }
    let mut changes = load::changes(&args.run.scene).map_err(|faults| {
        console.diagnostics(&faults);
        Verdict::WrongInput
    })?;
    let scene = prepare(args, &mut changes, console)?;
    if args.slurm.slurm {
        let (folder, run, slurm) = (&args.folder, &args.run, &args.slurm);
        let job = Job::Resume;
        return Ok(ClusterRun { folder, job, overwrite: false, run, slurm }.write(console));
    }
    let mut plan = neighbor_choice::plan(&args.run, &scene, console);
    if let Some(frames) = run.finished_frames().filter(|&frames| plan.frames.count <= frames) {
        refuse_lost_changes(args, &changes, &scene, frames).map_err(|why| {
            console.error(why);
            Verdict::WrongInput
        })?;
        trim_checkpoints(&run, &plan);
        warn_of_flawed_frames(&run, &args.folder, &plan, frames, &changes, console);
        console.set_extent(|| RunExtent::from_stopped_run(&run));
        if !args.run.is_quiet() {
            console.message(format_args!(
                "the run is finished with all {frames} frames; use `--frames` to extend it"
            ));
        }
        drop(run);
        return finish_foam(args, &scene, stop, console);
    }
    let found = find_checkpoint(&run, &plan, console)?;
    let (from, resumed) = match found.checkpoint {
        Some((name, checkpoint)) => {
            let (history, mut resumed) = plan.restore(checkpoint);
            if changes.iter().any(Override::changes_motion) {
                // Other forces have another energy: gains are measured from here.
                resumed.notes.report.energy = None;
            }
            (Some(ResumePoint { history, checkpoint: Some(name) }), Some(resumed))
        }
        None => (None, None),
    };
    if let Some(resumed) = resumed.as_ref().filter(|resumed| resumed.frame > plan.frames.count) {
        console.error(format_args!(
            "the run has {} frames already; `--frames` cannot be less",
            resumed.frame
        ));
        return Err(Verdict::WrongInput);
    }
    if resumed.is_none() && !args.run.is_quiet() {
        console.message("the run was stopped before its first checkpoint and starts again");
    }
    if let Some(resumed) = &resumed {
        warn_of_flawed_frames(&run, &args.folder, &plan, resumed.frame, &changes, console);
    }
    if !args.run.allow_shortage {
        let written = resumed.as_ref().map_or(0, |resumed| resumed.frame);
        let frames = u64::from(plan.frames.count - written);
        disk_preflight::check(&scene, &plan, &args.folder, frames, console)?;
    }
    stop.finish_files_first();
    let name = run.name().to_owned();
    let meshes = meshes_of(&scene);
    let info = run_info(&name, &scene, &meshes, &plan, process);
    let settings =
        changes.iter().map(|Override { key, value, .. }| format!("{key}={value}")).collect();
    out_of_memory::watch(&args.folder);
    let recorder = run
        .resume(&plan.world, info, from, settings)
        .map_err(|error| report_file_error(&error, console))?;
    let (folder, quiet) = (&args.folder, args.run.is_quiet());
    let run = Run { name: &name, folder, scene: &scene, plan, resumed, quiet };
    Ok(run.execute(recorder, stop, process))
}

/// Refuses changes of a scene that no frame of its finished run would show.
fn refuse_lost_changes(
    args: &ResumeArgs,
    changes: &[Override],
    scene: &Prepared,
    frames: u32,
) -> Result<(), String> {
    // Foam may still be computed, and results do not depend on how neighbours are found.
    let is_lost = |key: &&str| {
        let first = key.split(['.', '[']).next();
        !first.is_some_and(|first| ["frames", "foam", "neighbors"].contains(&first))
    };
    let lost = changes.iter().map(|change| change.key.as_str()).filter(is_lost);
    let lost: Vec<String> = lost.map(|key| format!("`{key}`")).collect();
    let path = args.folder.join(layout::SCENE);
    let policy = PathPolicy::new(args.run.scene.allow_outside);
    let is_as_before =
        || load::prepare(&path, &[], policy).is_ok_and(|it| it.resolved == scene.resolved);
    if lost.is_empty() || is_as_before() {
        return Ok(());
    }
    let (keys, frames) = (lost.join(", "), units::count(u64::from(frames), "frame"));
    Err(format!(
        "the run is finished with all {frames}, so a change of {keys} has no effect; use \
         `--frames` to extend it with that, or run the scene anew"
    ))
}

/// Finishes the foam of a finished run, where a stop came in between.
fn finish_foam(
    args: &ResumeArgs,
    scene: &Prepared,
    stop: &StopSignal,
    console: Console,
) -> Result<Verdict, Verdict> {
    let Some(settings) = &scene.foam else { return Ok(Verdict::Done) };
    let (quiet, requests) = (args.run.is_quiet(), &stop.requests().stop);
    stop.finish_files_first();
    match foam::after_run(&args.folder, scene, settings, quiet, console, requests)? {
        true => Ok(Verdict::Done),
        false => Ok(Verdict::Stopped(stop.exit_code())),
    }
}

/// The run's scene with these changes and that of `--nns`; prints errors and warnings.
fn prepare(
    args: &ResumeArgs,
    changes: &mut Vec<Override>,
    console: Console,
) -> Result<Prepared, Verdict> {
    let path_policy = PathPolicy::new(args.run.scene.allow_outside);
    let path = args.folder.join(layout::SCENE);
    let prepare = |changes: &[Override]| {
        let _waiting = Waiting::start(console, args.run.is_quiet(), PREPARING);
        load::prepare_to_resume(&path, changes, path_policy)
    };
    let prepared = neighbor_choice::prepare(&args.run, console, changes, prepare);
    console.diagnostics(prepared.as_ref().map_or_else(Vec::as_slice, |scene| &scene.warnings));
    prepared.map_err(|_| Verdict::WrongInput)
}

/// The newest usable checkpoint; warns about unusable ones.
fn find_checkpoint(
    run: &StoppedRun,
    plan: &Plan,
    console: Console,
) -> Result<CheckpointSearch<Notes>, Verdict> {
    let found = run
        .last_checkpoint(&|checkpoint| fits(plan, checkpoint))
        .map_err(|error| report_file_error(&error, console))?;
    for (name, why) in &found.unusable {
        console.warning(format_args!("ignoring `{name}`: {why}"));
    }
    Ok(found)
}

/// Warns about files up to frame `last` that are missing or truncated; the run resumes without
/// them.
fn warn_of_flawed_frames(
    run: &StoppedRun,
    folder: &Path,
    plan: &Plan,
    last: u32,
    changes: &[Override],
    console: Console,
) {
    let change_formats = changes.iter().any(|change| changes_formats(&change.key));
    let change_every = changes.iter().any(|change| changes_particles_every(&change.key));
    let expected = (!change_formats).then(|| plan.frame_file_names(0));
    let every = (!change_every).then_some(plan.output.particles_every);
    let Ok(flawed) = run.flawed_frames(last, expected.as_deref(), every) else { return };
    if flawed.is_empty() {
        return;
    }
    let listed =
        flawed.iter().take(MAX_LISTED_FILES).map(|(name, flaw)| format!("`{name}` is {flaw}"));
    let mut listed: Vec<String> = listed.collect();
    if flawed.len() > listed.len() {
        listed.push(format!("and {} more", flawed.len() - listed.len()));
    }
    let count = units::count(flawed.len() as u64, "file");
    let settings = if run.has_changed() { ", with the present settings" } else { "" };
    console.warning(format_args!(
        "{count} of earlier frames cannot be used: {}; resuming does not restore them; `sim {} \
         --out OTHER` computes all frames again{settings}",
        listed.join(", "),
        shell_path(&folder.join(layout::SCENE))
    ));
}

/// Removes superfluous checkpoints of a finished run, which earlier versions have left; only if one
/// of them is valid.
fn trim_checkpoints(run: &StoppedRun, plan: &Plan) {
    if run.checkpoints().is_ok_and(|names| names.len() <= checkpoint::RETAINED) {
        return;
    }
    let found = run.last_checkpoint(&|checkpoint| fits(plan, checkpoint));
    if let Ok(CheckpointSearch { checkpoint: Some((newest, _)), .. }) = found {
        // The run is finished, so a remaining one is no reason to fail.
        let _ = run.trim_checkpoints(&newest);
    }
}

/// Checks that a checkpoint fits the plan.
fn fits(plan: &Plan, checkpoint: &Checkpoint<Notes>) -> Result<(), CheckpointError> {
    plan.check_checkpoint(checkpoint).map_err(CheckpointError::unsuitable)
}
