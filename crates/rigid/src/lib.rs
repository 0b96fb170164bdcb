//! Rigid bodies in double precision: their masses, shapes and contact.

mod body;
mod contact_point;
mod manifolds;
mod shape;
mod solver;

pub use body::{InverseMass, Locks, Material, RigidState, Twist, Wrench};
pub use contact_point::ContactPoint;
pub use manifolds::{ContactLaw, Impact, MotionPair, ShapePair};
pub use shape::{
    Bounds, Decomposition, DecompositionSettings, Motion, Shape, ShapeError, decompose,
};
pub use solver::{ContactReport, ContactState, Mobility};
