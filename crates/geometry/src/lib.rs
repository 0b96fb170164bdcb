//! Triangle meshes for solids: reading Wavefront OBJ files, repairing them, checking that they are
//! closed, and asking what lies inside.
//!
//! ```
//! use hashfall_geometry::{Interior, Placement, obj};
//! use hashfall_core::Vec3;
//!
//! let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
//! let mesh = obj::parse(text.as_bytes())?; // closed, or an error that tells the line
//! assert!((mesh.signed_volume() - 1.0 / 6.0).abs() < 1e-6);
//! let placed = Placement { translate: [2.0, 0.0, 0.0], ..Placement::IDENTITY }.apply(&mesh);
//! assert!(Interior::new(&placed).contains(&Vec3::new(2.2, 0.2, 0.2)));
//!
//! let open = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
//! assert_eq!(obj::read(open.as_bytes())?.open.unwrap().place.unwrap().line, 4);
//! # Ok::<(), obj::ObjError>(())
//! ```
//!
//! Why a reader of our own around `tobj`: errors name line and column, and a mesh that bounds no
//! volume is refused or repaired instead of leaking fluid.
//!
//! Points, boxes and triangles are those of [`hashfall_core::geometry`], which is exported again.

mod closure;
mod disjoint_sets;
mod interior;
mod joining;
mod mesh;
pub mod obj;
mod polygon;
pub mod prism;
pub mod shape;
mod shells;
mod transform;

pub use closure::{EdgeFlaw, OpenMesh};
pub use disjoint_sets::DisjointSets;
pub use hashfall_core::geometry::*;
pub use interior::Interior;
pub use mesh::TriangleMesh;
pub use shells::count_shells;
pub use transform::{Placement, sin_cos};
