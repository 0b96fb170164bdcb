//! Closed triangle meshes of particle fluids: points in, a watertight, oriented 2-manifold out.
//!
//! ```
//! let points: Vec<[f32; 3]> = (0..1000)
//!     .map(|i: u16| [i % 10, i / 10 % 10, i / 100].map(|k| 0.1 * f32::from(k)))
//!     .collect();
//! let mesh = hashfall_surface::mesh_points(&points, 0.05)?;
//! assert!(mesh.audit().is_sound());
//! assert!((mesh.volume() - 1.0).abs() < 0.05, "1000 particles of 0.1³ m³");
//! # Ok::<(), hashfall_surface::SurfaceError>(())
//! ```
//!
//! [`mesh_points`] and [`SurfaceBuilder`] take plain points and check them. [`reconstruct`] and
//! [`reconstruct_phases`] take particles that are sorted already, as a running simulation has them.
//! [`Reconstruction`] gives the raw mesh, and normals and attributes at any points.
//!
//! # Method
//!
//! The fluid's volume fraction φ = Σ V W is evaluated on a grid of blocks, each about as large as a
//! hash cell of size h (the support radius), which consist of tiles of 4³ points. Proved bounds
//! exclude tiles that the surface cannot cross. Each grid point is classified once, by the tile
//! that owns it. Marching cubes joins the crossing edges; its triangle table keeps the mesh closed
//! for any values. Blocks are processed in parallel, and the mesh is the same bytes for any number
//! of threads.
//!
//! | folder or file | content |
//! |---|---|
//! | `input`, `sorted`, `builder`, `error` | particles, sorting and volumes, checks |
//! | `field` | the volume fraction on the grid: cells, kernels, bounds, evaluation |
//! | `phases` | which of several fluids each grid point belongs to |
//! | `marching` | triangle tables, vertices, triangles; junctions of several fluids |
//! | `interpolate`, `kernel_sums` | normals of the field and attributes at vertices |
//! | `postprocess` | clean-up, smoothing, flat contact with solids, normals, decimation |
//! | `reconstruct` | all steps in order, for one fluid and for several |
//! | `mesh`, `mesh_audit`, `interface_audit` | the mesh, and checks that it is closed and shared |
//!
//! Sources: Lorensen & Cline 1987 (marching cubes); splashsurf (Löschner et al. 2023) for the field
//! and its default parameters. Each file names its deviations.

mod builder;
mod error;
mod field;
mod input;
mod interface_audit;
mod interpolate;
mod kernel_sums;
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

pub use builder::{Position, SurfaceBuilder, mesh_points};
pub use error::SurfaceError;
pub use input::{Phases, SurfaceInput};
pub use interface_audit::InterfaceAudit;
pub use mesh::{SurfaceMesh, Surfaces};
pub use mesh_audit::MeshAudit;
pub use postprocess::single::{WeightsAt, postprocess};
pub use reconstruct::fluids::reconstruct_phases;
pub use reconstruct::single::{Reconstruction, extract, grid_spacing, reconstruct};
pub use settings::{ANISOTROPY, COMPONENT_VOLUMES, Clip, DECIMATION, ITERATIONS, SurfaceSettings};
pub use sorted::SortedParticles;
