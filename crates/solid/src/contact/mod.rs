//! Contacts of particles with solids: swept motion, laws of contact, and bodies that push.

mod carrying;
mod cone;
mod impact;
mod near_surface;
mod push_out;
#[cfg(test)]
mod round_tests;
mod step_acceleration;
mod sweep;
mod sweep_filter;
#[cfg(test)]
mod tests;
mod touching;

pub use step_acceleration::StepAcceleration;
pub use sweep::{Contact, Impulse, SweepBuffer, sweep_box, sweep_reach};
