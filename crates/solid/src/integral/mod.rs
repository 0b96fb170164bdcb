//! The part of the smoothing kernel that solids cover, and the solids near a particle.

mod boundary_integral;
mod clearance;
mod cone;
mod field;
mod fraction;
mod layers;
mod mesh_flux;
mod mesh_integral;
mod near;
mod plane_table;
#[cfg(test)]
mod rays;
mod round;
#[cfg(test)]
mod testing;

pub(crate) use field::{MeshField, Source};
pub use fraction::SolidFraction;
pub use layers::{LayerSums, SolidLayers};
pub(crate) use mesh_integral::Flux;
pub use near::NearSolids;
pub use plane_table::PlaneTable;
pub(crate) use plane_table::Radial;
