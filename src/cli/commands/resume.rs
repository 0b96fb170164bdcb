//! `sim resume`: goes on with a run that was stopped, as if it never had been.

use crate::cli::args::ResumeArgs;
use crate::cli::console::Console;
use crate::cli::console::RunExtent;
use crate::cli::console::Verdict;
use crate::cli::console::report_file_error;
use crate::cli::files::load;
use crate::cli::files::path_policy::PathPolicy;
use crate::cli::session::disk_preflight;
use crate::cli::session::neighbor_choice;
use crate::cli::session::{Process, Run, meshes_of, run_info};
use crate::cli::system::out_of_memory;
use crate::cli::system::stop_signal::StopSignal;
use hashfall_core::units;
use hashfall_output::{
    CheckpointSearch, ResumePoint, RunFolder, StoppedRun, checkpoint, is_of_formats, layout,
};
use hashfall_run::{Notes, Plan};
use hashfall_scene::{Override, Prepared};
use std::path::Path;

/// Files that are named at the most.
const MAX_TOLD_FILES: usize = 8;

/// Keys of a scene that leave the motion of the fluid as it is.
const NOT_OF_MOTION: [&str; 9] = [
    "frames",
    "neighbors",
    "search",
    "broad_phase",
    "checkpoints",
    "limits",
    "output",
    "surface",
    "preview",
];

/// Whether a change of a setting may change how the fluid moves.
fn changes_motion(change: &Override) -> bool {
    let first = change.key.split(['.', '[']).next().unwrap_or_default();
    !NOT_OF_MOTION.contains(&first)
}

/// Goes on with the run in a folder.
pub fn resume(args: &ResumeArgs, process: &Process) -> Verdict {
    let stop = StopSignal::install(process.console);
    stop.map_or_else(|verdict| verdict, |stop| resume_until(args, process, &stop))
}

/// As [`resume`], until it is asked to stop.
pub fn resume_until(args: &ResumeArgs, process: &Process, stop: &StopSignal) -> Verdict {
    try_resume(args, process, stop).unwrap_or_else(|verdict| verdict)
}

/// Goes on; an error has been told when it comes back as a verdict.
fn try_resume(args: &ResumeArgs, process: &Process, stop: &StopSignal) -> Result<Verdict, Verdict> {
    let console = process.console;
    let run = RunFolder::for_resume(&args.folder).and_then(StoppedRun::open);
    let run = run.map_err(|error| report_file_error(&error, console))?;
    let mut changes = load::changes(&args.run.scene).map_err(|faults| {
        console.diagnostics(&faults);
        Verdict::WrongInput
    })?;
    let scene = prepare(args, &mut changes, console)?;
    let mut plan = neighbor_choice::plan(&args.run, &scene, console);
    if let Some(frames) = run.finished_frames().filter(|&frames| plan.frames.count <= frames) {
        trim_checkpoints(&run, &plan);
        warn_of_flawed_frames((&run, &args.folder), &plan, frames, &changes, console);
        console.reached(|| RunExtent::from_stopped_run(&run));
        if !args.run.is_quiet() {
            console.talk(format_args!(
                "the run is finished, with all {frames} frames; `--frames` asks for more"
            ));
        }
        return Ok(Verdict::Done);
    }
    let found = find_checkpoint(&run, &plan, console)?;
    let (kept, resumed) = match found.checkpoint {
        Some((name, checkpoint)) => {
            let (past, mut resumed) = plan.take_up(checkpoint);
            if changes.iter().any(changes_motion) {
                // Other forces have another energy; gains are counted from here.
                resumed.notes.report.energy = None;
            }
            (Some(ResumePoint { past, checkpoint: Some(name) }), Some(resumed))
        }
        None => (None, None),
    };
    if let Some(resumed) = resumed.as_ref().filter(|resumed| resumed.frame > plan.frames.count) {
        console.error(format_args!(
            "the run has {} frames already: `--frames` cannot be less",
            resumed.frame
        ));
        return Err(Verdict::WrongInput);
    }
    if resumed.is_none() && !args.run.is_quiet() {
        console.talk("the run was stopped before its first checkpoint, and begins anew");
    }
    if let Some(resumed) = &resumed {
        warn_of_flawed_frames((&run, &args.folder), &plan, resumed.frame, &changes, console);
    }
    if !args.run.allow_shortage {
        let written = resumed.as_ref().map_or(0, |resumed| resumed.frame);
        let frames = u64::from(plan.frames.count - written);
        disk_preflight::check((&scene, &plan), &args.folder, frames, console)?;
    }
    stop.let_files_be_finished();
    let name = run.name().to_owned();
    let meshes = meshes_of(&scene);
    let info = run_info(&name, &scene, &meshes, &plan, process);
    let settings =
        changes.iter().map(|Override { key, value, .. }| format!("{key}={value}")).collect();
    out_of_memory::watch(&args.folder);
    let recorder = run
        .go_on(&plan.world, info, kept, settings)
        .map_err(|error| report_file_error(&error, console))?;
    let (folder, quiet) = (&args.folder, args.run.is_quiet());
    let run = Run { name: &name, folder, scene: &scene, plan, resumed, quiet };
    Ok(run.carry_out(recorder, stop, process))
}

