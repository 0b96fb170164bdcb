//! `ffmpeg`, to which pictures are handed one by one, and which writes an MP4 of them.
//!
//! It is another program that may say much or end at any time: what it says is read while it is
//! fed, and what it has written goes unless the film becomes whole.

use crate::cli::system::stderr_tail::read_tail;
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::{self, JoinHandle};

/// Whether it takes more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Listening,
    Ended,
}

/// `ffmpeg` at work; when this is dropped, it ends, and its unfinished film goes.
pub struct Ffmpeg {
    child: Child,
    pipe: Option<ChildStdin>,
    said: Option<JoinHandle<Vec<u8>>>,
    unfinished: PathBuf,
}

impl Ffmpeg {
    /// Starts it, to write a film of so many pictures a second; none if there is no such program.
    ///
    /// # Errors
    /// If the system refuses.
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
        // Without a thread its words are lost, and no film.
        let listen = |stderr| thread::Builder::new().spawn(move || read_tail(stderr)).ok();
        let said = child.stderr.take().and_then(listen);
        Ok(Some(Ffmpeg { child, pipe, said, unfinished }))
    }

    /// Hands over a picture as PNG. That it has ended is no error: its own words tell why.
    pub fn take(&mut self, picture: &[u8]) -> State {
        match self.pipe.as_mut().map(|pipe| pipe.write_all(picture)) {
            Some(Ok(())) => State::Listening,
            _ => State::Ended,
        }
    }

    /// Waits for the film, which gets its name.
    ///
    /// # Errors
    /// What it said last, if it failed.
    pub fn finish(mut self, film: &Path) -> io::Result<()> {
        drop(self.pipe.take());
        if self.child.wait()?.success() {
            return std::fs::rename(&self.unfinished, film);
        }
        let said = self.said.take().and_then(|said| said.join().ok()).unwrap_or_default();
        let words = String::from_utf8_lossy(&said);
        let last = words.lines().map(str::trim).rfind(|line| !line.is_empty());
        Err(io::Error::other(last.unwrap_or("it said nothing").to_owned()))
    }
}

impl Drop for Ffmpeg {
    fn drop(&mut self) {
        // Of one that has ended both are nothing.
        drop(self.child.kill());
        drop(self.child.wait());
        remove(&self.unfinished);
    }
}

/// Removes a file, if it is there.
fn remove(path: &Path) {
    drop(std::fs::remove_file(path));
}
