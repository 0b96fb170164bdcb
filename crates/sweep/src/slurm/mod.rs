//! Jobs of the batch system Slurm.

mod array;

pub use array::{SlurmScript, quoted, seconds};
