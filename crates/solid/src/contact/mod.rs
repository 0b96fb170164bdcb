//! Contacts of particles with solids: swept motion, laws of contact, and bodies that push.

mod advancement;
mod carrying;
mod cone;
mod impact;
mod near_surface;
mod push_out;
#[cfg(test)]
mod round_tests;
mod step_acceleration;
mod sweep;
mod sweep_buffer;
mod sweep_filter;
mod swept_motion;
#[cfg(test)]
mod tests;
mod touching;

pub use step_acceleration::StepAcceleration;
pub use sweep::{Contact, sweep_box, sweep_reach};
pub use sweep_buffer::{Impulse, SweepBuffer};
