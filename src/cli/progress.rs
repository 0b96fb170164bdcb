//! How a run goes, while it goes: a bar on a terminal, a line every few seconds elsewhere.

use super::console::Console;
use super::events::{EventLines, Events};
use super::units;
use hashfall_output::Forecast;
use hashfall_run::{Observer, Progress};
use hashfall_sph::world::{Probes, World};
use indicatif::{ProgressBar, ProgressStyle};
use std::time::{Duration, Instant};

/// How often the bar is redrawn.
const BAR_INTERVAL: Duration = Duration::from_millis(100);
/// How often a line is written where nobody watches.
const LINE_INTERVAL: Duration = Duration::from_secs(5);
/// How often programs are told of steps.
const EVENT_INTERVAL: Duration = Duration::from_secs(1);
/// Parts that the bar divides a run into.
const BAR_PARTS: f64 = 10_000.0;

/// The observer that fits the console.
pub fn observer(console: Console, quiet: bool) -> Box<dyn Observer> {
    if quiet {
        Box::new(Watch { console, shown: Quiet, is_warned: false })
    } else if console.interactive {
        Box::new(Watch { console, shown: Bar::new(), is_warned: false })
    } else {
        let lines = Lines { console, clock: Clock::start(LINE_INTERVAL) };
        Box::new(Watch { console, shown: lines, is_warned: false })
    }
}

/// The observer that tells programs of a run with these probes.
pub fn for_programs(
    events: &'static Events,
    console: Console,
    probes: &Probes,
) -> Box<dyn Observer> {
    let names = probes.list.iter().map(|probe| probe.name().to_owned()).collect();
    let shown = EventLines::new(events, Clock::start(EVENT_INTERVAL), names);
    Box::new(Watch { console, shown, is_warned: false })
}

/// Shows progress in some way.
pub trait Show: Send {
    /// A frame has been written.
    fn frame(&mut self, progress: &Progress);
    /// A step has been taken.
    fn step(&mut self, progress: &Progress);
    /// Probes have been read at a time \[s\].
    fn sample(&mut self, _time: f64, _values: &[f64]) {}
    /// Does what writes to the terminal, with nothing in its way.
    fn aside(&self, write: &mut dyn FnMut()) {
        write();
    }
}

/// Shows how the run goes, and warns once of a disk that is too small.
struct Watch<S> {
    console: Console,
    shown: S,
    is_warned: bool,
}

impl<S: Show> Observer for Watch<S> {
    fn frame(&mut self, progress: &Progress) {
        self.shown.frame(progress);
    }

    fn step(&mut self, progress: &Progress) {
        self.shown.step(progress);
    }

    fn sample(&mut self, world: &World, values: &[f64]) {
        self.shown.sample(world.time, values);
    }

    fn forecast(&mut self, forecast: &Forecast) {
        if let Some(warning) = shortage(forecast).filter(|_| !self.is_warned) {
            self.is_warned = true;
            self.shown.aside(&mut || self.console.warning(&warning));
        }
    }
}

/// What to say of a disk that does not hold the frames to come.
fn shortage(forecast: &Forecast) -> Option<String> {
    let Forecast { written, frames, needed, free } = *forecast;
    let free = free.filter(|free| *free < needed)?;
    let to_come = frames.saturating_sub(written);
    let fits = u64::from(to_come).saturating_mul(free) / needed.max(1);
    Some(format!(
        "the disk will be full after about frame {}: {} are free, and the {} frames to come take \
         {}",
        u64::from(written.saturating_sub(1)) + fits,
        units::bytes(free),
        to_come,
        units::bytes(needed)
    ))
}

/// A bar of files that are done; only for several, and where someone watches.
pub struct FileBar {
    bar: Option<ProgressBar>,
}

impl FileBar {
    pub fn new(console: Console, quiet: bool, files: usize) -> Self {
        let is_shown = console.interactive && !quiet && files > 1;
        FileBar { bar: is_shown.then(|| FileBar::shown(files)) }
    }

    fn shown(files: usize) -> ProgressBar {
        let style = ProgressStyle::with_template("{bar:20} {pos}/{len} files  {eta} left")
            .expect("the template is a constant that the tests read");
        let bar = ProgressBar::new(files as u64).with_style(style);
        bar.enable_steady_tick(BAR_INTERVAL);
        bar
    }

    /// Another file is done.
    pub fn advance(&self) {
        self.bar.iter().for_each(|bar| bar.inc(1));
    }

