//! Runs a scene: the plan, the frame loop and its report.
//!
//! ```text
//! Prepared ─→ Plan ─→ frame loop: step … step, audit, surface ─→ Recorder
//!                         └→ Observer (progress)             ├→ checkpoint ─→ resume
//!                                                            └→ RunReport (summary)
//! ```
//!
//! [`reconstruct`] makes surfaces of particles that other programs have computed; [`audit`] checks
//! the files of a run; [`foam`] computes spray, foam and bubbles from them; [`autotune`] finds the
//! fastest neighbour search.

pub mod audit;
pub mod autotune;
mod body_sums;
mod elastic_memory;
mod end;
mod energy;
#[cfg(test)]
mod energy_tests;
mod estimate;
pub mod foam;
mod frame_loop;
mod frame_stats;
mod limits;
mod observer;
mod plan;
pub mod reconstruct;
mod resume;
mod run_report;
mod run_time;
mod schedule;
mod squeeze;
mod step_cost;
pub mod threads;
mod torn_surface;
mod write_thread;

pub use end::{End, NeighborMismatch, Stall};
pub use energy::EnergyReference;
pub use estimate::Estimate;
pub use limits::Breach;
pub use observer::{Observer, Requests, RunProgress};
pub use plan::{Plan, extract_surfaces};
pub use resume::{CheckpointMismatch, Notes, Resumed};
pub use run_report::RunReport;
pub use run_time::RunTime;
