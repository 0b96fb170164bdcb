//! An edge of the grid as a tile sees it.

use crate::field::grid::Point;

/// An edge of a tile: the bits of its ends, the latter perhaps of the tile above, their points in
/// the block, and its axis.
#[derive(Clone, Copy)]
pub(crate) struct TileEdge {
    pub axis: usize,
    pub is_within: bool,
    pub bits: [usize; 2],
    pub ends: [Point; 2],
}
