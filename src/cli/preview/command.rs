//! `sim preview`, and the previews at the end of a run.

use super::draw::range_of;
use super::job::Job;
use super::memory;
use super::subject::{PreviewError, Subject};
use super::target::Target;
use crate::cli::args::{Colour, Of, PreviewArgs};
use crate::cli::console::{Console, Verdict, report_file_error};
use crate::cli::files::foam_frames;
use crate::cli::files::run_argument;
use crate::cli::system::stop_signal::StopSignal;
use hashfall_preview::frame::Colouring;
use hashfall_preview::{Camera, ViewDirection};
use hashfall_scene as scene;
use hashfall_scene::PreviewOf;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Makes the previews of a run's scene at its end. Errors are only warnings; on a stop request the
/// complete previews remain. Returns whether all were made.
pub fn after_run(
    folder: &Path,
    settings: scene::Preview,
    quiet: bool,
    threads: usize,
    console: Console,
    stop: &AtomicBool,
) -> bool {
    let (width, height) = settings.size;
    let args = PreviewArgs {
        of: match settings.of {
            PreviewOf::Auto => Of::Auto,
            PreviewOf::Particles => Of::Particles,
            PreviewOf::Surface => Of::Surface,
        },
        size: [width, height],
        every: settings.every,
        view: settings.view.map(|(azimuth, elevation)| [azimuth, elevation]),
        quiet,
        ..PreviewArgs::with_defaults(folder)
    };
    match make(&args, threads, console, stop) {
        Ok(_) => !stop.load(Ordering::SeqCst),
        Err(error) => {
            console.warning(format_args!("no previews: {error}"));
            false
        }
    }
}

/// Makes the previews of a run.
pub fn preview(args: &PreviewArgs, threads: usize, console: Console) -> Verdict {
    if let Err(advice) = run_argument::check(&args.folder, "preview") {
        console.error(advice);
        return Verdict::WrongInput;
    }
    let stop = match StopSignal::install(console) {
        Ok(stop) => stop,
        Err(verdict) => return verdict,
    };
    stop.finish_files_first();
    let stopping = &stop.requests().stop;
    match make(args, threads, console, stopping) {
        Ok(_) if stopping.load(Ordering::SeqCst) => Verdict::Stopped(stop.exit_code()),
        Ok(verdict) => verdict,
        Err(PreviewError::Folder(error)) => report_file_error(&error, console),
        Err(PreviewError::Scene(faults)) => {
            console.diagnostics(&faults);
            Verdict::WrongInput
        }
        Err(error) => {
            console.error(error);
            Verdict::WrongInput
        }
    }
}

/// Makes the previews that the arguments ask for.
fn make(
    args: &PreviewArgs,
    threads: usize,
    console: Console,
    stop: &AtomicBool,
) -> Result<Verdict, PreviewError> {
    let of = match (args.of, args.colour) {
        (Of::Surface, Colour::Density) => {
            return Err(PreviewError::NoDensity);
        }
        (Of::Auto, Colour::Density) => Of::Particles,
        (of, _) => of,
    };
    let subject = Subject::open(&args.folder, of)?;
    let mut frames = subject.frames.clone();
    frames.retain(|&frame| {
        let is_in = frame >= args.from && args.to.is_none_or(|to| frame <= to);
        is_in && (frame - args.from).is_multiple_of(args.every)
    });
    if frames.is_empty() {
        let last = subject.frames.last().copied().unwrap_or_default();
        return Err(PreviewError::NoFrame { folder: args.folder.clone(), last });
    }
    let has_foam = |frame: u32| subject.has_foam(frame);
    if let Some(warning) = foam_frames::warning(&args.folder, &frames, has_foam) {
        console.warning(warning);
    }
    let target = Target::new(args, &frames, &subject.folder)?;
    let quantity = subject.quantity(args);
    let groups = memory::parallel_groups(&subject, &frames, args.size, threads);
    let range = args.range.map_or_else(
        || range_of(&subject, &groups, quantity, stop),
        |range| range.map(|value| value as f32),
    );
    let usual = subject.view;
    let view = args.view.map_or(usual, |[azimuth, elevation]| ViewDirection { azimuth, elevation });
    let camera = Camera::fit(&subject.domain, view, args.size, args.zoom);
    let (fluids, is_water) = (args.fluids(), subject.is_water(args));
    let colouring = Colouring { fluids, is_water, ..Colouring::new(quantity, range) };
    let job =
        Job { args, subject: &subject, target: &target, camera, view, colouring, console, stop };
    Ok(job.all(&groups)?)
}
