//! What tests of elastic bodies need here and in other crates: no part of the library's interface.

mod plane;
mod run;

pub use plane::Plane;
pub use run::{Run, symplectic};
