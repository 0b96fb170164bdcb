//! A progress bar over files.

use crate::cli::console::Console;
use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// How often the bar is redrawn.
const BAR_INTERVAL: Duration = Duration::from_millis(100);

/// A bar over finished files; shown on a terminal for several files.
pub struct FileBar {
    bar: Option<ProgressBar>,
}

impl FileBar {
    pub fn new(console: Console, quiet: bool, files: usize) -> Self {
        let is_shown = console.is_interactive && !quiet && files > 1;
        FileBar { bar: is_shown.then(|| FileBar::shown(files)) }
    }

    fn shown(files: usize) -> ProgressBar {
        let style = ProgressStyle::with_template("{bar:20} {pos}/{len} files  {eta} left")
            .expect("the template is a constant that the tests read");
        let bar = ProgressBar::new(files as u64).with_style(style);
        bar.enable_steady_tick(BAR_INTERVAL);
        bar
    }

    /// Counts a finished file.
    pub fn advance(&self) {
        self.bar.iter().for_each(|bar| bar.inc(1));
    }

    /// Writes to the terminal while the bar is hidden.
    pub fn while_hidden(&self, write: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }
}

impl Drop for FileBar {
    fn drop(&mut self) {
        self.bar.iter().for_each(ProgressBar::finish_and_clear);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_of_files_can_be_drawn() {
        let files = FileBar { bar: Some(FileBar::shown(2)) };
        files.advance();
        assert_eq!(files.bar.as_ref().map(ProgressBar::position), Some(1));
    }
}
