//! The surface of particles that a file holds, and how many files are worked on at a time.

mod attribute_choice;
mod error;
mod groups;
mod mesh_names;
mod settings;

pub use error::ReconstructionError;
pub use groups::groups;
pub use mesh_names::RenamedAttribute;
pub use settings::{Fluid, Reconstructed, Settings};
