//! The observer of a run: shows how far the run is, and warns of a disk that is too small.

use super::event_lines::EventLines;
use super::interval::Interval;
use super::show::{Bar, Lines, Quiet, Show};
use crate::cli::console::{Console, Events};
use hashfall_core::units;
use hashfall_output::Forecast;
use hashfall_run::{Observer, RunProgress};
use hashfall_sph::world::{Probes, World};
use std::time::Duration;

/// How often a line is written where stderr is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(5);
/// How often a `step` event is written.
const EVENT_INTERVAL: Duration = Duration::from_secs(1);

/// The observer that fits the console.
pub fn observer(console: Console, quiet: bool) -> Box<dyn Observer> {
    if quiet {
        Box::new(Watch { console, shown: Quiet, is_warned: false })
    } else if console.interactive {
        Box::new(Watch { console, shown: Bar::new(), is_warned: false })
    } else {
        let lines = Lines::new(console, Interval::start(LINE_INTERVAL));
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
    let shown = EventLines::new(events, Interval::start(EVENT_INTERVAL), names);
    Box::new(Watch { console, shown, is_warned: false })
}

/// Shows how the run goes, and warns once of a disk that is too small.
struct Watch<S> {
    console: Console,
    shown: S,
    is_warned: bool,
}

impl<S: Show> Observer for Watch<S> {
    fn frame(&mut self, progress: &RunProgress) {
        self.shown.frame(progress);
    }

    fn step(&mut self, progress: &RunProgress) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_that_is_too_small_is_told_with_the_frame_that_still_fits() {
        let forecast = |free| Forecast { written: 11, frames: 101, needed: 90_000_000, free };
        let told = shortage(&forecast(Some(30_000_000))).unwrap();
        assert!(told.starts_with("the disk will be full after about frame 40: "), "{told}");
        assert!(told.contains("the 90 frames to come"), "{told}");
        assert_eq!(shortage(&forecast(Some(90_000_000))), None);
        assert_eq!(shortage(&forecast(None)), None);
    }
}
