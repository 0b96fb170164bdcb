//! The fluid's surface: a volume-fraction field on the hash cells, cut by marching cubes.
//!
//! The grid is made of blocks, about as large as a hash cell of size h (the support radius), and
//! these of tiles of 4³ points. Tiles that the surface cannot cross are not evaluated, by proved
//! bounds; each grid point is decided once; the triangle table keeps the mesh closed whatever the
//! values (`cases`). The work runs over blocks in parallel and its result is the same bytes for any
//! number of threads.
//!
//! | file | step |
//! |---|---|
//! | `sorted` | plain particles sorted by cells, with volumes |
//! | `neighbors` | sums over the particles around each particle |
//! | `grid` | points, tiles and blocks |
//! | `cells` | which blocks particles reach; the particles around a block |
//! | `profile` | the kernel on eight numbers |
//! | `anisotropy` | the shapes of anisotropic kernels |
//! | `stretch` | how round and stretched kernels measure distance |
//! | `separable`, `smear`, `window`, `inside` | tiles that are proved inside |
//! | `tile` | tiles that are proved outside, or evaluated |
//! | `field` | what is known of all blocks |
//! | `cases` | the triangles of each sign pattern, by rule |
//! | `marching` | crossing edges → vertex numbers; triangles |
//! | `vertices` | positions |
//! | `carry` | normals of the field, and attributes |
//! | `phases` | several fluids: a mesh for each, with shared interfaces |
//! | `finish` | clean-up, smoothing, flat contact with solids, normals, decimation |
//! | `audit` | is the mesh closed and 2-manifold; its volume |
//!
//! Sources: Lorensen & Cline 1987 (marching cubes); splashsurf (Löschner et al. 2023) for the field
//! and its usual parameters. Deviations are named in each file.

mod field;
mod input;
mod interface_audit;
mod interpolate;
mod marching;
mod mesh;
mod mesh_audit;
mod phases;
mod postprocess;
mod reconstruct;
mod settings;
mod slices;
mod sorted;
#[cfg(test)]
mod tests;

pub use input::{Phases, SurfaceInput};
pub use interface_audit::InterfaceAudit;
pub use mesh::{SurfaceMesh, Surfaces};
pub use mesh_audit::MeshAudit;
pub use postprocess::single::postprocess;
pub use reconstruct::fluids::reconstruct_phases;
pub use reconstruct::single::{Reconstruction, extract, grid_spacing, reconstruct};
pub use settings::{ANISOTROPY, Clip, SurfaceSettings};
pub use sorted::SortedParticles;
