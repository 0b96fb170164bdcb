//! What the program does where nothing else shows it: a scene is read and its particles are
//! packed. It is told once that lasts: by a spinner on a terminal, by a line every few seconds
//! elsewhere.

use crate::cli::console::Console;
use hashfall_core::units;
use indicatif::{ProgressBar, ProgressStyle};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// What a command waits for while it reads a scene.
pub const PREPARING: &str = "reading the scene and placing its particles";

/// What takes less is not told on a terminal.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often the spinner is redrawn.
const SPINNER_INTERVAL: Duration = Duration::from_millis(100);
/// How often a line is written.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Tells what the program does until it is dropped.
pub struct Waiting {
    /// Dropped, it wakes the thread.
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Waiting {
    /// Begins to wait for `what`, such as "packing particles"; tells nothing if `quiet`, or where
    /// no thread can be started.
    pub fn start(console: Console, quiet: bool, what: &'static str) -> Self {
        let (end, ended) = mpsc::channel();
        let tell = move || {
            let start = Instant::now();
            let first = if console.is_interactive { PATIENCE } else { LINE_INTERVAL };
            let is_over = |patience| ended.recv_timeout(patience) != Err(RecvTimeoutError::Timeout);
            if is_over(first) {
                return;
            }
            if console.is_interactive {
                let spinner = spinner(what);
                let _ended = ended.recv();
                spinner.finish_and_clear();
                return;
            }
            loop {
                let so_far = units::duration(start.elapsed());
                console.message(format_args!("{what}  {so_far} so far"));
                if is_over(LINE_INTERVAL) {
                    return;
                }
            }
        };
        let thread = if quiet { None } else { thread::Builder::new().spawn(tell).ok() };
        Waiting { end: Some(end), thread }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        drop(self.end.take());
        // The spinner is gone before anything else is written.
        drop(self.thread.take().map(JoinHandle::join));
    }
}

/// A spinner with the time that has passed.
fn spinner(what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {msg}  {elapsed}")
        .expect("the template is a constant that the tests read");
    let spinner = ProgressBar::new_spinner().with_style(style).with_message(what);
    spinner.enable_steady_tick(SPINNER_INTERVAL);
    spinner
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spinner_can_be_drawn() {
        let spinner = spinner("packing particles");
        spinner.tick();
        assert_eq!(spinner.message(), "packing particles");
    }

    #[test]
    fn what_is_over_at_once_is_not_waited_for() {
        let start = Instant::now();
        drop(Waiting::start(Console::new(), false, "packing particles"));
        assert!(start.elapsed() < PATIENCE);
    }
}
