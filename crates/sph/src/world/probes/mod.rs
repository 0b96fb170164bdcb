//! Probes: gauges in the fluid. Reading them changes nothing.

mod face;
mod interpolation;
mod level;
mod probe;
mod sensor;
mod solid_reference;
#[cfg(test)]
mod tests;

pub use face::Face;
pub use probe::{Axis, Column, Probe, Probes};
pub use solid_reference::SolidReference;
