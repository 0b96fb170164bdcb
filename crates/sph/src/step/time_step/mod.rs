//! How long a step is.

pub mod growth;
pub mod individual_steps;
pub mod limits;
pub mod state_bounds;
