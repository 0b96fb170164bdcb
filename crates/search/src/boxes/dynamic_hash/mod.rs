//! The hierarchical hash for objects that come, move, deform and go.
//!
//! Pouchol et al. 2009, §2.2 and §3: objects in the cells of their class, cells found top-down by
//! summed keys (eq. 4), and a count of children in the place of `hasChildren`, so that removal
//! restores it ([`cells`]). A move that leaves an object in the cells where it is costs a
//! comparison; any other takes it out of at most eight cells and enters it in at most eight.
//!
//! # Classes
//!
//! The class of an object is the smallest power of two that is not below its longest edge (eq. 2),
//! nor below 2⁻³⁰ of its largest coordinate, so that positions fit 32 bits. If that class is not in
//! the set, the object takes the nearest greater one (§2.2), if it is at most [`MAX_DOUBLINGS`]
//! doublings away; else the class is opened, as objects would share cells that are far too large.
//! As keys are sums over all classes, to open one is to enter everything anew. Classes are not
//! closed while objects move, so this happens once for each [`MAX_DOUBLINGS`] + 1 octaves at most.
//!
//! A rebuild is an update: it moves what left its cells (temporal coherence). It begins anew where
//! the boxes have other classes than before, so after it the set is exactly that of the data.
//!
//! Deviations:
//! - A class is a power of two by itself, not a multiple of a finest one. The position in a class
//!   is exact: division by a power of two rounds only to a number without normal form, between −1
//!   and 1, whose floor its sign tells. So positions of larger classes are those of smaller ones
//!   halved.
//! - An object larger than the largest power of two that is a number takes more of its cells, up to
//!   four on an axis, as the article has it for objects beyond the largest class.
//! - The walk goes through the children of a cell where they are fewer than the cells that the
//!   query covers there, as in [`PlainHierarchicalHash`](crate::PlainHierarchicalHash).

mod cells;
mod structure;

pub use structure::DynamicHierarchicalHash;
