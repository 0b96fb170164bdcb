//! The films of a run's pictures: a GIF, and an MP4 where `ffmpeg` is found.

use super::Shoot;
use crate::cli::units;
use crate::cli::verdict::Verdict;
use crate::output::files::Write;
use crate::output::{FileError, layout};
use crate::preview::{Picture, film};
use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

/// Bytes of a megabyte.
const MEGABYTE: f64 = 1e6;

/// What makes films of pictures that are on disk.
pub struct Films<'a> {
    pub shoot: &'a Shoot<'a>,
    /// The frames that have pictures.
    pub frames: &'a [u32],
}

impl Films<'_> {
    /// Makes the films that are wanted, and tells of them.
    pub fn all(
        &self,
        kept: &mut BTreeSet<String>,
        verdict: &mut Verdict,
    ) -> Result<String, FileError> {
        let args = self.shoot.args;
        let mut told = String::new();
        if !args.no_gif {
            told += &self.gif(kept, verdict)?;
        }
        if !args.no_mp4 {
            match self.mp4() {
                Ok(true) => {
                    kept.insert(layout::PREVIEW_MP4.to_owned());
                    let path = self.shoot.subject.folder.path().join(layout::PREVIEW_MP4);
                    told += &format!("  mp4       {}\n", path.display());
                }
                // Nobody has asked for it.
                Ok(false) => {}
                Err(why) => {
                    self.shoot
                        .console
                        .warning(format_args!("there is no MP4: ffmpeg failed: {why}"));
                }
            }
        }
        Ok(told)
    }

    /// Pictures of a second: as many as the run has, so that it plays in real time.
    fn rate(&self) -> f64 {
        let args = self.shoot.args;
        args.fps.unwrap_or(self.shoot.subject.rate / f64::from(args.every))
    }

    fn gif(&self, kept: &mut BTreeSet<String>, verdict: &mut Verdict) -> Result<String, FileError> {
        let folder = &self.shoot.subject.folder;
        let read = |k: usize| {
            let bytes = folder.read(&layout::preview(self.frames[k])).ok()?;
            Picture::from_png(&bytes).ok()
        };
        let limit = (self.shoot.args.gif_limit * MEGABYTE) as usize;
        let Some(film) = film::gif(self.frames.len(), self.rate(), limit, &read) else {
            let limit = self.shoot.args.gif_limit;
            self.shoot.console.warning(format_args!(
                "there is no GIF: even the smallest is above {limit} MB; raise --gif-limit"
            ));
            *verdict = verdict.or_worse(Verdict::Failed);
            return Ok(String::new());
        };
        folder.write(layout::PREVIEW_GIF, &film.bytes, Write::Replace)?;
        kept.insert(layout::PREVIEW_GIF.to_owned());
        let [width, height] = film.size;
        let path = folder.path().join(layout::PREVIEW_GIF);
        Ok(format!(
            "  gif       {}, {}, {width} x {height}, {}\n",
            path.display(),
            units::count(film.frames as u64, "frame"),
            units::bytes(film.bytes.len() as u64)
        ))
    }

    /// Has `ffmpeg` make a film; whether there is that program.
    fn mp4(&self) -> io::Result<bool> {
        let folder = &self.shoot.subject.folder;
        let unfinished = folder.path().join(layout::PREVIEW_UNFINISHED);
        let rate = self.rate().to_string();
        let filter = "pad=ceil(iw/2)*2:ceil(ih/2)*2";
        let mut command = Command::new("ffmpeg");
        command
            .args(["-y", "-loglevel", "error", "-f", "image2pipe", "-c:v", "png", "-framerate"])
            .args([&rate, "-i", "-", "-vf", filter, "-c:v", "libx264", "-pix_fmt", "yuv420p"])
            .args(["-crf", "18", "-preset", "veryfast", "-movflags", "+faststart", "-f", "mp4"])
            .arg(&unfinished)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut child = match command.spawn() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            child => child?,
        };
        let mut pipe = child.stdin.take();
        for &frame in self.frames {
            let picture = folder.read(&layout::preview(frame)).map_err(io::Error::other)?;
            // If it has ended, its own words tell why.
            if pipe.as_mut().is_none_or(|pipe| pipe.write_all(&picture).is_err()) {
                break;
            }
        }
        drop(pipe);
        let ended = child.wait_with_output()?;
        if ended.status.success() {
            std::fs::rename(&unfinished, folder.path().join(layout::PREVIEW_MP4))?;
            return Ok(true);
        }
        remove(&unfinished);
        let words = String::from_utf8_lossy(&ended.stderr);
        let last = words.lines().last().unwrap_or("it said nothing").to_owned();
        Err(io::Error::other(last))
    }
}

/// Removes a file, if it is there.
fn remove(path: &Path) {
    drop(std::fs::remove_file(path));
}
