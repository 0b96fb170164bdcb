//! Shapes without meaning: boxes, triangles, meshes and their files.

mod aabb;
mod closure;
mod interior;
mod joining;
mod mesh;
pub mod obj;
mod polygon;
#[cfg(test)]
pub(crate) mod random;
pub mod shape;
mod shells;
mod transform;
pub mod triangle;

pub use aabb::Aabb;
pub use closure::{EdgeFlaw, OpenMesh};
pub use interior::Interior;
pub use mesh::TriangleMesh;
pub use shells::count_shells;
pub use transform::{Placement, sin_cos};

/// A point or direction in double precision: distances and contacts are found with these, so that
/// the state's own rounding is the only one.
pub type Point = nalgebra::Vector3<f64>;
