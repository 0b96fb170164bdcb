//! What meshes that keep their shape add to the kernel's integral, kept from one step to the next.

mod brick;
mod bricks;
mod hermite;
mod mesh_field;
mod nearest_lists;

pub(crate) use mesh_field::{MeshField, Source};
