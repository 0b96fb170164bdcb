//! Parameter sweeps: from axes over any key of a scene to points, and from their runs to a table.
//!
//! ```text
//! sweep.ron ─read→ axes ─→ points ─→ manifest ─→ a run for each ─→ outcome ─┐
//! --set key=a,b,c ─┘                                                 tables ┴→ results
//! ```
//!
//! | file | what it does |
//! |---|---|
//! | `model` | what a sweep file may say |
//! | `read` | its text to axes, every fault at its place |
//! | `axes` | ranges, random numbers, Latin hypercubes |
//! | `points` | all combinations of the axes |
//! | `manifest` | what is run, fixed before the first point |
//! | `outcome` | how a point ended |
//! | `results` | a row for each point: its parameters, and its tables in a few numbers |
//! | `parquet` | the same table in columns, with the feature `parquet` |
//! | `slurm` | the script that runs the points on a cluster |
//!
//! Nothing here touches a file or starts a run: `cli::sweep` does.

mod axes;
mod manifest;
mod model;
mod outcome;
#[cfg(feature = "parquet")]
mod parquet;
mod points;
mod read;
mod results;
mod slurm;
#[cfg(test)]
mod tests;

pub use axes::{Cell, Column};
pub use manifest::{MANIFEST_CSV, Manifest, Parameter, SWEEP_JSON, SweepRecord};
pub use outcome::{OUTCOME_JSON, PointOutcome, PointStatus};
pub use points::{MAX_POINTS, ParameterSweep};
pub use read::{SweepFile, add_setting};
pub use results::{PointFiles, Results};
pub use slurm::{SlurmScript, quoted, seconds};
