//! Structures over boxes, a file or folder each.

pub(crate) mod box_blocks;
pub(crate) mod box_index;
pub(crate) mod box_kd_tree;
pub(crate) mod box_records;
#[cfg(feature = "bvh")]
pub(crate) mod bvh;
pub(crate) mod dynamic_hash;
pub(crate) mod fixed_hash;
pub(crate) mod hierarchical_hash;
pub(crate) mod multilevel_hash;
pub(crate) mod plain_hierarchical_hash;
pub(crate) mod triangle_raster;
pub(crate) mod uniform_box_hash;
