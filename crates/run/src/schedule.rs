//! When checkpoints are due: after a number of frames, and after a number of minutes.

use hashfall_scene::Checkpoints;
use std::time::{Duration, Instant};

/// When the next checkpoint is due.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    settings: Option<Checkpoints>,
    last: Instant,
}

impl Schedule {
    /// A schedule that begins now; `None` for no checkpoints at all.
    pub fn new(settings: Option<Checkpoints>) -> Self {
        Schedule { settings, last: Instant::now() }
    }

    /// Whether checkpoints are written at all.
    pub fn is_enabled(&self) -> bool {
        self.settings.is_some()
    }

    /// Whether one is due by the clock.
    pub fn is_due(&self) -> bool {
        let minutes = self.settings.and_then(|settings| settings.minutes);
        let interval = minutes.map(|minutes| Duration::try_from_secs_f64(60.0 * minutes));
        matches!(interval, Some(Ok(interval)) if self.last.elapsed() >= interval)
    }

    /// Whether one is due right after a frame.
    pub fn is_due_after(&self, frame: u32) -> bool {
        let frames = self.settings.and_then(|settings| settings.frames);
        self.is_due() || frames.is_some_and(|frames| frame.is_multiple_of(frames))
    }

    /// Restarts the clock after a checkpoint.
    pub fn restart(&mut self) {
        self.last = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checkpoints_are_due_by_frames_and_by_minutes() {
        let of = |frames, minutes| Schedule::new(Some(Checkpoints { frames, minutes }));
        let due = |schedule: Schedule| [1, 2, 3, 4].map(|frame| schedule.is_due_after(frame));
        assert_eq!(due(of(Some(2), None)), [false, true, false, true]);
        assert_eq!(due(of(Some(2), Some(0.0))), [true; 4]);
        assert!(of(None, Some(0.0)).is_due() && !of(None, Some(60.0)).is_due());
        assert!(!of(Some(1), None).is_due() && !of(None, None).is_due());
        assert!(!Schedule::new(None).is_due_after(1) && !Schedule::new(None).is_enabled());
        let mut past = of(None, Some(1.0));
        past.last = Instant::now().checked_sub(Duration::from_secs(61)).unwrap();
        assert!(past.is_due());
        past.restart();
        assert!(!past.is_due());
    }
}
