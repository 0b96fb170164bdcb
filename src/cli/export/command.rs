//! The command: frames are read by one thread while another encodes and writes the one before.

use super::error::ExportError;
use super::folder::ExportFolder;
use super::source::Source;
use crate::cli::args::ExportArgs;
use crate::cli::console::{Console, Fields, Verdict, shell_path};
use crate::cli::files::run_argument;
use crate::cli::progress::FileBar;
use crate::cli::system::stop_signal::StopSignal;
use hashfall_core::units;
use hashfall_export::{FORMATS, Format, Frame, Options, Writer};
use hashfall_output::layout;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;

/// A format with what writes it, and where.
struct Job {
    format: &'static dyn Format,
    writer: Box<dyn Writer>,
    folder: ExportFolder,
}

/// Exports a run.
pub fn export(args: &ExportArgs, console: Console) -> Verdict {
    if let Err(advice) = run_argument::check(&args.folder, "export") {
        console.error(advice);
        return Verdict::WrongInput;
    }
    let stop = match StopSignal::install(console) {
        Ok(stop) => stop,
        Err(verdict) => return verdict,
    };
    stop.finish_files_first();
    let stopping = &stop.requests().stop;
    match try_export(args, console, stopping) {
        Ok(_) if stopping.load(Ordering::SeqCst) => Verdict::Stopped(stop.exit_code()),
        Ok(verdict) => verdict,
        Err(error) => error.report(console),
    }
}

fn try_export(
    args: &ExportArgs,
    console: Console,
    stop: &AtomicBool,
) -> Result<Verdict, ExportError> {
    let formats: Vec<&'static dyn Format> = FORMATS
        .into_iter()
        .filter(|format| args.format.iter().any(|name| name == format.name()))
        .collect();
    check_options(args, &formats)?;
    let source = Source::open(args)?;
    if let Some(warning) = source.foam_warning(&args.folder, &formats) {
        console.warning(warning);
    }
    let options = options(args, &source, &formats)?;
    for format in &formats {
        check_parts(args, &source, *format)?;
    }
    let mut jobs = Vec::new();
    for format in formats {
        let folder = match &args.out {
            Some(out) if args.format.len() == 1 => out.clone(),
            Some(out) => out.join(format.name()),
            None => args.folder.join(layout::EXPORTS).join(format.name()),
        };
        let folder = ExportFolder::open(&folder, args.overwrite, args.out.is_none())?;
        jobs.push(Job { format, writer: format.writer(&source.run, &options), folder });
    }
    let count = write_frames(args, &source, &mut jobs, console, stop)?;
    if count == 0 {
        console.warning("interrupted before the first frame; nothing is exported");
        return Ok(Verdict::Done);
    }
    let report = finish(jobs, &source, count)?;
    if stop.load(Ordering::SeqCst) {
        let frames = units::count(count as u64, "frame");
        console.warning(format_args!("interrupted; {frames} are exported, in complete files"));
    }
    Ok(if args.quiet { Verdict::Done } else { console.output("report", report) })
}

