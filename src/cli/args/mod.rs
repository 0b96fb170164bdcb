//! The command line as the user may type it; nothing here acts.

mod measure;
mod preview;
mod report;
mod request;
mod runs;
mod schema;
pub mod select;
mod shared;
mod simulate;
mod surface;
mod sweep;
mod values;
mod whole;

pub use measure::{BenchArgs, ValidateArgs};
pub use preview::{Colour, Of, PreviewArgs};
pub use report::ReportArgs;
pub use request::Request;
pub use runs::{AuditArgs, CheckArgs, ResumeArgs};
pub use schema::SchemaArgs;
pub use shared::{CommonArgs, Log, RunArgs, SceneArgs, ThreadArgs};
pub use simulate::SimulateArgs;
pub use surface::{MeshFormat, SurfaceArgs};
pub use sweep::{SlurmArgs, SweepArgs};
pub use whole::{CompletionsArgs, ManArgs, examples, whole};
