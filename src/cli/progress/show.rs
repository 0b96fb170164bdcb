//! How progress is shown to people: a bar on a terminal, a line every few seconds elsewhere.

use super::interval::Interval;
use super::status_line::{fraction, status_line};
use crate::cli::console::Console;
use hashfall_run::RunProgress;
use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// How often the bar is redrawn.
const BAR_INTERVAL: Duration = Duration::from_millis(100);
/// Parts that the bar divides a run into.
const BAR_PARTS: f64 = 10_000.0;

/// Shows progress in some way.
pub trait Show: Send {
    /// A frame has been written.
    fn frame(&mut self, progress: &RunProgress);
    /// A step has been taken.
    fn step(&mut self, progress: &RunProgress);
    /// Probes have been read at a time \[s\].
    fn sample(&mut self, _time: f64, _values: &[f64]) {}
    /// Does what writes to the terminal, with nothing in its way.
    fn aside(&self, write: &mut dyn FnMut()) {
        write();
    }
}

/// Says nothing.
pub struct Quiet;

impl Show for Quiet {
    fn frame(&mut self, _: &RunProgress) {}
    fn step(&mut self, _: &RunProgress) {}
}

/// A bar that is redrawn in place, and gone when it is dropped.
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

impl Show for Bar {
    fn frame(&mut self, progress: &RunProgress) {
        self.draw(progress);
    }

    fn step(&mut self, progress: &RunProgress) {
        if self.clock.is_due() {
            self.draw(progress);
        }
    }

    fn aside(&self, write: &mut dyn FnMut()) {
        self.bar.suspend(write);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A line when the first frame stands, and then every few seconds.
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

impl Show for Lines {
    fn frame(&mut self, progress: &RunProgress) {
        if progress.frame == 0 {
            self.console.talk(status_line(progress, self.clock.elapsed()));
        }
    }

    fn step(&mut self, progress: &RunProgress) {
        if self.clock.is_due() {
            self.console.talk(status_line(progress, self.clock.elapsed()));
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
