//! `ffmpeg`, which receives images one by one and encodes an MP4.
//!
//! It may print a lot or end at any time: its stderr is read while images are sent, and its output
//! is removed unless the film is complete.

use crate::cli::system::stderr_tail::read_tail;
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::{self, JoinHandle};

/// Whether it accepts more images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Running,
    Ended,
}

/// A running `ffmpeg`; dropping this ends it and removes its unfinished film.
pub struct Ffmpeg {
    child: Child,
    pipe: Option<ChildStdin>,
    stderr_tail: Option<JoinHandle<Vec<u8>>>,
    unfinished: PathBuf,
}

impl Ffmpeg {
    /// Starts it to write a film with `rate` images per second \[1/s\]; `None` if it is not
    /// installed.
    ///
    /// # Errors
    /// If the system cannot start it.
    pub fn start(rate: f64, unfinished: PathBuf) -> io::Result<Option<Ffmpeg>> {
        remove(&unfinished);
        // A path may begin like an option, or like a protocol such as `http:`.
        let mut output = OsString::from("file:");
        output.push(&unfinished);
        let rate = rate.to_string();
        let filter = "pad=ceil(iw/2)*2:ceil(ih/2)*2";
        let mut command = Command::new("ffmpeg");
        command
            .args(["-y", "-loglevel", "error", "-f", "image2pipe", "-c:v", "png", "-framerate"])
            .args([&rate, "-i", "-", "-vf", filter, "-c:v", "libx264", "-pix_fmt", "yuv420p"])
            .args(["-crf", "18", "-preset", "veryfast", "-movflags", "+faststart", "-f", "mp4"])
            .arg(output)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut child = match command.spawn() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            child => child?,
        };
        let pipe = child.stdin.take();
        // Without a thread only its messages are lost.
        let listen = |stderr| thread::Builder::new().spawn(move || read_tail(stderr)).ok();
        let stderr_tail = child.stderr.take().and_then(listen);
        Ok(Some(Ffmpeg { child, pipe, stderr_tail, unfinished }))
    }

    /// Sends an image as PNG. If it has ended, its own message gives the reason.
    pub fn send(&mut self, picture: &[u8]) -> State {
        match self.pipe.as_mut().map(|pipe| pipe.write_all(picture)) {
            Some(Ok(())) => State::Running,
            _ => State::Ended,
        }
    }

    /// Waits for the film, and moves it to its final name.
    ///
    /// # Errors
    /// Its last message, if it failed.
    pub fn finish(mut self, film: &Path) -> io::Result<()> {
        drop(self.pipe.take());
        if self.child.wait()?.success() {
            return std::fs::rename(&self.unfinished, film);
        }
        let tail = self.stderr_tail.take().and_then(|tail| tail.join().ok()).unwrap_or_default();
        let text = String::from_utf8_lossy(&tail);
        let last = text.lines().map(str::trim).rfind(|line| !line.is_empty());
        Err(io::Error::other(last.unwrap_or("it printed no message").to_owned()))
    }
}

impl Drop for Ffmpeg {
    fn drop(&mut self) {
        // Both have no effect if it has ended.
        drop(self.child.kill());
        drop(self.child.wait());
        remove(&self.unfinished);
    }
}

/// Removes a file, if it is there.
fn remove(path: &Path) {
    drop(std::fs::remove_file(path));
}
