//! Neighbour lists: flat, by chunks of points, and compact ones for sums.

pub(crate) mod candidates;
pub(crate) mod chunk_lists;
pub(crate) mod compact_lists;
pub(crate) mod neighbor_lists;
