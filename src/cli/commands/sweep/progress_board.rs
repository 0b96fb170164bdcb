//! Progress of a sweep: on a terminal a bar for all points and one per running point, elsewhere a
//! line every few seconds; events for programs.

use crate::cli::console::Console;
use crate::cli::console::Event;
use crate::cli::progress::Interval;
use hashfall_core::units;
use hashfall_scene::escape_unprintable;
use hashfall_sweep::PointOutcome;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How often a line is written where stderr is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(5);
/// How often bars are drawn.
const BAR_INTERVAL: Duration = Duration::from_millis(200);
/// Parts that a bar divides its work into.
const PARTS: f64 = 1000.0;

/// Shows the progress of a sweep.
pub struct ProgressBoard {
    console: Console,
    quiet: bool,
    start: Instant,
    clock: Interval,
    /// Points of the sweep, and those to run now.
    points: usize,
    due: usize,
    ended: usize,
    failed: usize,
    /// Progress of the running points, and their progress at the start of this process.
    running: BTreeMap<usize, f64>,
    before: BTreeMap<usize, f64>,
    bars: Option<Bars>,
}

struct Bars {
    all: MultiProgress,
    whole: ProgressBar,
    each: BTreeMap<usize, ProgressBar>,
}

impl ProgressBoard {
    pub fn new(console: Console, quiet: bool, points: usize, due: usize) -> Self {
        let bars = (console.is_interactive && !quiet).then(|| Bars::new(due));
        let interval = if bars.is_some() { BAR_INTERVAL } else { LINE_INTERVAL };
        ProgressBoard {
            console,
            quiet,
            start: Instant::now(),
            clock: Interval::start(interval),
            points,
            due,
            ended: 0,
            failed: 0,
            running: BTreeMap::new(),
            before: BTreeMap::new(),
            bars,
        }
    }

    /// Prints how many points will run.
    pub fn begin(&self, jobs: usize) {
        if self.quiet {
            return;
        }
        let due = self.due;
        let points = units::count(self.points as u64, "point");
        let line = match self.points - due {
            _ if due == 0 => format!("{points}; all have ended"),
            0 => format!("{points}, {jobs} in parallel"),
            ended => format!("{points}, {ended} of them already ended; {jobs} in parallel"),
        };
        self.print(&line);
    }

    /// A point starts.
    pub fn start(&mut self, point: usize, parameters: &str) {
        self.running.insert(point, 0.0);
        self.emit(point, "running", None);
        if let Some(bars) = &mut self.bars {
            bars.start(point, parameters);
        }
    }

    /// A point has progressed.
    pub fn progress(&mut self, point: usize, part: f64) {
        self.running.insert(point, part);
        self.before.entry(point).or_insert(part);
        if let Some(bar) = self.bars.as_ref().and_then(|bars| bars.each.get(&point)) {
            bar.set_position((part * PARTS) as u64);
        }
    }

    /// A point has ended.
    pub fn ended(&mut self, point: usize, outcome: &PointOutcome) {
        self.ended += 1;
        match outcome {
            PointOutcome::Finished => self.emit(point, "finished", None),
            PointOutcome::Failed { reason } => {
                self.failed += 1;
                self.emit(point, "failed", Some(reason));
                if !self.quiet {
                    self.print(&format!("point {point} failed: {reason}"));
                }
            }
        }
        self.remove(point);
    }

    /// A point ended unfinished without a stop request.
    pub fn unfinished(&mut self, point: usize, why: &str) {
        self.emit(point, "unfinished", Some(why));
        self.while_hidden(|| {
            self.console.error(format_args!("point {point} is unfinished: {why}"))
        });
        self.remove(point);
    }

    /// A point stopped on request.
    pub fn stopped(&mut self, point: usize) {
        self.emit(point, "unfinished", Some("stopped"));
        self.remove(point);
    }

    /// A point has printed a warning.
    pub fn warn(&self, point: usize, warning: &str) {
        self.while_hidden(|| self.console.message(format_args!("point {point}: {warning}")));
    }

    fn remove(&mut self, point: usize) {
        self.running.remove(&point);
        if let Some(bar) = self.bars.as_mut().and_then(|bars| bars.each.remove(&point)) {
            bar.finish_and_clear();
        }
    }

    /// Redraws or prints the progress if it is due.
    pub fn refresh(&mut self) {
        if self.quiet || !self.clock.is_due() {
            return;
        }
        let line = self.line();
        match &self.bars {
            Some(bars) => {
                bars.whole.set_position((self.done() * PARTS) as u64);
                bars.whole.set_message(line);
            }
            None => self.console.message(line),
        }
    }

    /// Removes the bars.
    pub fn end(&mut self) {
        if let Some(bars) = self.bars.take() {
            bars.whole.finish_and_clear();
        }
    }

    fn print(&self, line: &str) {
        self.while_hidden(|| self.console.message(line));
    }

    fn while_hidden(&self, write: impl FnOnce()) {
        match &self.bars {
            Some(bars) => bars.all.suspend(write),
            None => write(),
        }
    }

    fn emit(&self, point: usize, status: &'static str, reason: Option<&str>) {
        if let Some(events) = self.console.events {
            events.emit(&Event::Point { point, points: self.points, status, reason });
        }
    }

    /// Work done, in points.
    fn done(&self) -> f64 {
        self.ended as f64 + self.running.values().sum::<f64>()
    }

    fn line(&self) -> String {
        let ProgressBoard { due, ended, failed, .. } = self;
        let part = self.done() / (*due).max(1) as f64;
        let mut line = format!("{ended} of {due} points");
        if *failed > 0 {
            line += &format!(", {failed} failed");
        }
        line += &format!("  {:.0}%", 100.0 * part);
        let before = self.before.values().sum::<f64>() / (*due).max(1) as f64;
        let left = self.start.elapsed().as_secs_f64() * (1.0 - part) / (part - before);
        if let Ok(left) = Duration::try_from_secs_f64(left) {
            line += &format!("  {} left", units::duration(left));
        }
        line
    }
}

impl Bars {
    fn new(due: usize) -> Bars {
        let style = ProgressStyle::with_template("{bar:20} {wide_msg}")
            .expect("the template is a constant that the tests read");
        let all = MultiProgress::new();
        let whole = all.add(ProgressBar::new((due as f64 * PARTS) as u64).with_style(style));
        Bars { all, whole, each: BTreeMap::new() }
    }

    fn start(&mut self, point: usize, parameters: &str) {
        let style = ProgressStyle::with_template("{bar:20} {percent:>3}%  {wide_msg}")
            .expect("the template is a constant that the tests read");
        let bar = self.all.add(ProgressBar::new(PARTS as u64).with_style(style));
        let parameters = escape_unprintable(parameters);
        bar.set_message(format!("point {point}  {parameters}"));
        self.each.insert(point, bar);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_how_much_is_done_and_what_is_left() {
        let mut board = ProgressBoard::new(Console::new(), true, 12, 8);
        board.bars = Some(Bars::new(8));
        board.start(3, "a=1");
        board.start(4, "a=2");
        board.progress(3, 0.5);
        board.ended(4, &PointOutcome::Failed { reason: "no".to_owned() });
        assert!((board.done() - 1.5).abs() < 1e-12);
        let line = board.line();
        assert!(line.starts_with("1 of 8 points, 1 failed  19%  "), "{line}");
        assert!(line.ends_with(" left"), "{line}");
        board.end();
    }
}
