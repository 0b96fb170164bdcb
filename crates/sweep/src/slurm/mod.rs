//! Scripts for Slurm.

mod array;
mod job;
mod run;
mod words;

pub use array::SweepScript;
pub use job::SlurmJob;
pub use run::{RunScript, TakeUp};
pub use words::seconds;
