//! Contact of elastic meshes: its contract, and what keeps it, a file or folder each.

mod collisions;
mod error;
mod full;
mod intersections;
pub mod narrow;
mod spatial_hash;

pub use collisions::{Collisions, ContactCounts, Drift, NoCollisions, NodeMotion, SolidMotion};
pub use error::ContactError;
pub use full::{ContactPair, FullContact};
pub use intersections::{Intersection, body_intersections, intersections};
pub use spatial_hash::{
    CellSize, Insertion, Rasterization, SpatialHashContact, SpatialHashError, SpatialHashSettings,
};
