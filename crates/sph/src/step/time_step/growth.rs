//! How fast steps grow again after one that was rolled back.

use crate::step::time_step::limits::{Limit, StepLength};
use serde::{Deserialize, Serialize};

/// How much longer than the last a step may be, after one that was taken back.
const GROWTH: f64 = 1.5;

/// Steps after one that was taken back: how long they may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepGrowth {
    /// The longest that the next step may be \[s\]; any if none was taken back.
    longest: Option<f64>,
}

impl StepGrowth {
    /// Whether steps can be as long as it says.
    pub fn is_valid(&self) -> bool {
        self.longest.is_none_or(|longest| longest.is_finite() && longest > 0.0)
    }

    /// Cuts a step.
    pub fn cut(&self, length: StepLength) -> StepLength {
        match self.longest {
            Some(longest) => length.min(StepLength::new(longest, Limit::Rejection)),
            None => length,
        }
    }

    /// Notes a step of `dt` \[s\] that was halved so often.
    pub fn note(&mut self, dt: f64, halved: u32) {
        let from = if halved > 0 { Some(dt) } else { self.longest };
        // So long is as good as any, and infinity is no number in a file.
        self.longest = from.map(|from| GROWTH * from).filter(|longest| longest.is_finite());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_grow_back_after_one_that_was_taken_back() {
        let stable = StepLength::new(1.0, Limit::Sound);
        let mut caution = StepGrowth::default();
        caution.note(1.0, 0);
        assert_eq!(caution.cut(stable), stable);
        caution.note(0.25, 2);
        for expected in [0.375, 0.5625, 0.84375] {
            assert_eq!(caution.cut(stable), StepLength::new(expected, Limit::Rejection));
            // A frame may end in between.
            caution.note(0.1, 0);
        }
        assert_eq!(caution.cut(stable), stable);
    }
}
