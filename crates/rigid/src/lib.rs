//! Rigid bodies in double precision: their masses, shapes and contact.

mod contact_point;

pub use contact_point::ContactPoint;
