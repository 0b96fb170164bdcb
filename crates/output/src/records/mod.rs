//! What a run records about itself, as bytes: manifest, log, tables and checkpoints.

pub mod bodies;
pub mod checkpoint;
mod checkpoint_arrays;
mod clock;
pub(crate) mod digest_text;
pub(crate) mod energy;
pub(crate) mod exchanged;
pub mod log;
pub(crate) mod manifest;
pub mod table;
