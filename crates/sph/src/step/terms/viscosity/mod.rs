//! Viscosity: the forces of a velocity field, and the velocities that they lead to in a step.

pub mod bodies;
pub mod explicit;
pub mod fit;
pub mod implicit;
pub mod operator;
pub mod shares;
pub mod span;
pub mod stress;
