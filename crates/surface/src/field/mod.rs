//! The volume fraction of the fluid on the grid.
//!
//! | file | content |
//! |---|---|
//! | `grid` | grid points, tiles and blocks |
//! | `cells`, `surroundings` | particles by hash cells; the particles around a block |
//! | `lanes`, `symmetric`, `profile` | eight numbers at a time, symmetric matrices, the kernel |
//! | `neighbors` | sums over the neighbours of each particle |
//! | `anisotropy`, `ellipsoid`, `anisotropic_metric` | anisotropic kernels |
//! | `separable`, `box_bound`, `window`, `interior_proof` | tiles that are proved inside |
//! | `tile`, `tile_edge` | tiles that are proved outside or evaluated, and their edges |
//! | `blocks`, `volume_fraction` | the state of all blocks, and how it is computed |

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
