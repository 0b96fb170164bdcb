//! How long a step is.

pub mod individual_steps;
pub mod limits;
