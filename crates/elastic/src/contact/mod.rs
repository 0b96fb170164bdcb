//! Contact of elastic meshes: its contract, and what keeps it, a file or folder each.

mod collisions;

pub use collisions::{Collisions, ContactCounts, Drift, NoCollisions, NodeMotion};