    /// Does what writes to the terminal, with the bar out of its way.
    pub fn aside(&self, write: impl FnOnce()) {
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

/// Says nothing.
struct Quiet;

impl Show for Quiet {
    fn frame(&mut self, _: &Progress) {}
    fn step(&mut self, _: &Progress) {}
}

/// A bar that is redrawn in place, and gone when it is dropped.
struct Bar {
    bar: ProgressBar,
    clock: Clock,
}

impl Bar {
    fn new() -> Self {
        let style = ProgressStyle::with_template("{bar:20} {percent:>3}%  {wide_msg}")
            .expect("the template is a constant that the tests read");
        let bar = ProgressBar::new(BAR_PARTS as u64).with_style(style);
        Bar { bar, clock: Clock::start(BAR_INTERVAL) }
    }

    fn draw(&self, progress: &Progress) {
        self.bar.set_message(line(progress, self.clock.elapsed()));
        self.bar.set_position((fraction(progress) * BAR_PARTS) as u64);
    }
}

impl Show for Bar {
    fn frame(&mut self, progress: &Progress) {
        self.draw(progress);
    }

    fn step(&mut self, progress: &Progress) {
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
struct Lines {
    console: Console,
    clock: Clock,
}

impl Show for Lines {
    fn frame(&mut self, progress: &Progress) {
        if progress.frame == 0 {
            self.console.talk(line(progress, self.clock.elapsed()));
        }
    }

    fn step(&mut self, progress: &Progress) {
        if self.clock.is_due() {
            self.console.talk(line(progress, self.clock.elapsed()));
        }
    }
}

/// Tells when it is time to speak again.
pub struct Clock {
    start: Instant,
    last: Instant,
    interval: Duration,
}

impl Clock {
    pub fn start(interval: Duration) -> Self {
        let now = Instant::now();
        Clock { start: now, last: now, interval }
    }

    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether it is; then the time counts anew.
    pub fn is_due(&mut self) -> bool {
        let due = self.last.elapsed() >= self.interval;
        if due {
            self.last = Instant::now();
        }
        due
    }
}

/// Frame and what is left, then what a narrow terminal may cut off.
fn line(progress: &Progress, elapsed: Duration) -> String {
    let Progress { frame, last_frame, time, steps, .. } = progress;
    let mut line = format!("frame {frame}/{last_frame}");
    if let Some(left) = time_left(progress, elapsed) {
        line += &format!("  {} left", units::duration(left));
    }
    line += &format!("  t {time:.4} s  step {steps}");
    if let Some((dt, limit)) = progress.last_step {
        line += &format!("  dt {} s ({})", units::three_figures(dt), limit.name());
    }
    line
}

/// The part of the simulated time that is done.
pub fn fraction(progress: &Progress) -> f64 {
    (progress.time / progress.end_time).clamp(0.0, 1.0)
}

/// What is left if simulated time goes on passing as fast as so far; none before the first step.
fn time_left(progress: &Progress, elapsed: Duration) -> Option<Duration> {
    let done = fraction(progress);
    Duration::try_from_secs_f64(elapsed.as_secs_f64() * (1.0 - done) / done).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_sph::step::Limit;

    fn progress(time: f64, last_step: Option<(f64, Limit)>) -> Progress {
        Progress { frame: 1, last_frame: 4, time, end_time: 2.0, steps: 70, last_step }
    }

    #[test]
    fn a_line_tells_where_the_run_is_and_what_is_left() {
        let half_way = progress(0.5, Some((1.5e-4, Limit::Sound)));
        assert_eq!(
            line(&half_way, Duration::from_secs(30)),
            "frame 1/4  1 min 30 s left  t 0.5000 s  step 70  dt 1.50e-4 s (sound)"
        );
        assert!(!line(&progress(0.0, None), Duration::from_secs(30)).contains("left"));
    }

    #[test]
    fn a_disk_that_is_too_small_is_told_with_the_frame_that_still_fits() {
        let forecast = |free| Forecast { written: 11, frames: 101, needed: 90_000_000, free };
        let told = shortage(&forecast(Some(30_000_000))).unwrap();
        assert!(told.starts_with("the disk will be full after about frame 40: "), "{told}");
        assert!(told.contains("the 90 frames to come"), "{told}");
        assert_eq!(shortage(&forecast(Some(90_000_000))), None);
        assert_eq!(shortage(&forecast(None)), None);
    }

    #[test]
    fn the_bar_of_files_can_be_drawn() {
        let files = FileBar { bar: Some(FileBar::shown(2)) };
        files.advance();
        assert_eq!(files.bar.as_ref().map(ProgressBar::position), Some(1));
    }

    #[test]
    fn the_bar_can_be_drawn() {
        let mut bar = Bar::new();
        bar.frame(&progress(1.0, None));
        assert_eq!(bar.bar.position(), BAR_PARTS as u64 / 2);
    }
}
