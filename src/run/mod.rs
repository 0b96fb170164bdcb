//! Running a scene: the plan, the frame loop, and what they leave to tell.
//!
//! ```text
//! Prepared ─→ Plan ─→ frame loop: step … step, audit, surface ─→ Recorder
//!                         └→ Observer (progress)             └→ Report (summary)
//! ```
//!
//! [`reconstruct`] makes surfaces of particles that other programs have computed.

mod frame_loop;
mod plan;
pub mod reconstruct;
mod report;
mod tally;
pub mod threads;

pub use frame_loop::{End, Observer, Progress, Stall};
pub use plan::{Estimate, Plan};
pub use report::Report;
