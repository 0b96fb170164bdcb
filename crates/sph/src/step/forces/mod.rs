//! Forces for [`Stepper::add_force`](super::Stepper::add_force).

pub mod drag;
