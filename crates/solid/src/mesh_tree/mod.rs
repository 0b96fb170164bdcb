//! Hierarchies over the triangles of fine meshes: what is near a place, and what a mesh adds to the
//! kernel's integral there, at a cost that does not grow with the number of its triangles.

mod bounds;
mod build;
mod disc;
mod driven_mesh;
mod driven_meshes;
mod fine_mesh;
mod fine_meshes;
mod flux;
mod mesh_trees;
mod moment_sums;
mod moments;
mod nearest;
mod tree;
mod walk;
mod winding;

pub(crate) use fine_mesh::FineMesh;
pub(crate) use mesh_trees::{MeshTrees, TopLevel};
pub(crate) use nearest::{FACING, NearTriangle, by_distance, is_another_face, nearest_of};
pub(crate) use tree::MeshTree;
