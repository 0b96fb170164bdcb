//! Masses, centres and moments of inertia by exact integrals, and how bodies float.

mod error;
mod immersion;
mod mesh;
mod primitives;
mod properties;
mod section;

pub use error::MassError;
pub use immersion::{Immersion, floating_level};
pub use mesh::{mesh_mass, triangles_mass};
pub use primitives::{
    ball_mass, capsule_mass, cone_mass, cuboid_mass, cylinder_mass, frustum_mass,
};
pub use properties::{Amount, MassProperties};
pub use section::{disc_mass, section_mass};
