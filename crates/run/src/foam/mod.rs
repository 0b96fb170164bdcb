//! Spray, foam and bubbles of a run, from its frames on disk: two passes over them.
//!
//! The first finds the limits of the potentials that are not given, the second writes the diffuse
//! particles frame by frame (`pass`). `source` reads frames, `record` says how they were
//! computed and what a computation that was stopped continues from, and [`read_diffuse`] reads the
//! diffuse particles of a frame back.

mod error;
mod pass;
mod reader;
mod record;
mod source;

pub use error::FoamError;
pub use pass::{FoamObserver, FoamPass, FoamReport, FoamStage};
pub use reader::read_diffuse;
pub use record::{FoamRecord, FoamRow};
