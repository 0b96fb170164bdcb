//! The time step: pressure schemes, force terms and what they share.
//!
//! [`Stepper::step`] takes one step of a [`World`](crate::world::World).

mod advance;
mod bodies;
mod body_sums;
mod boundary;
mod change;
mod elastic;
pub mod forces;
#[cfg(test)]
mod frame_tests;
mod guard;
mod inflow;
mod outside_work;
mod pairs;
#[cfg(feature = "testing")]
mod pressure_loops;
mod report;
mod resume;
mod same_bits;
mod schemes;
mod setup;
mod snapshot;
mod solved;
mod stages;
mod step_error;
mod stepper;
mod substeps;
mod terms;
#[cfg(test)]
mod tests;
mod time_step;

pub use bodies::longest_step_by_force;
pub use elastic::ElasticFault;
pub use guard::BlowUp;
#[cfg(feature = "testing")]
pub use pressure_loops::PressureLoops;
pub use report::{ContactSummary, StepReport};
pub use resume::Memory;
pub use solved::Solved;
pub use step_error::StepError;
pub use stepper::Stepper;
pub use time_step::limits::Limit;