/// The settings of writers.
fn options(
    args: &ExportArgs,
    source: &Source,
    formats: &[&'static dyn Format],
) -> Result<Options, ExportError> {
    let voxel = args.voxel.unwrap_or(source.run.radius);
    if voxel == 0.0 && formats.iter().any(|format| format.has_voxels()) {
        let why = "the run has no fluid, whose particles' radius voxels would have; pass --voxel";
        return Err(ExportError::Options(why.into()));
    }
    Ok(Options { level: args.level, quantise: args.quantize, voxel, half: args.half })
}

/// Checks that the formats take the options.
fn check_options(args: &ExportArgs, formats: &[&'static dyn Format]) -> Result<(), ExportError> {
    let is_reversed = |corners: &Vec<[f32; 3]>| (0..3).any(|k| corners[0][k] > corners[1][k]);
    if args.region.as_ref().is_some_and(is_reversed) {
        return Err(ExportError::Options("the first corner of --box exceeds the second".into()));
    }
    let has_voxels = formats.iter().any(|format| format.has_voxels());
    if !has_voxels && (args.half || args.voxel.is_some()) {
        return Err(ExportError::Options("--voxel and --half are of vdb".into()));
    }
    let Some(format) = formats.iter().find(|format| !format.quantises()) else { return Ok(()) };
    if args.quantize.is_some() {
        let able = FORMATS.iter().filter(|format| format.quantises()).map(|format| format.name());
        let able: Vec<&str> = able.collect();
        return Err(ExportError::Options(format!(
            "`{}` carries no quantised numbers; leave out --quantize, or use {}",
            format.name(),
            able.join(", ")
        )));
    }
    Ok(())
}

/// Checks that the run has something that a format is made of.
fn check_parts(
    args: &ExportArgs,
    source: &Source,
    format: &'static dyn Format,
) -> Result<(), ExportError> {
    if source.has_one_of(format.parts()) {
        return Ok(());
    }
    let is_meant = |name: &&str| args.only.is_empty() || args.only.iter().any(|it| it == name);
    let names: Vec<&str> = format.parts().iter().map(|part| part.name()).filter(is_meant).collect();
    if names.is_empty() {
        let parts: Vec<&str> = format.parts().iter().map(|part| part.name()).collect();
        let parts = parts.join(", ");
        let name = format.name();
        return Err(ExportError::Options(format!("`{name}` takes no such part, but {parts}")));
    }
    let what = names.join(", ");
    Err(ExportError::NoParts { folder: args.folder.clone(), what, format: format.name() })
}

/// Writes all frames, or those before a stop; returns how many.
fn write_frames(
    args: &ExportArgs,
    source: &Source,
    jobs: &mut [Job],
    console: Console,
    stop: &AtomicBool,
) -> Result<usize, ExportError> {
    let frames = &source.run.frames;
    if !args.quiet {
        let count = units::count(frames.len() as u64, "frame");
        let names: Vec<&str> = jobs.iter().map(|job| job.format.name()).collect();
        console.message(format_args!("exporting {count} as {}", names.join(", ")));
    }
    let bar = FileBar::or_lines(console, args.quiet, frames.len(), "frames");
    // Without a place to wait in: one frame is read while one is written.
    let (sender, receiver) = mpsc::sync_channel::<Result<Frame, ExportError>>(0);
    thread::scope(|scope| {
        scope.spawn(move || {
            for &frame in frames.iter().take_while(|_| !stop.load(Ordering::Relaxed)) {
                let read = source.frame(frame);
                let is_last = read.is_err();
                if sender.send(read).is_err() || is_last {
                    return;
                }
            }
        });
        let mut count = 0;
        // Taken by value, so that the reader ends when this does.
        for frame in receiver {
            let frame = frame?;
            for job in jobs.iter_mut() {
                let added = job.writer.add(&frame, &mut job.folder);
                added.map_err(ExportError::from_writer)?;
            }
            count += 1;
            bar.advance();
            if stop.load(Ordering::Relaxed) {
                break;
            }
        }
        Ok(count)
    })
}

/// Ends all files; returns the report.
fn finish(jobs: Vec<Job>, source: &Source, frames: usize) -> Result<String, ExportError> {
    let mut report = Fields::under(source.folder.path().display(), 10);
    report.add("frames", units::count(frames as u64, "frame"));
    let mut folders = Vec::new();
    for Job { format, writer, mut folder } in jobs {
        writer.finish(&mut folder).map_err(ExportError::from_writer)?;
        folders.push((format, folder));
    }
    for (format, mut folder) in folders {
        folder.keep();
        let files = units::count(folder.written.len() as u64, "file");
        let bytes = units::bytes(folder.bytes);
        let path = shell_path(folder.path());
        report.add(format.name(), format_args!("{files}, {bytes}, in {path}"));
    }
    Ok(report.into_text())
}
