//! Points, boxes, triangles and placements.

mod aabb;
mod contact_geometry;
mod point;
#[cfg(any(test, feature = "testing"))]
pub mod random;
mod sphere;
pub mod triangle;

pub use aabb::Aabb;
pub use contact_geometry::{ContactGeometry, NoSolids};
pub use point::Point;
pub use sphere::Sphere;
