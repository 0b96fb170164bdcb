//! Neighbour lists: flat, and by chunks of points.

pub(crate) mod candidates;
pub(crate) mod chunk_lists;
pub(crate) mod neighbor_lists;
