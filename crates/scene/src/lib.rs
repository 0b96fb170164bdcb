//! Scenes of Hashfall: a text in RON or JSON becomes a [`World`](hashfall_sph::world::World) that
//! is ready to step, or errors that are located in the text.
//!
//! ```
//! use hashfall_scene::{Source, prepare};
//!
//! let text = r#"Scene(
//!     frames: (count: 10, rate: 50.0),
//!     domain: Box(min: (0, 0, 0), max: (1, 1, 1)),
//!     particle_radius: 0.05,
//!     fluids: [(name: "water", rest_density: 1000, viscosity: 1e-6, shapes: [
//!         Box(min: (0, 0, 0), max: (0.5, 0.5, 0.5)),
//!     ])],
//! )"#;
//! let source = Source { name: "dam.ron".to_owned(), text: text.to_owned() };
//! // Reads the meshes that a scene names; this one names none.
//! let mut read_file = |path: &str| std::fs::read(path);
//! let scene = prepare(&source, &[], &mut read_file).expect("the scene is valid");
//! assert_eq!(scene.world.particles.len(), 5 * 5 * 5);
//!
//! let typo = Source { text: text.replace("viscosity", "viscosty"), ..source };
//! let errors = prepare(&typo, &[], &mut read_file).expect_err("a key is misspelt");
//! assert_eq!(errors[0].message, "unknown key `viscosty` in `Fluid`");
//! assert_eq!(errors[0].line_column(), (5, 50));
//! assert_eq!(errors[0].help.as_deref(), Some("did you mean `viscosity`?"));
//! ```
//!
//! The stages, each a module that depends on the ones before it only:
//!
//! ```text
//! text ─overrides→ edited text ─parse→ model ─check→ ─build→ world
//!                       └─spans──────────────┴ diagnostics, located where the cause was typed
//! ```
//!
//! - [`prepare`] runs all stages; [`Checked`] stops before the world is built, to estimate its
//!   size.
//! - [`Override`] changes a key, as `--set key=value` does; an error in it is located there.
//! - [`schema`] holds all keys with their types, units, bounds, defaults and descriptions.
//! - [`snippet`] renders a [`Diagnostic`] with its line and a marker.
//!
//! No path is touched: mesh files are read through a function of the caller. Problems of one stage
//! are reported together: all errors of the text, or all invalid values and meshes, or all problems
//! that only building reveals.

mod build;
mod check;
mod checked;
mod clouds;
mod convert;
mod flotation;
mod json;
mod layout;
mod lints;
mod meshes;
mod model;
mod output;
mod parse;
mod prepare;
mod prepared;
mod problem;
mod recordings;
mod scene_names;
pub mod schema;
mod settings;
mod spans;
mod text;

pub use checked::{Checked, Size};
pub use convert::{Converted, Language, convert};
pub use flotation::{Floating, FreeBodyReport, densest};
pub use meshes::{ElementSummary, MeshFile, MeshSummary};
pub use output::{Output, ParticleFormat, SurfaceFormat};
pub use parse::Document;
pub use prepare::{mesh_paths, parse_document, paths_beside, prepare, prepare_to_resume, probes};
pub use prepared::{Prepared, ReadFile, ShapeReport};
pub use scene_names::{SceneNames, SolidName};
pub use settings::{
    Checkpoints, Frames, Limits, OnBreach, PREVIEW_ANGLES, PREVIEW_SIDES, Preview, PreviewOf,
};
pub use spans::{Entry, Node};
pub use text::diagnostic::{
    Diagnostic, Severity, escape_lines, escape_unprintable, is_unprintable,
};
pub use text::scene_text::SceneText;
pub use text::source::{Override, Source};
pub use text::{paint, snippet, suggest};
