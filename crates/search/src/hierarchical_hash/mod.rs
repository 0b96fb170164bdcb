//! The hierarchical hash of Pouchol et al. 2009, made for speed: the default broad phase.
//!
//! Kept from the paper: objects of any sizes in cells of matching sizes, powers of two from the
//! data, in unbounded space; queries go top-down and end where no smaller cell holds anything
//! (`hasChildren`). [`PlainHierarchicalHash`](super::PlainHierarchicalHash) is the paper's form.
//!
//! Different:
//! - *Roots*, the largest cells, are hashed (eq. 1), or, where objects fill space, an array. Below,
//!   every cell splits its edge by four, and `hasChildren` is a word of 64 bits, one a subcell:
//!   children follow each other in one array, so that the number of set bits below a child's own is
//!   its place, and empty space ends at a bit. No hashing below the roots.
//! - An object goes down while that spares tests (`cost`): a large one into the smaller cells that
//!   it really touches, but no farther than to 27. So there are 64 records an object at most, in
//!   practice some 2 to 20.
//! - The size of the roots is the one that makes queries cheapest on average. What touches more
//!   than 64 roots belongs to all of space.
//! - Records hold the boxes, so candidates are exactly the boxes that overlap (`box_records`); the
//!   tag is the axes, as bits, on which the object was entered in lower cells, too.
//!
//! # One cell a query
//!
//! Most queries are small, of some `smallest` size d. An object is therefore entered also in the
//! cells from which a box that reaches over `reach` finest cells, at least 4d, would touch it: its
//! footprint is extended that far to lower positions. A query no larger finds all that it overlaps
//! in the cell of its lowest corner and in the cells that hold this one. It looks nowhere else and
//! meets nothing twice: let p be position, q the query, and b a box that overlaps it; then
//! p(b.min) ≤ p(q.max) ≤ p(q.min) + reach, and p(q.min) ≤ p(b.max).
//!
//! A larger query goes through all cells that it touches. Its footprint and the object's (as
//! extended) share a box of finest cells, whose lowest lies in one cell of the object only; there
//! it is reported. It is the cell where on each axis the one or the other begins: one bit an axis
//! from the query, one from the record.

mod build;
mod check;
mod corner_test;
mod cost;
mod lattice;
mod query;

use super::BroadPhase;
use super::box_records::{GROUP, Record};
use super::cell_table::CellTable;
use build::Scratch;
use hashfall_core::geometry::Aabb;
use hashfall_core::simd::Isa;
use hashfall_core::{Real, Vec3};
use lattice::{Lattice, Position};
use query::Answer;
use std::cell::Cell;

/// Objects in cells of many sizes.
#[derive(Clone, Debug)]
pub struct HierarchicalHash {
    isa: Isa,
    /// Around all objects.
    bounds: Record,
    lattice: Lattice,
    /// Size of the roots, as doublings of the finest cell.
    root_shift: u32,
    /// Roots along each edge of the bounds, if there is one for every place.
    dense: Option<Position>,
    /// Else the number of each root.
    table: CellTable,
    /// The cells of the first nodes.
    roots: Vec<Position>,
    /// Level by level, and one more that ends the records of the last.
    nodes: Vec<Node>,
    /// Those of all of space, then those of each node, then some that overlap nothing.
    records: Vec<Record>,
    /// How many records belong to all of space.
    everywhere: usize,
    scratch: Scratch,
}

/// A cell; the records up to those of the next node are its own.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// `hasChildren`: the subcells that are nodes, bit x + 4y + 16z.
    subcells: u64,
    /// The lowest subcell's node; the others follow by ascending bits.
    first_child: u32,
    first_record: u32,
}

impl Default for HierarchicalHash {
    fn default() -> Self {
        let nowhere = Aabb::new(Vec3::zeros(), Vec3::zeros());
        let mut empty = HierarchicalHash {
            isa: Isa::current(),
            bounds: Record::NOTHING,
            lattice: Lattice::new(&nowhere, 1.0),
            root_shift: 0,
            dense: None,
            table: CellTable::default(),
            roots: Vec::new(),
            nodes: Vec::new(),
            records: Vec::new(),
            everywhere: 0,
            scratch: Scratch::default(),
        };
        empty.rebuild(&[], 1.0);
        empty
    }
}

impl BroadPhase for HierarchicalHash {
    const IS_EXACT: bool = true;

    fn rebuild(&mut self, boxes: &[Aabb], smallest: Real) {
        super::assert_boxes(boxes);
        let around = boxes.iter().fold(Aabb::EMPTY, |bounds, b| bounds.union(b));
        let (bounds, covered) = if boxes.is_empty() {
            (Record::NOTHING, Aabb::new(Vec3::zeros(), Vec3::zeros()))
        } else {
            (Record::new(&around, 0, 0), around)
        };
        self.bounds = bounds;
        self.lattice = Lattice::new(&covered, smallest);
        self.build(boxes);
    }

    #[inline]
    fn candidates(&self, query: &Aabb, visit: impl FnMut(u32)) {
        self.run(query, visit);
    }

    fn examined(&self, query: &Aabb) -> usize {
        let count = Cell::new(0);
        let test = check::Counting(&count);
        if self.look(test, query, &mut |_| {}) == Answer::IsLarge {
            self.look_through(test, query, |_| {});
        }
        count.get()
    }

    fn bytes(&self) -> usize {
        let records = self.records.len() - GROUP;
        records * size_of::<Record>()
            + self.nodes.len() * size_of::<Node>()
            + self.roots.len() * size_of::<Position>()
            + self.table.bytes()
    }

    fn assert_well_formed(&self, boxes: &[Aabb]) {
        self.check(boxes);
    }
}
