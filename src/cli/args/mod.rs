//! The command line as the user may type it; nothing here acts.

mod export;
mod first_word;
mod foam;
mod measure;
mod preview;
mod report;
mod request;
mod runs;
mod schema;
pub mod select;
mod shared;
mod simulate;
mod slurm;
mod starters;
mod surface;
mod sweep;
mod usage;
mod values;
mod whole;

pub use export::ExportArgs;
pub use first_word::Surroundings;
pub use foam::FoamArgs;
pub use measure::{BenchArgs, ValidateArgs};
pub use preview::{Colour, Of, PreviewArgs};
pub use report::ReportArgs;
pub use request::Request;
pub use runs::{AuditArgs, CheckArgs, ResumeArgs};
pub use schema::SchemaArgs;
pub use shared::{CommonArgs, Log, RunArgs, SceneArgs, TextArgs, ThreadArgs};
pub use simulate::SimulateArgs;
pub use slurm::SlurmArgs;
pub use starters::{ConvertArgs, ListArgs, NewArgs};
pub use surface::{MeshFormat, SurfaceArgs};
pub use sweep::SweepArgs;
pub use usage::UsageError;
pub use whole::{CompletionsArgs, ManArgs, examples, whole, whole_with_scene};
