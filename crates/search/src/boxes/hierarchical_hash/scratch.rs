//! Memory that is kept between builds.

use super::lattice::{Footprint, Position};
use crate::cells::buckets::Buckets;

/// What is kept between builds for its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    pub(super) footprints: Vec<Footprint>,
    /// Those of the blocks, sixteen an object, where objects are groups of blocks.
    pub(super) of_blocks: Vec<Footprint>,
    /// For each object the smallest cells it may go down to, as doublings of the finest.
    pub(super) lowest: Vec<u8>,
    /// Each object with a root that it touches.
    pub(super) in_root: Vec<(u32, u32)>,
    pub(super) of_root: Buckets<u32>,
    /// The level whose nodes are made, and the one below.
    pub(super) level: Level,
    pub(super) below: Level,
    /// The subcells that the objects of a cell go down to.
    pub(super) subcells: Vec<u64>,
}

/// Cells of one size, and the objects dealt to each.
#[derive(Clone, Debug, Default)]
pub(super) struct Level {
    pub(super) cells: Vec<Position>,
    /// Where the objects of each cell start, and their end.
    pub(super) starts: Vec<u32>,
    pub(super) objects: Vec<u32>,
}
