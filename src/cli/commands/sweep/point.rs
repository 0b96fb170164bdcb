//! One point of a sweep, run in this process: the way that all points run, on this machine, on a
//! cluster, or started by any other program.

use crate::cli::args::{ResumeArgs, SimulateArgs, SlurmArgs, SweepArgs};
use crate::cli::commands::resume;
use crate::cli::commands::simulate;
use crate::cli::console::Verdict;
use crate::cli::console::report_file_error;
use crate::cli::files::load;
use crate::cli::files::path_policy::PathPolicy;
use crate::cli::files::sweep_folder::SweepFolder;
use crate::cli::session::Process;
use crate::cli::system::stop_signal::StopSignal;
use hashfall_sweep::{PointOutcome, PointStatus};
use std::path::PathBuf;

/// Runs or resumes a point, and records its outcome.
pub fn run(folder: &SweepFolder, point: usize, args: &SweepArgs, process: &Process) -> Verdict {
    let console = process.console;
    // Locked until its outcome is recorded.
    let _lock = match folder.lock(point) {
        Ok(Some(lock)) => lock,
        Ok(None) => {
            console.error(format_args!("another process is running point {point}"));
            return Verdict::Stopped(BUSY);
        }
        Err(error) => return unfinished(report_file_error(&error, console), args),
    };
    match folder.status(point) {
        PointStatus::Ended(PointOutcome::Finished) => {
            if !args.is_quiet() {
                console.message(format_args!("point {point} is finished"));
            }
            return Verdict::Done;
        }
        PointStatus::Ended(PointOutcome::Failed { reason }) if !args.retry_failed => {
            console.error(reason);
            return Verdict::Failed;
        }
        PointStatus::Ended(PointOutcome::Failed { .. })
        | PointStatus::Unfinished
        | PointStatus::Waiting => {}
    }
    let verdict = folder.clear_outcome(point).map_err(|why| {
        console.error(why);
        Verdict::Failed
    });
    let verdict = verdict.and_then(|()| start_or_resume(folder, point, args, process));
    let outcome = match verdict {
        Ok(Verdict::Done) => PointOutcome::Finished,
        Ok(Verdict::Stopped(code)) => return Verdict::Stopped(code),
        // A full disk is no failure of this point.
        Ok(Verdict::DiskFull(_)) => return unfinished(Verdict::DiskFull(1), args),
        Ok(Verdict::Failed | Verdict::WrongInput) | Err(_) => {
            let reason =
                console.first_error().unwrap_or("it failed without an error message").to_owned();
            PointOutcome::Failed { reason }
        }
    };
    if let Err(error) = folder.record_outcome(point, &outcome) {
        return unfinished(report_file_error(&error, console), args);
    }
    if outcome == PointOutcome::Finished { Verdict::Done } else { Verdict::Failed }
}

/// The exit code of a point that another process runs: `EX_TEMPFAIL` of sysexits.h.
pub const BUSY: u8 = 75;
/// The exit code by which a point tells the parent that the disk is full: `EX_IOERR`.
pub const DISK_FULL: u8 = 74;

/// The verdict of an unfinished point, for the process that started it.
fn unfinished(verdict: Verdict, args: &SweepArgs) -> Verdict {
    match verdict {
        Verdict::DiskFull(_) if args.until_stdin_ends => Verdict::DiskFull(DISK_FULL),
        Verdict::DiskFull(_) => Verdict::DiskFull(Verdict::Failed.code()),
        _ => Verdict::Failed,
    }
}

/// Runs a point from its start or from its last checkpoint.
fn start_or_resume(
    folder: &SweepFolder,
    point: usize,
    args: &SweepArgs,
    process: &Process,
) -> Result<Verdict, Verdict> {
    let console = process.console;
    let stop = StopSignal::install(console)?;
    if args.until_stdin_ends {
        stop.stop_at_end_of_stdin().map_err(|error| {
            console.error(format_args!("cannot start a thread: {error}"));
            Verdict::Failed
        })?;
    }
    let record = &folder.manifest().record;
    let (path, scene) = (folder.point(point), PathBuf::from(&record.scene));
    let overrides = folder.manifest().overrides(point).map_err(|why| {
        console.error(why);
        Verdict::Failed
    })?;
    if let Some(before) = folder.scene_of_run(point) {
        // A run with other settings does not belong to this point.
        let prepared = load::prepare(&scene, &overrides, PathPolicy::new(record.allow_outside));
        if prepared.is_ok_and(|scene| scene.resolved == before) {
            let run = args.run_args(Vec::new(), record.allow_outside);
            return Ok(resume::resume_until(
                &ResumeArgs { folder: path, run, slurm: SlurmArgs::default() },
                process,
                &stop,
            ));
        }
    }
    let settings = overrides.iter().map(|set| format!("{}={}", set.key, set.value)).collect();
    let run = args.run_args(settings, record.allow_outside);
    let args =
        SimulateArgs { scene, out: Some(path), run, overwrite: true, slurm: SlurmArgs::default() };
    Ok(simulate::simulate_until(&args, process, &stop))
}
