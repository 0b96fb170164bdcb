//! A limit on how often something is shown.

use std::time::{Duration, Instant};

/// Becomes due once an interval; measures the time since its start.
pub struct Interval {
    start: Instant,
    last: Instant,
    interval: Duration,
}

impl Interval {
    /// Begins the first interval.
    pub fn start(interval: Duration) -> Self {
        let now = Instant::now();
        Interval { start: now, last: now, interval }
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether the interval is over; if so, the next one begins.
    pub fn is_due(&mut self) -> bool {
        let due = self.last.elapsed() >= self.interval;
        if due {
            self.last = Instant::now();
        }
        due
    }
}
