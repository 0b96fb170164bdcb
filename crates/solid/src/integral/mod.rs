//! The part of the smoothing kernel that solids cover, and the solids near a particle.

mod boundary_integral;
mod cone;
mod fraction;
mod layers;
mod mesh_flux;
mod mesh_integral;
mod near;
mod plane_table;
mod round;

pub use fraction::SolidFraction;
pub use layers::{LayerSums, SolidLayers};
pub use near::NearSolids;
pub use plane_table::PlaneTable;
