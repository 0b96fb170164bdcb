//! How progress is shown to programs: as events.

use super::display::Display;
use super::interval::Interval;
use super::status_line::fraction;
use crate::cli::console::{BodyEvent, Event, Events, Moment};
use hashfall_output::BodyRow;
use hashfall_run::RunProgress;

/// A display that writes events.
pub struct EventLines {
    events: &'static Events,
    clock: Interval,
    probes: Vec<String>,
    bodies: Vec<String>,
}

impl EventLines {
    /// Events with a step once an interval, and with probes and bodies of these names.
    pub fn new(
        events: &'static Events,
        clock: Interval,
        probes: Vec<String>,
        bodies: Vec<String>,
    ) -> Self {
        EventLines { events, clock, probes, bodies }
    }

    fn moment(&self, progress: &RunProgress) -> Moment {
        let RunProgress { frame, last_frame, time, steps, .. } = *progress;
        let wall = self.events.wall();
        Moment { frame, frames: last_frame, time, steps, progress: fraction(progress), wall }
    }
}

impl Display for EventLines {
    fn frame(&mut self, progress: &RunProgress) {
        self.events.emit(&Event::Frame(self.moment(progress)));
    }

    fn step(&mut self, progress: &RunProgress) {
        if let Some((dt, limit)) = progress.last_step.filter(|_| self.clock.is_due()) {
            let moment = self.moment(progress);
            self.events.emit(&Event::Step { moment, dt, limited_by: limit.name() });
        }
    }

    fn bodies(&mut self, frame: u32, time: f64, bodies: &[BodyRow]) {
        let names = self.bodies.iter().map(String::as_str).chain(std::iter::repeat(""));
        let bodies = bodies.iter().zip(names);
        let bodies = bodies.map(|(row, name)| BodyEvent::new(row, name)).collect();
        self.events.emit(&Event::Bodies { frame, time, bodies });
    }

    fn sample(&mut self, time: f64, values: &[f64]) {
        if !values.is_empty() {
            let names = self.probes.iter().map(String::as_str);
            let values = names.zip(values.iter().copied()).collect();
            self.events.emit(&Event::Probes { time, values });
        }
    }
}
