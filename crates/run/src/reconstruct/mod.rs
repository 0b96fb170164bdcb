//! The surface of particles that a file holds, and how many files are worked on at a time.

mod attribute_choice;
mod error;
mod groups;
mod settings;

pub use error::ReconstructionError;
pub use groups::groups;
pub use settings::{Fluid, Reconstructed, Settings};
