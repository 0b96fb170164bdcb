//! Continua: hyperelastic materials, a file each, and the elements over which they are integrated.

mod continuum_element;
mod hyperelastic;
mod neo_hookean_membrane;
mod neo_hookean_solid;
pub(crate) mod simplex;
#[cfg(test)]
mod testing;

pub use continuum_element::{ContinuumElement, QuadraturePoint};
pub use hyperelastic::{Gradient, HessianBound, Hyperelastic, MODES, Mode};
pub use neo_hookean_membrane::NeoHookeanMembrane;
pub use neo_hookean_solid::NeoHookeanSolid;
