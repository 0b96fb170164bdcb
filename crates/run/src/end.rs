//! Why a run ends.

use super::limits::Breach;
use hashfall_output::FileError;
use hashfall_search::WrongNeighbors;
use hashfall_sph::step::{Limit, StartError};
use thiserror::Error;

/// Why a run ended.
#[derive(Debug)]
pub enum End {
    /// All frames are written.
    Finished,
    /// It was asked to stop.
    Interrupted,
    /// The state went beyond computing; the frames before are whole.
    BlewUp(StartError),
    /// It went beyond a limit of the scene; the frames before are whole.
    Breached(Breach),
    /// The time step became too small to ever end; the frames before are whole.
    Stalled(Stall),
    /// The neighbour structure is at fault; the frames before are whole.
    WrongNeighbors(NeighborMismatch),
    /// A file could not be written.
    Unwritable(FileError),
}

/// A step whose lists of neighbours are wrong.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("step {step}, t = {time} s: {what}")]
pub struct NeighborMismatch {
    /// Steps taken.
    pub step: u64,
    /// Simulated time \[s\].
    pub time: f64,
    /// Which list, and how.
    pub what: WrongNeighbors,
}

/// A time step so small that no frame would end.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error(
    "step {step}, t = {time} s: the time step fell to {dt:e} s, limited by {}; at this rate a \
     frame takes more than {MAX_STEPS_PER_FRAME} steps",
    limit.name()
)]
pub struct Stall {
    /// Steps taken.
    pub step: u64,
    /// Simulated time \[s\].
    pub time: f64,
    /// The time step \[s\].
    pub dt: f64,
    /// What bound it.
    pub limit: Limit,
}

/// A frame of more steps than this cannot be meant: it would take hours for a handful of particles.
pub(super) const MAX_STEPS_PER_FRAME: u32 = 1_000_000;
