//! Why a world cannot be stepped from its start.

use crate::step::guard::BlowUp;
use crate::world::WorldError;
use thiserror::Error;

/// Why no [`Stepper`](super::Stepper) can be made for a world.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum StartError {
    /// The world cannot be stepped.
    #[error(transparent)]
    World(#[from] WorldError),
    /// Its first forces are not finite, or particles are too far away.
    #[error(transparent)]
    BlowUp(#[from] BlowUp),
}
