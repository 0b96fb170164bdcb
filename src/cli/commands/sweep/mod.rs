//! `sim sweep`: from a sweep's file, a scene with lists of values, or the folder of a sweep to runs
//! of its points and a table of results.

mod collect;
mod command;
mod point;
mod progress_board;
mod slurm;
mod workers;

pub use collect::report;
pub use command::sweep;
