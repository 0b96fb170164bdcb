//! Rigid bodies that the fluid moves, coupled to it within a step.

pub mod contact;
pub mod coupling;
pub mod mobility;
pub mod motions;
pub mod rows;
mod stage;
mod surface_pressure;
mod surface_samples;
#[cfg(test)]
mod tests;
