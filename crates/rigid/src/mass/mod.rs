//! Masses, centres and moments of inertia by exact integrals.

mod error;
mod mesh;
mod primitives;
mod properties;
mod section;

pub use error::MassError;
pub use mesh::{mesh_mass, triangles_mass};
pub use primitives::{ball_mass, capsule_mass, cone_mass, cuboid_mass, cylinder_mass};
pub use properties::{Amount, MassProperties};
pub use section::section_mass;
