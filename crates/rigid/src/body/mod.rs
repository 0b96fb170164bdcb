//! Rigid bodies: what they are, their states, and how they move between contacts.

mod inverse_mass;
mod locks;
mod material;
mod rigid_body;
mod rotation;

pub use inverse_mass::InverseMass;
pub use locks::Locks;
pub use material::Material;
pub use rigid_body::{BodyError, BodyKind, RigidBody};
