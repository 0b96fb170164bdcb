//! Triangle meshes for solids: making them of polygons, repairing them, checking that they are
//! closed, and asking what lies inside.
//!
//! ```
//! use hashfall_geometry::{Interior, Placement, Point, Polygons};
//! use hashfall_core::Vec3;
//!
//! let mut polygons = Polygons::default();
//! let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
//! polygons.vertices.extend(corners.map(Point::from));
//! for face in [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]] {
//!     polygons.push(face);
//! }
//! let mesh = polygons.assemble()?.mesh;
//! assert!((mesh.signed_volume() - 1.0 / 6.0).abs() < 1e-6);
//! let placed = Placement { translate: [2.0, 0.0, 0.0], ..Placement::IDENTITY }.apply(&mesh);
//! assert!(Interior::new(&placed).contains(&Vec3::new(2.2, 0.2, 0.2)));
//! # Ok::<(), hashfall_geometry::PolygonError>(())
//! ```
//!
//! Files are read by the crate `hashfall-input`, whose `mesh` gives the polygons of each format to
//! [`Polygons::assemble`].
//!
//! Points, boxes and triangles are those of [`hashfall_core::geometry`], which is exported again.

mod assembly;
mod caps;
mod closure;
mod disjoint_sets;
mod interior;
mod joining;
mod mesh;
mod polygon;
pub mod prism;
mod round_mesh;
mod runs;
mod segments;
pub mod shape;
mod shells;
mod transform;
mod warning;

pub use assembly::{Assembled, OpenPolygons, PolygonError, Polygons};
pub use closure::{EdgeFlaw, OpenMesh};
pub use disjoint_sets::DisjointSets;
pub use hashfall_core::geometry::*;
pub use interior::{Interior, enclosed_volume, ray_crossing};
pub use mesh::TriangleMesh;
pub use round_mesh::{round_mesh, round_mesh_size};
pub use shells::count_shells;
pub use transform::Placement;
pub use warning::ShapeWarning;
