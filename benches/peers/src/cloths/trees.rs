//! parry3d 0.31, as well as it can be used: trees built anew (`from_leaves`, binned) or refitted
//! (`insert_or_update_partially`, `refit`), and asked by each vertex and edge (`intersect_aabb`) or
//! traversed against each other (`leaf_pairs`) and themselves (`traverse_bvtt_single_tree`). On
//! several threads their parallel forms; the traversal of two trees has none.

use super::{CHUNK, Lanes, Pairs, Topology};
use crate::measure::{Failure, Subject};
use crate::sets::boxes::Box3;
use crate::sets::cloths::Boxes;
use parry3d::bounding_volume::Aabb;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use rayon::prelude::*;
use std::sync::Arc;

/// Adds every way to use it.
pub fn add(lanes: &mut Lanes<'_>) -> Result<(), Failure> {
    lanes.add("parry3d rebuilt, asked", converted, |topology| {
        Trees::new(topology, Update::Rebuild, Search::Queries)
    })?;
    lanes.add("parry3d refitted, asked", converted, |topology| {
        Trees::new(topology, Update::Refit, Search::Queries)
    })?;
    lanes.add("parry3d rebuilt, traversed", converted, |topology| {
        Trees::new(topology, Update::Rebuild, Search::Traversal)
    })?;
    lanes.add("parry3d refitted, traversed", converted, |topology| {
        Trees::new(topology, Update::Refit, Search::Traversal)
    })
}

/// A box, its number, and the margin that a leaf keeps: none.
type Leaf = (Aabb, u32, f32);

/// The boxes of all primitives.
pub struct Side {
    leaves: [Vec<Leaf>; 3],
    boxes: [Vec<Aabb>; 3],
}

fn converted(boxes: &Boxes) -> Side {
    let Boxes { vertices, edges, triangles } = boxes;
    let parrys = |b: &Box3| Aabb::new(b.min.into(), b.max.into());
    let boxes = [vertices, edges, triangles].map(|boxes| boxes.iter().map(parrys).collect());
    let numbered = |boxes: &Vec<Aabb>| boxes.iter().zip(0..).map(|(b, k)| (*b, k, 0.0)).collect();
    Side { leaves: boxes.each_ref().map(numbered), boxes }
}

const VERTICES: usize = 0;
const EDGES: usize = 1;
const TRIANGLES: usize = 2;

#[derive(Clone, Copy, PartialEq)]
enum Update {
    Rebuild,
    Refit,
}

#[derive(Clone, Copy, PartialEq)]
enum Search {
    Queries,
    Traversal,
}

/// A tree of each kind of primitives; none of vertices that ask.
struct Trees {
    topology: Arc<Topology>,
    update: Update,
    search: Search,
    trees: [Bvh; 3],
    workspaces: [BvhWorkspace; 3],
}

impl Trees {
    fn new(topology: Arc<Topology>, update: Update, search: Search) -> Self {
        let (trees, workspaces) = Default::default();
        Trees { topology, update, search, trees, workspaces }
    }
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

impl Subject for Trees {
    type Side = Side;
    type Answer = Pairs;

    fn build(&mut self, side: &Side) -> Result<(), Failure> {
        let first = if self.search == Search::Traversal { VERTICES } else { EDGES };
        let update = self.update;
        let trees = self.trees[first..].par_iter_mut().zip(&mut self.workspaces[first..]);
        let sides = side.boxes[first..].par_iter().zip(&side.leaves[first..]);
        trees.zip(sides).for_each(|((tree, workspace), (boxes, leaves))| {
            if update == Update::Rebuild || tree.is_empty() {
                *tree = Bvh::from_leaves(BvhBuildStrategy::Binned, boxes);
            } else {
                refit(tree, leaves, workspace);
            }
        });
        Ok(())
    }

    fn search(&mut self, side: &Side) -> Pairs {
        match self.search {
            Search::Queries => self.ask(side),
            Search::Traversal => self.traverse(),
        }
    }
}

impl Trees {
    fn ask(&self, side: &Side) -> Pairs {
        let topology = &self.topology;
        let of_vertices = |(chunk, queries): (usize, &[Aabb])| {
            let mut pairs = Pairs::default();
            for (vertex, query) in (chunk as u32 * CHUNK as u32..).zip(queries) {
                let found = self.trees[TRIANGLES].intersect_aabb(query);
                found.for_each(|t| topology.add_vertex(&mut pairs, vertex, t));
            }
            pairs
        };
        let of_edges = |(chunk, queries): (usize, &[Aabb])| {
            let mut pairs = Pairs::default();
            for (edge, query) in (chunk as u32 * CHUNK as u32..).zip(queries) {
                let others = self.trees[EDGES].intersect_aabb(query).filter(|other| *other > edge);
                others.for_each(|other| topology.add_edges(&mut pairs, edge, other));
            }
            pairs
        };
        let vertices = side.boxes[VERTICES].par_chunks(CHUNK).enumerate().map(of_vertices);
        let edges = side.boxes[EDGES].par_chunks(CHUNK).enumerate().map(of_edges);
        vertices.chain(edges).reduce(Pairs::default, Pairs::plus)
    }

    fn traverse(&mut self) -> Pairs {
        let (topology, trees) = (&self.topology, &self.trees);
        let workspace = &mut self.workspaces[EDGES];
        let of_vertices = || {
            let mut pairs = Pairs::default();
            let both = trees[VERTICES].leaf_pairs(&trees[TRIANGLES], |a, b| a.intersects(b));
            both.for_each(|(vertex, triangle)| topology.add_vertex(&mut pairs, vertex, triangle));
            pairs
        };
        let of_edges = || {
            let mut pairs = Pairs::default();
            if is_parallel() {
                let found = trees[EDGES].traverse_bvtt_single_tree_parallel::<false>();
                found.iter().for_each(|(a, b)| topology.add_edges(&mut pairs, *a, *b));
            } else {
                trees[EDGES].traverse_bvtt_single_tree::<false>(workspace, &mut |a, b| {
                    topology.add_edges(&mut pairs, a, b);
                });
            }
            pairs
        };
        let (vertices, edges) = rayon::join(of_vertices, of_edges);
        vertices.plus(edges)
    }
}
