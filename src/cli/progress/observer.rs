//! The observer of a run: shows how far the run is, and warns of a disk that is too small.

use super::display::{Bar, Display, Lines, Quiet};
use super::event_lines::EventLines;
use super::interval::Interval;
use crate::cli::console::{Console, Events};
use hashfall_core::units;
use hashfall_output::{BodyRow, Forecast};
use hashfall_run::{Observer, RunProgress};
use hashfall_sph::world::{Probes, World};
use std::time::Duration;

/// How often a line is written where stderr is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(5);
/// How often a `step` event is written.
const EVENT_INTERVAL: Duration = Duration::from_secs(1);

/// The observer for people: a bar, lines, or nothing.
pub fn observer(console: Console, quiet: bool) -> Box<dyn Observer> {
    if quiet {
        Box::new(Watch { console, display: Quiet, is_warned: false })
    } else if console.is_interactive {
        Box::new(Watch { console, display: Bar::new(), is_warned: false })
    } else {
        let lines = Lines::new(console, Interval::start(LINE_INTERVAL));
        Box::new(Watch { console, display: lines, is_warned: false })
    }
}

/// The observer for programs: events of a run with these probes and bodies of these names.
pub fn for_programs(
    events: &'static Events,
    console: Console,
    probes: &Probes,
    body_names: &[String],
) -> Box<dyn Observer> {
    let names = probes.columns().into_iter().map(|column| column.name).collect();
    let clock = Interval::start(EVENT_INTERVAL);
    let display = EventLines::new(events, clock, names, body_names.to_vec());
    Box::new(Watch { console, display, is_warned: false })
}

/// Shows progress, and warns once of a disk that is too small.
struct Watch<S> {
    console: Console,
    display: S,
    is_warned: bool,
}

impl<S: Display> Observer for Watch<S> {
    fn frame(&mut self, progress: &RunProgress) {
        self.display.frame(progress);
    }

    fn step(&mut self, progress: &RunProgress) {
        self.display.step(progress);
    }

    fn sample(&mut self, world: &World, values: &[f64]) {
        self.display.sample(world.time, values);
    }

    fn bodies(&mut self, frame: u32, time: f64, bodies: &[BodyRow]) {
        self.display.bodies(frame, time, bodies);
    }

    fn forecast(&mut self, forecast: &Forecast) {
        if let Some(warning) = shortage(forecast).filter(|_| !self.is_warned) {
            self.is_warned = true;
            self.display.while_hidden(&mut || self.console.warning(&warning));
        }
    }
}

/// The warning if the disk cannot hold the remaining frames.
fn shortage(forecast: &Forecast) -> Option<String> {
    let Forecast { written, frames, needed, free } = *forecast;
    let free = free.filter(|free| *free < needed)?;
    let remaining = frames.saturating_sub(written);
    let fits = u64::from(remaining).saturating_mul(free) / needed.max(1);
    Some(format!(
        "the disk will be full after about frame {}: {} are free, but the remaining {} frames need \
         {}",
        u64::from(written.saturating_sub(1)) + fits,
        units::bytes(free),
        remaining,
        units::bytes(needed)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_that_is_too_small_is_told_with_the_frame_that_still_fits() {
        let forecast = |free| Forecast { written: 11, frames: 101, needed: 90_000_000, free };
        let warning = shortage(&forecast(Some(30_000_000))).unwrap();
        assert!(warning.starts_with("the disk will be full after about frame 40: "), "{warning}");
        assert!(warning.contains("the remaining 90 frames"), "{warning}");
        assert_eq!(shortage(&forecast(Some(90_000_000))), None);
        assert_eq!(shortage(&forecast(None)), None);
    }
}
