//! Mesh files of other programs: bytes to a triangle mesh.
//!
//! ```
//! use hashfall_input::mesh;
//!
//! let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
//! let mesh = mesh::parse(text.as_bytes())?; // closed, or an error that tells the line
//! assert!((mesh.signed_volume() - 1.0 / 6.0).abs() < 1e-6);
//!
//! let open = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
//! let error = mesh::read(open.as_bytes())?.open.unwrap();
//! assert_eq!(error.place.unwrap().line_and_column(), Some((4, 1)));
//! # Ok::<(), mesh::MeshError>(())
//! ```
//!
//! A format is told by the file's content, whatever its name. Each is one file here and one line in
//! the table of `registry`; it gives polygons, and the names of their places. What follows is the
//! same for all (`imported`): [`Polygons::assemble`](hashfall_geometry::Polygons::assemble) cuts,
//! welds, joins and turns, and faults are told by the names of faces.
//!
//! Meshes of lines, triangles and tetrahedra with named groups of nodes, for elastic bodies, are
//! read by [`read_elements`].
//!
//! The numbers are read by crates: tobj, stl_io, gltf, vtkio; those of PLY here. None tells the
//! place of every fault, and each takes something broken for sound or something sound for broken;
//! so each format first checks a file by a scanner of its own and gives the crate only what makes
//! the shape. Normals, colours, texture coordinates, materials, groups and names do not matter here
//! and cannot be wrong.

mod elements;
mod error;
mod face;
mod format;
#[cfg(test)]
mod format_tests;
mod gltf;
mod gltf_document;
mod gltf_numbers;
#[cfg(test)]
mod gltf_tests;
mod gmsh;
#[cfg(test)]
mod gmsh_tests;
mod imported;
mod obj;
mod obj_scan;
#[cfg(test)]
mod obj_tests;
mod place;
mod ply;
mod ply_rows;
#[cfg(test)]
mod ply_tests;
mod registry;
#[cfg(test)]
mod shape_tests;
mod stl;
#[cfg(test)]
mod stl_tests;
mod stl_text;
mod strips;
mod text;
mod uri;
mod vtk;
mod vtk_cells;
#[cfg(test)]
mod vtk_tests;
mod vtk_xml;
#[cfg(test)]
mod vtk_xml_tests;
mod warning;

pub use elements::{ElementMesh, NodeGroup, read_elements, read_elements_with_files};
pub use error::{MeshError, MeshProblem};
pub use face::{FaceName, FaceUnit};
pub use format::{Beside, UpAxis};
pub use gltf_document::{files_beside, with_renamed_files};
pub use imported::{ImportedMesh, parse, read, read_with_files};
pub use place::Place;
pub use registry::list_formats;
pub use text::text;
pub use warning::MeshWarning;
