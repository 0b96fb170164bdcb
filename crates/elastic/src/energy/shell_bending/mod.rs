//! Bending of shells.

mod bending;
mod hinge;
mod plate;
mod topology;

pub use bending::{BendingLaw, ShellBending};
