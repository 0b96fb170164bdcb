//! Parameter sweeps: from axes over any key of a scene to points, and from their runs to a table.
//!
//! ```text
//! sweep.ron ─read→ axes ─→ points ─→ manifest ─→ a run for each ─→ outcome ─┐
//! --set key=a,b,c ─┘                                                 tables ┴→ results
//! ```
//!
//! | file | what it does |
//! |---|---|
//! | `model` | the keys of a sweep file |
//! | `read` | its text to axes, with the location of every error |
//! | `axes` | ranges, random numbers, Latin hypercubes |
//! | `points` | all combinations of the axes |
//! | `manifest` | the points, fixed before the first one runs |
//! | `outcome` | the outcome of a point |
//! | `results` | a row per point: its parameters, and statistics of its tables |
//! | `parquet` | the same table in columns, with the feature `parquet` |
//! | `slurm` | the scripts that run points, or one run, on a cluster |
//!
//! Nothing here touches a file or starts a run: the command line does.

mod axes;
mod error;
mod file_names;
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
pub use error::{ManifestError, VersionMismatch};
pub use file_names::{MANIFEST_CSV, SWEEP_JSON};
pub use manifest::{Manifest, Parameter, SweepRecord};
pub use outcome::{OUTCOME_JSON, PointOutcome, PointStatus};
pub use points::{MAX_POINTS, ParameterSweep};
pub use read::{SweepFile, add_setting};
pub use results::{PointFiles, Results};
pub use slurm::{RunScript, SlurmJob, SweepScript, TakeUp, seconds};
