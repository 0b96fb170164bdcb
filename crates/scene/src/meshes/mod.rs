//! The mesh files that a scene names.

mod files;
mod load;
#[cfg(test)]
mod plane_tests;
mod unique_names;

pub use files::{MeshFile, MeshSummary};
pub use load::{Meshes, load, paths};
