//! Progress over files that are made one by one: a bar on a terminal, a line every few seconds
//! elsewhere.

use super::interval::Interval;
use crate::cli::console::Console;
use indicatif::{ProgressBar, ProgressStyle};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How often the bar is redrawn.
const BAR_INTERVAL: Duration = Duration::from_millis(100);
/// How often a line is written.
const LINE_INTERVAL: Duration = Duration::from_secs(5);

/// Progress over files; threads may share it.
pub struct FileBar {
    shown: Shown,
}

enum Shown {
    Nothing,
    Bar(ProgressBar),
    Lines(Mutex<Lines>, Console),
}

/// The count of files that are written as lines.
struct Lines {
    clock: Interval,
    done: usize,
    files: usize,
    noun: &'static str,
}

impl FileBar {
    /// A bar over `files` files, called by a plural noun; nothing where stderr is no terminal.
    pub fn new(console: Console, quiet: bool, files: usize, noun: &'static str) -> Self {
        let is_shown = console.is_interactive && !quiet && files > 1;
        let shown = if is_shown { Shown::Bar(FileBar::drawn(files, noun)) } else { Shown::Nothing };
        FileBar { shown }
    }

    /// As [`FileBar::new`], with lines where stderr is no terminal.
    pub fn or_lines(console: Console, quiet: bool, files: usize, noun: &'static str) -> Self {
        if quiet || console.is_interactive {
            return FileBar::new(console, quiet, files, noun);
        }
        FileBar { shown: FileBar::lines(console, files, noun) }
    }

    fn lines(console: Console, files: usize, noun: &'static str) -> Shown {
        let lines = Lines { clock: Interval::start(LINE_INTERVAL), done: 0, files, noun };
        Shown::Lines(Mutex::new(lines), console)
    }

    fn drawn(files: usize, noun: &str) -> ProgressBar {
        let template = format!("{{bar:20}} {{pos}}/{{len}} {noun}  {{eta}} left");
        let style = ProgressStyle::with_template(&template)
            .expect("the template is a constant that the tests read");
        let bar = ProgressBar::new(files as u64).with_style(style);
        bar.enable_steady_tick(BAR_INTERVAL);
        bar
    }

    /// Counts a finished file.
    pub fn advance(&self) {
        match &self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => bar.inc(1),
            Shown::Lines(lines, console) => {
                // A thread that panicked while it counted leaves at worst a smaller count.
                let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
                lines.done += 1;
                if lines.clock.is_due() {
                    let Lines { done, files, noun, .. } = *lines;
                    console.message(format_args!("{done}/{files} {noun}"));
                }
            }
        }
    }

    /// Writes to the terminal while the bar is hidden.
    pub fn while_hidden<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.shown {
            Shown::Bar(bar) => bar.suspend(write),
            _ => write(),
        }
    }
}

impl Drop for FileBar {
    fn drop(&mut self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_of_files_can_be_drawn() {
        let files = FileBar { shown: Shown::Bar(FileBar::drawn(2, "images")) };
        files.advance();
        let Shown::Bar(bar) = &files.shown else { panic!("no bar") };
        assert_eq!(bar.position(), 1);
    }

    #[test]
    fn lines_count_every_file() {
        let files = FileBar { shown: FileBar::lines(Console::new(), 3, "images") };
        (0..2).for_each(|_| files.advance());
        let Shown::Lines(lines, _) = &files.shown else { panic!("no lines") };
        assert_eq!(lines.lock().unwrap().done, 2);
    }
}