/// The run's scene with these changes, and with that of `--nns`; faults and warnings are told.
fn prepare(
    args: &ResumeArgs,
    changes: &mut Vec<Override>,
    console: Console,
) -> Result<Prepared, Verdict> {
    let reach = PathPolicy::new(args.run.scene.allow_outside);
    let path = args.folder.join(layout::SCENE);
    let prepare = |changes: &[Override]| load::prepare_to_resume(&path, changes, reach);
    let prepared = neighbor_choice::prepare(&args.run, console, changes, prepare);
    console.diagnostics(prepared.as_ref().map_or_else(Vec::as_slice, |scene| &scene.warnings));
    prepared.map_err(|_| Verdict::WrongInput)
}

/// The newest checkpoint that can be used; those that cannot are told.
fn find_checkpoint(
    run: &StoppedRun,
    plan: &Plan,
    console: Console,
) -> Result<CheckpointSearch<Notes>, Verdict> {
    let found = run
        .last_checkpoint(|checkpoint| plan.suits(checkpoint))
        .map_err(|error| report_file_error(&error, console))?;
    for (name, why) in &found.refused {
        console.warning(format_args!("`{name}` is passed over: {why}"));
    }
    Ok(found)
}

/// Warns of files up to frame `last` that are missing or torn: the run goes on without them.
fn warn_of_flawed_frames(
    (run, folder): (&StoppedRun, &Path),
    plan: &Plan,
    last: u32,
    changes: &[Override],
    console: Console,
) {
    let change_formats = changes.iter().any(|change| is_of_formats(&change.key));
    let expected = (!change_formats).then(|| plan.frame_file_names(0));
    let Ok(flawed) = run.flawed_frames(last, expected.as_deref()) else { return };
    if flawed.is_empty() {
        return;
    }
    let told = flawed.iter().take(MAX_TOLD_FILES).map(|(name, flaw)| format!("`{name}` is {flaw}"));
    let mut told: Vec<String> = told.collect();
    if flawed.len() > told.len() {
        told.push(format!("and {} more", flawed.len() - told.len()));
    }
    let count = units::count(flawed.len() as u64, "file");
    let settings = if run.has_changed() { ", with the present settings" } else { "" };
    console.warning(format_args!(
        "{count} of earlier frames cannot be used: {}; resuming does not write them again: `sim \
         {}/{} --out OTHER` computes all frames anew{settings}",
        told.join(", "),
        folder.display(),
        layout::SCENE
    ));
}

/// Removes what earlier versions have left of the checkpoints of a run that stays as it is. Nothing
/// goes unless one of them is good.
fn trim_checkpoints(run: &StoppedRun, plan: &Plan) {
    if run.checkpoints().is_ok_and(|names| names.len() <= checkpoint::KEPT) {
        return;
    }
    let found = run.last_checkpoint(|checkpoint| plan.suits(checkpoint));
    if let Ok(CheckpointSearch { checkpoint: Some((kept, _)), .. }) = found {
        // The run is finished, so one that stays is no reason to fail.
        let _ = run.trim_checkpoints(&kept);
    }
}
