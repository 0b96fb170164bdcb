//! parry3d's trees of the primitives of a mesh.

use super::CHUNK;
use parry3d::bounding_volume::Aabb;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use rayon::prelude::*;

/// Trees, by what they are of.
pub const VERTICES: usize = 0;
/// The same.
pub const EDGES: usize = 1;
/// The same.
pub const TRIANGLES: usize = 2;

/// A box, its number, and the margin that a leaf keeps: none.
pub type Leaf = (Aabb, u32, f32);

/// What becomes of a tree when boxes move.
#[derive(Clone, Copy, PartialEq)]
pub enum Update {
    /// It is built anew.
    Rebuild,
    /// It stays, with other boxes.
    Refit,
}

/// A tree of each kind of primitives; none of vertices that ask.
#[derive(Default)]
pub struct Forest {
    /// The trees.
    pub trees: [Bvh; 3],
    workspaces: [BvhWorkspace; 3],
}

fn is_parallel() -> bool {
    rayon::current_num_threads() > 1
}

fn refit(tree: &mut Bvh, leaves: &[Leaf], workspace: &mut BvhWorkspace) {
    if is_parallel() {
        tree.insert_or_update_batch_partially_parallel(leaves, &mut vec![]);
        tree.refit_parallel(workspace);
    } else {
        for (b, k, margin) in leaves {
            tree.insert_or_update_partially(*b, *k, *margin);
        }
        tree.refit(workspace);
    }
}

impl Forest {
    /// Takes the boxes of all primitives, but for the trees before the `first`.
    pub fn update(
        &mut self,
        first: usize,
        update: Update,
        boxes: &[Vec<Aabb>; 3],
        leaves: &[Vec<Leaf>; 3],
    ) {
        let trees = self.trees[first..].par_iter_mut().zip(&mut self.workspaces[first..]);
        let sides = boxes[first..].par_iter().zip(&leaves[first..]);
        trees.zip(sides).for_each(|((tree, workspace), (boxes, leaves))| {
            if update == Update::Rebuild || tree.is_empty() {
                *tree = Bvh::from_leaves(BvhBuildStrategy::Binned, boxes);
            } else {
                refit(tree, leaves, workspace);
            }
        });
    }

    /// Visits the vertices and triangles whose boxes overlap, and the edges, each with what is of
    /// its task.
    pub fn traverse<T: Default + Send>(
        &mut self,
        of_vertices: impl Fn(&mut T, u32, u32) + Sync,
        of_edges: impl Fn(&mut T, u32, u32) + Sync,
    ) -> Vec<T> {
        let trees = &self.trees;
        let both = || trees[VERTICES].leaf_pairs(&trees[TRIANGLES], |a, b| a.intersects(b));
        let workspace = &mut self.workspaces[EDGES];
        if is_parallel() {
            let of_edges = || {
                let found = trees[EDGES].traverse_bvtt_single_tree_parallel::<false>();
                visit_all(&found, &of_edges)
            };
            let of_vertices = || visit_all(&both().collect::<Vec<_>>(), &of_vertices);
            let (mut all, edges) = rayon::join(of_vertices, of_edges);
            all.extend(edges);
            return all;
        }
        let mut all = T::default();
        both().for_each(|(vertex, triangle)| of_vertices(&mut all, vertex, triangle));
        let visit = &mut |a, b| of_edges(&mut all, a, b);
        trees[EDGES].traverse_bvtt_single_tree::<false>(workspace, visit);
        vec![all]
    }
}

/// Visits pairs in tasks.
pub fn visit_all<T: Default + Send>(
    pairs: &[(u32, u32)],
    visit: impl Fn(&mut T, u32, u32) + Sync,
) -> Vec<T> {
    let of_task = |pairs: &[(u32, u32)]| {
        let mut task = T::default();
        pairs.iter().for_each(|(a, b)| visit(&mut task, *a, *b));
        task
    };
    pairs.par_chunks(CHUNK).map(of_task).collect()
}
