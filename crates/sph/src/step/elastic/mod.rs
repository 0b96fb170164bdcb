//! Elastic bodies within a step: what advances them, the forces that act on them, and how long a
//! step may be where there is no fluid.

mod fault;
mod field;
mod stage;
mod step_length;
mod surfaces;

#[cfg(test)]
mod tests;

pub use fault::ElasticFault;
pub use stage::ElasticStage;
pub use step_length::step_without_fluid;
