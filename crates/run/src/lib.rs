//! Running a scene: the plan, the frame loop, and what they leave to tell.
//!
//! ```text
//! Prepared ─→ Plan ─→ frame loop: step … step, audit, surface ─→ Recorder
//!                         └→ Observer (progress)             ├→ checkpoint ─→ goes on
//!                                                            └→ Report (summary)
//! ```
//!
//! [`reconstruct`] makes surfaces of particles that other programs have computed.

pub mod audit;
mod end;
mod energy;
#[cfg(test)]
mod energy_tests;
mod estimate;
pub mod fastest;
mod frame_loop;
mod limits;
mod observer;
mod plan;
pub mod reconstruct;
mod report;
mod resume;
mod schedule;
mod tally;
pub mod threads;
mod writer;

pub use end::{End, Misled, Stall};
pub use energy::EnergyReference;
pub use estimate::Estimate;
pub use limits::Breach;
pub use observer::{Observer, Progress, Requests};
pub use plan::Plan;
pub use report::Report;
pub use resume::{Notes, Resumed};
