//! Cells of space and their containers: ranges and keys of cells, tables, buckets, sorting.

pub(crate) mod buckets;
pub(crate) mod cell_range;
pub(crate) mod cell_sort;
pub(crate) mod cell_table;
pub(crate) mod classes;
pub(crate) mod h_mask;
pub(crate) mod hashed_cells;
pub(crate) mod hilbert;
pub(crate) mod hilbert_cells;
pub(crate) mod radix_sort;
pub(crate) mod rows;
