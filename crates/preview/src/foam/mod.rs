//! Whitewater: the points of a frame's file, and how they are drawn.

mod layers;
mod points;

pub use layers::{Below, FoamLayers, FoamView};
pub use points::{FoamPoint, read_foam};
