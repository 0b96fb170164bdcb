//! Rest shapes: structured ones, and tetrahedra inside any solid.

mod ball_surface;
mod box_tetrahedra;
mod error;
mod quality;
mod rope;
mod sheet;
mod signed_distance;
mod spring_lattice;
mod stuffing;

pub use ball_surface::{MAX_SUBDIVISIONS, ball_surface};
pub use box_tetrahedra::{BoxPattern, box_tetrahedra};
pub use error::MeshingError;
pub use quality::MeshQuality;
pub use rope::{rope, rope_ladder};
pub use sheet::sheet;
pub use signed_distance::{Ball, ImplicitShape, MeshInterior, SignedDistance};
pub use spring_lattice::spring_lattice;
pub use stuffing::stuff;
