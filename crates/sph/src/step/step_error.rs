//! Why a world cannot be stepped.

use crate::step::guard::BlowUp;
use crate::world::WorldError;
use thiserror::Error;

/// Why no [`Stepper`](super::Stepper) can be made for a world, or no step can be taken.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum StepError {
    /// The world cannot be stepped: it is wrong from the start, or was changed between steps.
    #[error(transparent)]
    World(#[from] WorldError),
    /// Its first forces or the state after a step are not finite, or particles are too far away.
    #[error(transparent)]
    BlowUp(#[from] BlowUp),
    /// A step would end before the present time.
    #[error("cannot step to t = {until} s from t = {time} s")]
    Time {
        /// Where the step should end at the latest \[s\].
        until: f64,
        /// The present time \[s\].
        time: f64,
    },
}
