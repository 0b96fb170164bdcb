//! Surface tension.

pub mod balance;
pub mod contact_line;
pub mod curvature;
pub mod damping;
pub mod free_surface;
pub mod line_friction;
pub mod surface_force;

pub use surface_force::Tension;
