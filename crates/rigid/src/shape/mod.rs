//! Shapes of bodies: what they are, where they are, and what they span.

mod bounds;
mod cell;
mod convex_hull;
mod decomposition;
mod error;
mod geometry;
mod motion;
mod scaled;
mod solid;
mod support;
#[cfg(test)]
mod test_meshes;
#[cfg(test)]
mod tests;

pub use bounds::Bounds;
pub use convex_hull::hull_volume;
pub use decomposition::{Decomposition, DecompositionSettings, decompose};
pub use error::ShapeError;
pub use motion::Motion;
pub use solid::Shape;

pub(crate) use geometry::Geometry;
pub(crate) use scaled::{parry_pose, vector, vector3};
