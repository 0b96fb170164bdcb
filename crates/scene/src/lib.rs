//! From text to world: the scene's model, its diagnostics, and what is built from it.
//!
//! ```text
//! text ─overrides→ edited text ─parse→ Model ─check→ ─build→ World
//!                       └─spans──────────────┴ diagnostics, shown where the cause was typed
//! ```
//!
//! [`prepare`] is the whole way, and [`Checked`] its middle. It touches no path: files that a scene
//! names are read through a function that the caller gives. Problems of one kind are reported
//! together: all faults of the text, or all bad values and meshes, or all that only building can
//! tell.

mod build;
mod check;
mod checked;
mod layout;
mod lints;
mod meshes;
mod model;
mod parse;
mod prepare;
mod prepared;
mod problem;
pub mod schema;
mod settings;
mod spans;
mod text;

pub use checked::{Checked, Size};
pub use meshes::{MeshFile, MeshSummary};
pub use parse::Document;
pub use prepare::{mesh_paths, parse_document, prepare, prepare_to_resume, probes};
pub use prepared::{Prepared, ReadFile};
pub use settings::{
    Checkpoints, Frames, Limits, OnBreach, Output, PREVIEW_ANGLES, PREVIEW_SIDES, Preview,
    PreviewOf, SurfaceFormat,
};
pub use spans::{Entry, Node};
pub use text::diagnostic::{Diagnostic, Severity, escape_unprintable, is_unprintable};
pub use text::scene_text::SceneText;
pub use text::source::{Override, Source};
pub use text::{paint, snippet, suggest};
