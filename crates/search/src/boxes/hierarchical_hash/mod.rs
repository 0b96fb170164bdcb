//! The hierarchical hash of Pouchol et al. 2009, made for speed: the default broad phase.
//!
//! Kept from the paper: objects of any sizes in cells of matching sizes, powers of two from the
//! data, in unbounded space; queries go top-down and end where no smaller cell holds anything
//! (`hasChildren`). [`PlainHierarchicalHash`](crate::PlainHierarchicalHash) is the paper's form.
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
//! - Many boxes (`cost::MIN_TO_PACK`) are *packed*: sixteen that lie together, by their places
//!   along Hilbert's curve, are a block, and sixteen blocks a group (`packing`). The cells then
//!   hold groups; a query tests the blocks of those that it overlaps, and the boxes of these
//!   blocks, sixteen at a time (`overlaps`). A box is there once, in 30 bytes and not in a
//!   thousand, so that all of it stays in the cache.
//!   A cell knows in which of its subcells a block may be found (`Node::occupied`), so that most
//!   queries far from all boxes end at a bit. Bits of finer cells over all of space spared half of
//!   the queries that continue, and took longer to make than they spared.
//! - Many queries to packed boxes are answered at once: test by test, not query by query.
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

mod broad_phase;
mod build;
mod check;
mod corner_test;
mod cost;
mod lattice;
mod overlaps;
mod packing;
mod query;
mod scratch;
mod structure;

pub use structure::HierarchicalHash;
