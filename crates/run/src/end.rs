//! Why a run ends.

use super::limits::Breach;
use hashfall_core::format_significant;
use hashfall_output::FileError;
use hashfall_search::WrongNeighbors;
use hashfall_sph::step::{BlowUp, Limit, StepError};
use thiserror::Error;

/// Why a run ended.
#[derive(Debug)]
pub enum End {
    /// All frames are written.
    Finished,
    /// A stop was requested.
    Interrupted,
    /// The state became invalid; the frames before are complete.
    BlewUp(StepError),
    /// It exceeded a limit of the scene; the frames before are complete.
    Breached(Breach),
    /// The time step became too small to finish; the frames before are complete.
    Stalled(Stall),
    /// The neighbour search gave wrong lists; the frames before are complete.
    WrongNeighbors(NeighborMismatch),
    /// A file could not be written.
    Unwritable(FileError),
}

/// A step whose lists of neighbours are wrong.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("step {step}, t = {time} s: {what}")]
#[non_exhaustive]
pub struct NeighborMismatch {
    /// Steps taken.
    pub step: u64,
    /// Simulated time \[s\].
    pub time: f64,
    /// The list and what is wrong with it.
    pub what: WrongNeighbors,
}

/// A time step too small to finish a frame.
#[derive(Clone, Debug, PartialEq, Error)]
#[error(
    "step {step}, t = {} s: the time step fell to {} s, limited by {}; at this rate a frame takes \
     more than {MAX_STEPS_PER_FRAME} steps{fastest}{}",
    format_significant(*time, 6),
    format_significant(*dt, 3),
    limit.name(),
    longer(rejection.as_deref())
)]
#[non_exhaustive]
pub struct Stall {
    /// Steps taken.
    pub step: u64,
    /// Simulated time \[s\].
    pub time: f64,
    /// The time step \[s\].
    pub dt: f64,
    /// The limit that set it.
    pub limit: Limit,
    /// The fastest particle, as the end of a message.
    pub fastest: String,
    /// Why longer steps were rejected, if they failed.
    pub rejection: Option<Box<BlowUp>>,
}

/// Why longer steps failed, as the end of a message.
fn longer(rejection: Option<&BlowUp>) -> String {
    rejection.map(|it| format!("; a longer step failed: {}", it.fault())).unwrap_or_default()
}

/// Upper bound of the steps of a frame: more would take hours even for a few particles.
pub(super) const MAX_STEPS_PER_FRAME: u32 = 1_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stall_says_why_longer_steps_failed() {
        let rejection = BlowUp {
            step: 7,
            time: 0.5,
            particle: 3,
            position: [0.1, 0.2, 0.3],
            solid: None,
            elastic: None,
            what: "a density that is not finite",
        };
        let stall = |rejection| Stall {
            step: 6,
            time: 0.5,
            dt: 1e-9,
            limit: Limit::Rejection,
            fastest: String::new(),
            rejection,
        };
        let without = stall(None).to_string();
        let message = stall(Some(Box::new(rejection))).to_string();
        let why = "; a longer step failed: particle 3 at (0.1000, 0.2000, 0.3000) has a density \
                   that is not finite";
        assert_eq!(message, format!("{without}{why}"));
    }
}
