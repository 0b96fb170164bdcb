//! Points, boxes, triangles, balls and solids of revolution.

mod aabb;
mod contact_geometry;
mod point;
#[cfg(any(test, feature = "testing"))]
pub mod random;
mod round;
mod sphere;
pub mod triangle;

pub use aabb::Aabb;
pub use contact_geometry::{ContactGeometry, NoSolids};
pub use point::Point;
pub use round::{Meridian, Nearest, RoundSolid};
pub use sphere::Sphere;
