//! The linear kd-tree: parts of boxes sorted by the cells that hold them, and one sweep.
//!
//! Poirrier 2009. Space is halved again and again; a box is cut into up to eight [`parts`], and
//! each part stands in an array as the number of the smallest cell around it ([`cells`]). Sorted by
//! number the array is a pre-order walk of a tree that is never built. Two boxes can overlap only
//! if a cell of one lies in a cell of the other, so one sweep with a stack of the cells around the
//! present one meets all candidates (§5.5).
//!
//! - [`LinearKdTree1`] proposes each such pair of parts: a pair of boxes up to eight times.
//! - [`LinearKdTree2`] makes pairs unique and tests boxes. Where two boxes overlap, the lowest
//!   corner of what they share lies in one part of each; there the pair is reported, and nowhere
//!   else. The paper lists pairs and sorts out the doubles, which takes memory for all of them.
//!
//! - [`CoherentLinearKdTree`] is the second, and continues from its last order ([`coherence`]).
//!
//! Beyond the paper: making parts, sorting (by radix) and sweeping are parallel (§7.2): a piece of
//! the sweep finds its stack by the path from the root to its first cell. And boxes may be asked
//! for ([`BroadPhase`]), though the array has no way but binary search to a cell.
//!
//! Where equal boxes are small in a large space all parts lie in finest cells, and the tree is a
//! uniform grid whose cells are sorted. Large among small boxes keep to large cells.

mod cells;
mod coherence;
mod parts;
mod past;
mod query;
mod tree;

pub use cells::RootCell;
pub use tree::{
    CoherentLinearKdTree, LinearKdTree, LinearKdTree1, LinearKdTree2, LinearKdTreeSettings,
};
