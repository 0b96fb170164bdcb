//! Rigid bodies in double precision: their masses, shapes and contact.

mod contact_point;
mod manifolds;
mod shape;

pub use contact_point::ContactPoint;
pub use manifolds::{ContactLaw, Impact, MotionPair, ShapePair};
pub use shape::{
    Bounds, Decomposition, DecompositionSettings, Motion, Shape, ShapeError, decompose,
};
