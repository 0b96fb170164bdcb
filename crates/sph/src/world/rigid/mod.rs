//! Contact of free bodies with each other, with walls and with all other solids.
//!
//! A world without it lets free bodies pass through everything but fluid. What never changes of the
//! bodies is shared by all copies of a world; how they press on each other is a value, which
//! snapshots and checkpoints copy. Where they are and how they move is in the states of the solids
//! alone.
//!
//! Bodies here are the free ones in their order, then one for each wall, ball, solid of revolution
//! and mesh of the other solids. Solids that deform would be passed through, so that a world with
//! both is refused, as is one with a body that may cross a periodic side, where nothing of it would
//! come in.

mod assembly;
mod contact;
mod free_shapes;
mod objects;
mod obstacles;
mod overlaps;
mod states;

pub use contact::RigidContact;
pub use free_shapes::{FreeShape, free_shapes};
pub(crate) use obstacles::from_z;
pub use overlaps::BodyOverlap;
pub(crate) use states::placed_state;
