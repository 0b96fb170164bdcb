//! parry3d 0.31, as well as it can be used: trees built anew (`from_leaves`, binned) or refitted
//! (`insert_or_update_partially`, `refit`), and asked by each vertex and edge (`intersect_aabb`) or
//! traversed against each other (`leaf_pairs`) and themselves (`traverse_bvtt_single_tree`). On
//! several threads their parallel forms; the traversal of two trees has none.

use super::forest::{EDGES, Forest, Leaf, TRIANGLES, Update, VERTICES};
use super::{CHUNK, Lanes, Pairs, Topology};
use crate::measure::{Failure, Subject};
use crate::sets::boxes::Box3;
use crate::sets::cloths::Boxes;
use parry3d::bounding_volume::Aabb;
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

#[derive(Clone, Copy, PartialEq)]
enum Search {
    Queries,
    Traversal,
}

/// Trees that are asked or traversed.
struct Trees {
    topology: Arc<Topology>,
    update: Update,
    search: Search,
    forest: Forest,
}

impl Trees {
    fn new(topology: Arc<Topology>, update: Update, search: Search) -> Self {
        Trees { topology, update, search, forest: Forest::default() }
    }
}

impl Subject for Trees {
    type Side = Side;
    type Answer = Pairs;

    fn build(&mut self, side: &Side) -> Result<(), Failure> {
        let first = if self.search == Search::Traversal { VERTICES } else { EDGES };
        self.forest.update(first, self.update, &side.boxes, &side.leaves);
        Ok(())
    }

    fn search(&mut self, side: &Side) -> Pairs {
        match self.search {
            Search::Queries => self.ask(side),
            Search::Traversal => {
                let topology = &self.topology;
                let found = self.forest.traverse(
                    |pairs: &mut Pairs, vertex, other| topology.add_vertex(pairs, vertex, other),
                    |pairs: &mut Pairs, one, other| topology.add_edges(pairs, one, other),
                );
                found.into_iter().fold(Pairs::default(), Pairs::plus)
            }
        }
    }
}

impl Trees {
    fn ask(&self, side: &Side) -> Pairs {
        let (topology, trees) = (&self.topology, &self.forest.trees);
        let of_vertices = |(chunk, queries): (usize, &[Aabb])| {
            let mut pairs = Pairs::default();
            for (vertex, query) in (chunk as u32 * CHUNK as u32..).zip(queries) {
                let found = trees[TRIANGLES].intersect_aabb(query);
                found.for_each(|t| topology.add_vertex(&mut pairs, vertex, t));
            }
            pairs
        };
        let of_edges = |(chunk, queries): (usize, &[Aabb])| {
            let mut pairs = Pairs::default();
            for (edge, query) in (chunk as u32 * CHUNK as u32..).zip(queries) {
                let others = trees[EDGES].intersect_aabb(query).filter(|other| *other > edge);
                others.for_each(|other| topology.add_edges(&mut pairs, edge, other));
            }
            pairs
        };
        let vertices = side.boxes[VERTICES].par_chunks(CHUNK).enumerate().map(of_vertices);
        let edges = side.boxes[EDGES].par_chunks(CHUNK).enumerate().map(of_edges);
        vertices.chain(edges).reduce(Pairs::default, Pairs::plus)
    }
}
