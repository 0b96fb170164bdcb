//! Warnings of what is legal and hardly meant.

mod emitters;
mod gaps;
mod idle;
mod meshes;
mod speeds;

pub use emitters::odd_exchange;
pub use gaps::{Bounds, gaps};
pub use idle::idle_keys;
pub use meshes::{Placed, hint, odd_meshes};
pub use speeds::too_fast_for_frames;
