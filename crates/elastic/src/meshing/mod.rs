//! Rest shapes: structured ones, and tetrahedra inside any solid.

mod ball_surface;
mod box_tetrahedra;
mod error;
mod rope;
mod sheet;
mod spring_lattice;

pub use ball_surface::{MAX_SUBDIVISIONS, ball_surface};
pub use box_tetrahedra::{BoxPattern, box_tetrahedra};
pub use error::MeshingError;
pub use rope::{rope, rope_ladder};
pub use sheet::sheet;
pub use spring_lattice::spring_lattice;
