//! Systems of bodies: contacts found and solved, steps taken.

mod contacts;
mod drift;
mod impacts;
mod neighbors;
mod rigid_system;
mod settings;
mod snapshot;
mod targets;
#[cfg(test)]
mod tests;
mod work_of_driven;

pub use rigid_system::{ContactSolution, DriftReport, RigidSystem};
pub use settings::{RigidError, RigidSettings};
pub use snapshot::RigidSnapshot;
