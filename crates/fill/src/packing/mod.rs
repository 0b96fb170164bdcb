//! Particles packed into a region of any shape: as many as its volume asks for, half a spacing or
//! more from its boundary, as even as may be.

mod blocks;
mod cells;
mod grid;
mod pack;
mod pair_sums;
mod relax;
mod repulsion;
mod seeds;
mod surroundings;
#[cfg(test)]
mod tests;

pub use cells::{Cells, REACH, SignedDistance};
pub use grid::Grid;
pub use pack::{Packing, pack};
pub use seeds::Lattice;
