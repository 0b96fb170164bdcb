//! Hierarchies over the triangles of fine meshes: what is near a place, and what a mesh adds to the
//! kernel's integral there, at a cost that does not grow with the number of its triangles.

mod disc;
mod fine_mesh;
mod fine_meshes;
mod flux;
mod moments;
mod nearest;
mod tree;
mod walk;
mod winding;

pub(crate) use fine_meshes::MeshTrees;
pub(crate) use nearest::{FACING, NearTriangle, by_distance, is_another_face};
pub(crate) use tree::MeshTree;
