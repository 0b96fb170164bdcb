//! Triangle meshes: read from files, closed, turned outwards, and asked what lies inside.
//!
//! Points, boxes and triangles are those of [`hashfall_core::geometry`], which is exported again.

mod closure;
mod interior;
mod joining;
mod mesh;
pub mod obj;
mod polygon;
pub mod shape;
mod shells;
mod transform;

pub use closure::{EdgeFlaw, OpenMesh};
pub use hashfall_core::geometry::*;
pub use interior::Interior;
pub use mesh::TriangleMesh;
pub use shells::count_shells;
pub use transform::{Placement, sin_cos};
