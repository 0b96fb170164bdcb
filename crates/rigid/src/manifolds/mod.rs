//! The narrow phase: where two shapes touch, how far apart they are, and when they will touch.

mod advancement;
mod contact_points;
mod convex_manifold;
mod distance;
mod pair;
mod pieces;
mod reduction;

pub use advancement::{Impact, MotionPair};
pub use contact_points::ContactLaw;
pub use pair::ShapePair;

#[cfg(test)]
mod tests;
