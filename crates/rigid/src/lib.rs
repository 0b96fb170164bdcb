//! Rigid bodies in double precision: their masses, shapes and contact.

mod body;
mod contact_point;

pub use body::{InverseMass, Locks, Material, RigidState, Twist, Wrench};
pub use contact_point::ContactPoint;
