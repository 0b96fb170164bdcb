//! The mesh files that a scene names.

mod files;
mod free_names;
mod load;

pub use files::{MeshFile, MeshSummary};
pub use load::{Meshes, load, paths};
