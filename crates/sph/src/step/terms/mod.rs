//! Forces beside those of a pressure scheme.

pub mod custom_force;
pub mod nozzle_hold;
pub mod registry;
pub mod tension;
pub mod term;
pub mod viscosity;
