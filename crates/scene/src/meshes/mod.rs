//! The mesh files that a scene names.

mod copies;
#[cfg(test)]
mod copies_tests;
mod elements;
mod files;
mod load;
#[cfg(test)]
mod plane_tests;
mod unique_names;
mod up_axes;
mod uses;

pub use files::{ElementSummary, MeshFile, MeshSummary, beside};
pub use load::{Meshes, load};
pub use up_axes::set_up_axes;
pub use uses::paths;
