//! Rigid bodies that the fluid moves, coupled to it within a step.

pub mod body_contact;
pub mod contact;
#[cfg(test)]
mod contact_tests;
pub mod coupling;
mod covers;
mod film;
#[cfg(test)]
mod film_tests;
mod films;
#[cfg(test)]
mod fine_tests;
#[cfg(test)]
mod lab;
pub mod mobility;
pub mod motions;
mod near_fluid;
mod prediction;
#[cfg(test)]
mod random_tests;
pub mod rows;
mod stage;
mod surface_pressure;
mod surface_samples;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod touch_tests;
mod viscous_step;

pub use viscous_step::longest_step_by_force;
