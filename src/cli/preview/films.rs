//! The films of a run's images: a GIF, and an MP4 if `ffmpeg` is installed.

use super::ffmpeg::{Ffmpeg, State};
use super::job::Job;
use crate::cli::console::{Fields, Verdict};
use hashfall_core::units;
use hashfall_output::files;
use hashfall_output::{FileError, layout};
use hashfall_preview::{Picture, film};
use std::collections::BTreeSet;
use std::io;

/// Bytes of a megabyte.
const MEGABYTE: f64 = 1e6;

/// The outcome of an MP4.
enum Mp4 {
    Written,
    /// `ffmpeg` is not installed.
    NoFfmpeg,
    Interrupted,
}

/// Makes films of images on disk.
pub struct Films<'a> {
    pub job: &'a Job<'a>,
    /// The frames with images.
    pub frames: &'a [u32],
}

impl Films<'_> {
    /// Makes the requested films, and adds their lines to the report.
    pub fn all(
        &self,
        report: &mut Fields,
        current: &mut BTreeSet<String>,
        verdict: &mut Verdict,
    ) -> Result<(), FileError> {
        let args = self.job.args;
        if !args.no_gif {
            self.gif(report, current, verdict)?;
        }
        if !args.no_mp4 {
            match self.mp4() {
                Ok(Mp4::Written) => {
                    current.insert(layout::PREVIEW_MP4.to_owned());
                    let path = self.job.target.path(layout::PREVIEW_MP4);
                    report.add("mp4", path.display());
                }
                Ok(Mp4::NoFfmpeg | Mp4::Interrupted) => {}
                Err(why) => {
                    self.job.console.warning(format_args!("no MP4: ffmpeg failed: {why}"));
                }
            }
        }
        Ok(())
    }

    /// Frame numbers per second of the film \[1/s\]; by default those of the run, for real time.
    fn rate(&self) -> f64 {
        let args = self.job.args;
        args.fps.map_or(self.job.subject.rate, |fps| fps * f64::from(args.every))
    }

    fn gif(
        &self,
        report: &mut Fields,
        current: &mut BTreeSet<String>,
        verdict: &mut Verdict,
    ) -> Result<(), FileError> {
        let target = self.job.target;
        let read = |k: usize| {
            if self.job.is_stopped() {
                return None;
            }
            let bytes = files::read_regular(&target.path(&layout::preview(self.frames[k]))).ok()?;
            Picture::from_png(&bytes).ok()
        };
        let limit = (self.job.args.gif_limit * MEGABYTE) as usize;
        let film = film::gif(self.frames, self.rate(), limit, &read);
        if self.job.is_stopped() {
            return Ok(());
        }
        let Some(film) = film else {
            let limit = self.job.args.gif_limit;
            self.job.console.warning(format_args!(
                "no GIF: the smallest possible one exceeds {limit} MB; raise --gif-limit"
            ));
            *verdict = verdict.or_worse(Verdict::Failed);
            return Ok(());
        };
        target.write(layout::PREVIEW_GIF, &film.bytes)?;
        current.insert(layout::PREVIEW_GIF.to_owned());
        let [width, height] = film.size;
        let path = target.path(layout::PREVIEW_GIF);
        let frames = units::count(film.frames as u64, "frame");
        let bytes = units::bytes(film.bytes.len() as u64);
        let film = format_args!("{}, {frames}, {width} x {height}, {bytes}", path.display());
        report.add("gif", film);
        Ok(())
    }

    /// Makes a film with `ffmpeg`.
    fn mp4(&self) -> io::Result<Mp4> {
        let target = self.job.target;
        let step = film::step(self.frames);
        let rate = self.rate() / f64::from(step);
        let unfinished = target.path(layout::PREVIEW_UNFINISHED);
        let Some(mut ffmpeg) = Ffmpeg::start(rate, unfinished)? else {
            return Ok(Mp4::NoFfmpeg);
        };
        'frames: for (k, &frame) in self.frames.iter().enumerate() {
            let picture = files::read_regular(&target.path(&layout::preview(frame)))?;
            // Images have a constant rate: this one also replaces the missing ones.
            let next = self.frames.get(k + 1).copied().unwrap_or(frame.saturating_add(step));
            for _ in 0..((next - frame) / step).max(1) {
                if self.job.is_stopped() {
                    return Ok(Mp4::Interrupted);
                }
                if ffmpeg.send(&picture) == State::Ended {
                    break 'frames;
                }
            }
        }
        match ffmpeg.finish(&target.path(layout::PREVIEW_MP4)) {
            Ok(()) => Ok(Mp4::Written),
            // A terminal sends its signal to `ffmpeg`, too.
            Err(_) if self.job.is_stopped() => Ok(Mp4::Interrupted),
            Err(why) => Err(why),
        }
    }
}
