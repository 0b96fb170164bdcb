//! The field on the grid.

pub(crate) mod anisotropic_metric;
pub(crate) mod anisotropy;
pub(crate) mod blocks;
pub(crate) mod box_bound;
pub(crate) mod cells;
pub(crate) mod ellipsoid;
pub(crate) mod grid;
pub(crate) mod interior_proof;
pub(crate) mod lanes;
pub(crate) mod neighbors;
pub(crate) mod profile;
pub(crate) mod separable;
pub(crate) mod surroundings;
pub(crate) mod symmetric;
pub(crate) mod tile;
pub(crate) mod tile_edge;
pub(crate) mod volume_fraction;
pub(crate) mod window;
