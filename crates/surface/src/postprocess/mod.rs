//! What follows marching cubes: from a mesh with bumps and slivers to a smooth and even one, closed
//! and 2-manifold after each step.
//!
//! | file | step |
//! |---|---|
//! | `components`, `split` | connected components; those that are too small are removed |
//! | `contact` | vertices near a wall or solid move onto it, and dents there are filled |
//! | `simplify/cluster` | vertices around a grid point, and amid contact with a wall, merge |
//! | `simplify/cleanup` | short edges and slivers that are left are collapsed |
//! | `smoothing/weights` | the smoothing weight of each vertex |
//! | `smoothing/walk` | many iterations at the price of a few |
//! | `smoothing/smooth` | weighted Laplacian smoothing; vertices on solids slide along them |
//! | `smoothing/volume`, `pressure` | each component gets the volume back that smoothing changed |
//! | `smoothing/repair_folds` | folded triangles move back, degenerate ones are widened |
//! | `normals` | normals of the moved mesh |
//! | `simplify/decimate` | edges collapse where fewer triangles suffice |
//!
//! `single` runs these steps for one fluid, `shared` for the shared surfaces of several. `rings`
//! and `stencil` list the neighbours of each vertex, `triangle` measures the quality of a triangle.
//!
//! The result is the same bytes for any number of threads.

pub(crate) mod components;
pub(crate) mod contact;
pub(crate) mod normals;
pub(crate) mod rings;
pub(crate) mod shared;
pub(crate) mod simplify;
pub(crate) mod single;
pub(crate) mod smoothing;
pub(crate) mod split;
pub(crate) mod stencil;
pub(crate) mod triangle;
