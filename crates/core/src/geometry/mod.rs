//! Points, boxes, triangles and placements.

mod aabb;
mod contact_geometry;
#[cfg(any(test, feature = "testing"))]
pub mod random;
mod sphere;
pub mod triangle;

pub use aabb::Aabb;
pub use contact_geometry::{ContactGeometry, NoSolids};
pub use sphere::Sphere;

/// A point or direction in double precision: distances and contacts are found with these, so that
/// the state's own rounding is the only one.
pub type Point = nalgebra::Vector3<f64>;
