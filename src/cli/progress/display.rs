//! How progress is shown to people: a bar on a terminal, a line every few seconds elsewhere.

use super::interval::Interval;
use super::status_line::{fraction, status_line};
use crate::cli::console::Console;
use hashfall_output::BodyRow;
use hashfall_run::RunProgress;
use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// How often the bar is redrawn.
const BAR_INTERVAL: Duration = Duration::from_millis(100);
/// Parts that the bar divides a run into.
const BAR_PARTS: f64 = 10_000.0;

/// A display of progress.
pub trait Display: Send {
    /// Called after a frame was written.
    fn frame(&mut self, progress: &RunProgress);
    /// Called after a step.
    fn step(&mut self, progress: &RunProgress);
    /// Called when probes are read, with the time \[s\].
    fn sample(&mut self, _time: f64, _values: &[f64]) {}
    /// Called before a frame is written, with its bodies whose places are state.
    fn bodies(&mut self, _frame: u32, _time: f64, _bodies: &[BodyRow]) {}
    /// Writes to the terminal while the display is hidden.
    fn while_hidden(&self, write: &mut dyn FnMut()) {
        write();
    }
}

/// Displays nothing.
pub struct Quiet;

impl Display for Quiet {
    fn frame(&mut self, _: &RunProgress) {}
    fn step(&mut self, _: &RunProgress) {}
}

/// A bar that is redrawn in place; dropping removes it.
pub struct Bar {
    bar: ProgressBar,
    clock: Interval,
}

impl Bar {
    /// A bar at its start.
    pub fn new() -> Self {
        let style = ProgressStyle::with_template("{bar:20} {percent:>3}%  {wide_msg}")
            .expect("the template is a constant that the tests read");
        let bar = ProgressBar::new(BAR_PARTS as u64).with_style(style);
        Bar { bar, clock: Interval::start(BAR_INTERVAL) }
    }

    fn draw(&self, progress: &RunProgress) {
        self.bar.set_message(status_line(progress, self.clock.elapsed()));
        self.bar.set_position((fraction(progress) * BAR_PARTS) as u64);
    }
}

impl Display for Bar {
    fn frame(&mut self, progress: &RunProgress) {
        self.draw(progress);
    }

    fn step(&mut self, progress: &RunProgress) {
        if self.clock.is_due() {
            self.draw(progress);
        }
    }

    fn while_hidden(&self, write: &mut dyn FnMut()) {
        self.bar.suspend(write);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A line after the first frame, and then every few seconds.
pub struct Lines {
    console: Console,
    clock: Interval,
}

impl Lines {
    /// Lines on the console, one each interval.
    pub fn new(console: Console, clock: Interval) -> Self {
        Lines { console, clock }
    }
}

impl Display for Lines {
    fn frame(&mut self, progress: &RunProgress) {
        if progress.frame == 0 {
            self.console.message(status_line(progress, self.clock.elapsed()));
        }
    }

    fn step(&mut self, progress: &RunProgress) {
        if self.clock.is_due() {
            self.console.message(status_line(progress, self.clock.elapsed()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_can_be_drawn() {
        let mut bar = Bar::new();
        let (time, end_time) = (1.0, 2.0);
        let progress =
            RunProgress { frame: 1, last_frame: 4, time, end_time, steps: 70, last_step: None };
        bar.frame(&progress);
        assert_eq!(bar.bar.position(), BAR_PARTS as u64 / 2);
    }
}
