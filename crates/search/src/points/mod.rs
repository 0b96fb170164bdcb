//! Structures over points, a file each.

pub(crate) mod cell_index;
pub(crate) mod extended_hash;
pub(crate) mod fixed_uniform_hash;
pub(crate) mod grid_cell_hash;
pub(crate) mod insertion_hash;
pub(crate) mod point_kd_tree;
pub(crate) mod sorted_cells;
pub(crate) mod uniform_hash;
