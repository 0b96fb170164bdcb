//! Rigid bodies in double precision: their masses, shapes and contact.

mod body;
mod contact_point;
mod solver;

pub use body::{InverseMass, Locks, Material, RigidState, Twist, Wrench};
pub use contact_point::ContactPoint;
pub use solver::{ContactReport, ContactState, Mobility};
