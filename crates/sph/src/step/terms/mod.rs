//! Forces beside those of a pressure scheme.

pub mod implicit_viscosity;
pub mod tension;
