//! What the hash holds.

use super::lattice::{Lattice, Position};
use super::packing::Packing;
use super::scratch::Scratch;
use crate::boxes::box_blocks::Block;
use crate::boxes::box_records::Record;
use crate::cells::cell_table::CellTable;
use crate::lanes::BoxLanes;
use hashfall_core::simd::Isa;

/// Objects in cells of many sizes.
#[derive(Clone, Debug)]
pub struct HierarchicalHash {
    pub(super) isa: Isa,
    /// From this number on boxes are packed into blocks.
    pub(super) min_to_pack: usize,
    /// Around all objects.
    pub(super) bounds: Record,
    pub(super) lattice: Lattice,
    /// Size of the roots, as doublings of the finest cell.
    pub(super) root_shift: u32,
    /// Roots along each edge of the bounds, if there is one for every place.
    pub(super) dense: Option<Position>,
    /// Else the number of each root.
    pub(super) table: CellTable,
    /// The cells of the first nodes.
    pub(super) roots: Vec<Position>,
    /// Level by level, and one more that ends the records of the last.
    pub(super) nodes: Vec<Node>,
    /// Those of all of space, then those of each node, then some that overlap nothing.
    pub(super) records: Vec<Record>,
    /// How many records belong to all of space.
    pub(super) everywhere: usize,
    /// Boxes by sixteen, if there are many.
    pub(super) blocks: Vec<Block>,
    /// Around sixteen blocks each. Unless there is none, records are of groups, not of boxes.
    pub(super) groups: Vec<BoxLanes>,
    pub(super) scratch: Scratch,
    pub(super) packing: Packing,
}

/// A cell; the records up to those of the next node are its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// `hasChildren`: the subcells that are nodes, bit x + 4y + 16z.
    pub(super) subcells: u64,
    /// The subcells in which a query may find something, in them or in this cell, where groups of
    /// blocks are held; else all, and so in a cell of the finest.
    pub(super) occupied: u64,
    /// The lowest subcell's node; the others follow by ascending bits.
    pub(super) first_child: u32,
    pub(super) first_record: u32,
}
