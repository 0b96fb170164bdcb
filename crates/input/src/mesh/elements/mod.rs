//! Meshes of elements: lines, triangles and tetrahedra with named sets of nodes, the rest shapes of
//! elastic bodies.
//!
//! | file | content |
//! |---|---|
//! | `read` | the format of a file, by its content |
//! | `assembly` | what is the same for all formats: what is checked, put right and left out |
//! | `msh`, `msh_numbers` | Gmsh's `.msh` 4.1, ASCII and binary |
//! | `msh_v2` | the same of version 2 |
//! | `vtk` | VTK's legacy files: grids and polygons |
//!
//! Files of surfaces alone (STL, OBJ, PLY, glTF) are read as other meshes are, and their triangles
//! are shells.

mod assembly;
mod msh;
mod msh_numbers;
#[cfg(test)]
mod msh_tests;
mod msh_v2;
mod read;
mod vtk;
#[cfg(test)]
mod vtk_tests;

pub use assembly::{ElementMesh, NodeGroup};
pub(super) use msh::{FORMAT as GMSH, read as read_gmsh};
pub use read::{read_elements, read_elements_with_files};
