//! Running a scene: the plan, the frame loop, and what they leave to tell.
//!
//! ```text
//! Prepared ─→ Plan ─→ frame loop: step … step, audit, surface ─→ Recorder
//!                         └→ Observer (progress)             └→ Report (summary)
//! ```

mod frame_loop;
mod plan;
mod report;
mod tally;
pub mod threads;

pub use frame_loop::{End, Observer, Progress, Stall};
pub use plan::{Estimate, Plan};
pub use report::Report;
