//! Elastic energies: what an element is, the elements of a kind, all energies together, and the
//! kinds, a file each.

pub(crate) mod continuum;
mod element;
mod elements;
mod energies;
mod rod_bending;
mod shell_bending;
mod spring;
#[cfg(test)]
pub(crate) mod testing;

pub use continuum::{
    ContinuumElement, Gradient, HessianBound, Hyperelastic, MODES, Mode, NeoHookeanMembrane,
    NeoHookeanSolid, QuadraturePoint,
};
pub use element::{Blocks, Element, gershgorin};
pub use elements::{CornerBound, Elements, Energy, NodeBound};
pub use energies::{Energies, SlotBuffer};
pub use rod_bending::RodBending;
pub use shell_bending::{BendingLaw, ShellBending};
pub use spring::Spring;
