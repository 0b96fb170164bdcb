//! Elastic energies: what an element is, the elements of a kind, all energies together, and the
//! kinds, a file each.

mod element;
mod elements;
mod energies;
mod rod_bending;
mod spring;
#[cfg(test)]
mod testing;

pub use element::{Blocks, Element, gershgorin};
pub use elements::{Elements, Energy, NodeBound};
pub use energies::{Energies, SlotBuffer};
pub use rod_bending::RodBending;
pub use spring::Spring;
