//! The solids near a particle.

mod faces;
mod fine;
mod fine_near;
mod mesh_streams;
mod meshes;
mod near_solids;
mod query;
mod search;
#[cfg(test)]
mod tests;

pub use near_solids::NearSolids;
pub(super) use near_solids::{NearMesh, NearRound};
