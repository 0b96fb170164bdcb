//! Structures that find all pairs of boxes, a file or folder each.

pub(crate) mod linear_kd_tree;
pub(crate) mod pairs_by_queries;
pub(crate) mod row_sweep;
pub(crate) mod sweep_and_prune;
