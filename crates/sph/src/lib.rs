//! Smoothed particle hydrodynamics: the state of a simulation as a value, and its time step.

pub mod step;
pub mod world;
