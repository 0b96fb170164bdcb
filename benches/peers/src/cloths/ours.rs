//! Hashfall's structures: broad phases of blocks, as the count of crossings uses them; of boxes one
//! by one; and a sweep over pairs.

use super::{CHUNK, Pairs, Topology};
use crate::measure::{Failure, Subject};
use crate::sets::boxes::Box3;
use crate::sets::cloths::Boxes;
use hashfall_core::{Real, Vec3};
use hashfall_geometry::Aabb;
use hashfall_search::{
    BlockIndex, BlockQuery, BoxBlocks, BoxIndex, BroadPhaseKind, PairSearch, RowSweep, Visits,
};
use rayon::prelude::*;
use std::sync::Arc;

/// The boxes of all primitives.
pub struct Side {
    vertices: Vec<Aabb>,
    edges: Vec<Aabb>,
    triangles: Vec<Aabb>,
}

pub fn converted(boxes: &Boxes) -> Side {
    let all = |boxes: &[Box3]| boxes.iter().map(ours).collect();
    let Boxes { vertices, edges, triangles } = boxes;
    Side { vertices: all(vertices), edges: all(edges), triangles: all(triangles) }
}

fn ours(b: &Box3) -> Aabb {
    let [min, max] = [b.min, b.max].map(|p| Vec3::from(p.map(|x| x as Real)));
    Aabb::new(min, max)
}

/// Blocks of triangles and of edges in a broad phase, asked by blocks of vertices and of edges.
pub struct Blocks {
    topology: Arc<Topology>,
    vertices: BoxBlocks,
    triangles: BlockIndex,
    edges: BlockIndex,
    numbers: Vec<u32>,
}

impl Blocks {
    pub fn new(kind: BroadPhaseKind, topology: Arc<Topology>) -> Self {
        let [triangles, edges] = [(); 2].map(|()| BlockIndex::new(kind, BLOCK));
        let numbers = (0..topology.edges.len() as u32).collect();
        Blocks { topology, vertices: BoxBlocks::default(), triangles, edges, numbers }
    }
}

/// The size of a block, in mean edges.
const BLOCK: Real = 1.0;
/// Blocks of a task.
const BLOCKS: usize = 128;

impl Subject for Blocks {
    type Side = Side;
    type Answer = Pairs;

    fn build(&mut self, side: &Side) -> Result<(), Failure> {
        let Side { vertices, edges, triangles } = side;
        self.vertices.rebuild(vertices, &self.numbers[..vertices.len()]);
        self.triangles.rebuild(triangles, &self.numbers[..triangles.len()]);
        self.edges.rebuild(edges, &self.numbers[..edges.len()]);
        Ok(())
    }

    fn search(&mut self, _side: &Side) -> Pairs {
        let Blocks { topology, vertices, triangles, edges, .. } = &*self;
        let tasks = |blocks: usize| (0..blocks.div_ceil(BLOCKS)).into_par_iter();
        let of_task = |task: usize, most: usize| task * BLOCKS..most.min((task + 1) * BLOCKS);
        let of_vertices = |task: usize| {
            let (mut pairs, mut query) = (Pairs::default(), BlockQuery::default());
            for block in of_task(task, vertices.len()) {
                triangles.for_each_overlap(vertices, block, &mut query, |vertex, found| {
                    found.iter().for_each(|t| topology.add_vertex(&mut pairs, vertex, *t));
                });
            }
            pairs
        };
        let of_edges = |task: usize| {
            let (mut pairs, mut query) = (Pairs::default(), BlockQuery::default());
            for block in of_task(task, edges.blocks().len()) {
                edges.for_each_pair(block, &mut query, |edge, found| {
                    found.iter().for_each(|other| topology.add_edges(&mut pairs, edge, *other));
                });
            }
            pairs
        };
        let vertices = tasks(vertices.len()).map(of_vertices);
        let edges = tasks(edges.blocks().len()).map(of_edges);
        vertices.chain(edges).reduce(Pairs::default, Pairs::plus)
    }
}

/// A broad phase of triangles and one of edges, asked for each vertex and each edge.
pub struct Queries {
    kind: BroadPhaseKind,
    topology: Arc<Topology>,
    indices: Option<[Box<dyn BoxIndex>; 2]>,
}

impl Queries {
    pub fn new(kind: BroadPhaseKind, topology: Arc<Topology>) -> Self {
        Queries { kind, topology, indices: None }
    }
}

/// The least size of queries, in mean edges.
const SMALLEST: Real = 0.25;

impl Subject for Queries {
    type Side = Side;
    type Answer = Pairs;

    fn build(&mut self, side: &Side) -> Result<(), Failure> {
        let both = [&side.triangles, &side.edges];
        match &mut self.indices {
            Some(indices) => {
                let renew = |(index, boxes): (&mut Box<dyn BoxIndex>, &Vec<Aabb>)| {
                    index.renew(&mut boxes.iter().copied());
                };
                indices.iter_mut().zip(both).for_each(renew);
            }
            None => self.indices = Some(both.map(|b| self.kind.index(b.clone(), SMALLEST))),
        }
        Ok(())
    }

    fn search(&mut self, side: &Side) -> Pairs {
        let Some([triangles, edges]) = &self.indices else { return Pairs::default() };
        let topology = &self.topology;
        let of_vertices = |(chunk, queries): (usize, &[Aabb])| {
            let (mut pairs, mut found) = (Pairs::default(), vec![]);
            for (vertex, query) in (chunk as u32 * CHUNK as u32..).zip(queries) {
                found.clear();
                triangles.add_overlapping(query, &mut found);
                found.iter().for_each(|t| topology.add_vertex(&mut pairs, vertex, *t));
            }
            pairs
        };
        let of_edges = |(chunk, queries): (usize, &[Aabb])| {
            let (mut pairs, mut found) = (Pairs::default(), vec![]);
            for (edge, query) in (chunk as u32 * CHUNK as u32..).zip(queries) {
                found.clear();
                edges.add_overlapping(query, &mut found);
                let others = found.iter().filter(|other| **other > edge);
                others.for_each(|other| topology.add_edges(&mut pairs, edge, *other));
            }
            pairs
        };
        let vertices = side.vertices.par_chunks(CHUNK).enumerate().map(of_vertices);
        let edges = side.edges.par_chunks(CHUNK).enumerate().map(of_edges);
        vertices.chain(edges).reduce(Pairs::default, Pairs::plus)
    }
}

/// A sweep over vertices and triangles together, of whose pairs those of one kind are passed over,
/// and one over edges.
pub struct Sweeps {
    topology: Arc<Topology>,
    both: RowSweep,
    edges: RowSweep,
    boxes: Vec<Aabb>,
    vertices: u32,
}

impl Sweeps {
    pub fn new(topology: Arc<Topology>) -> Self {
        let (both, edges) = Default::default();
        Sweeps { topology, both, edges, boxes: vec![], vertices: 0 }
    }
}

impl Subject for Sweeps {
    type Side = Side;
    type Answer = Pairs;

    fn build(&mut self, side: &Side) -> Result<(), Failure> {
        self.boxes.clear();
        self.boxes.extend(side.vertices.iter().chain(&side.triangles));
        self.vertices = side.vertices.len() as u32;
        self.both.rebuild(&self.boxes);
        self.edges.rebuild(&side.edges);
        Ok(())
    }

    fn search(&mut self, _side: &Side) -> Pairs {
        let (topology, vertices) = (&self.topology, self.vertices);
        let of_vertices = self.both.pairs(&Sum(|pairs: &mut Pairs, low: u32, high: u32| {
            if low < vertices && high >= vertices {
                topology.add_vertex(pairs, low, high - vertices);
            }
        }));
        let of_edges = self.edges.pairs(&Sum(|pairs: &mut Pairs, low: u32, high: u32| {
            topology.add_edges(pairs, low, high);
        }));
        of_vertices.into_iter().chain(of_edges).fold(Pairs::default(), Pairs::plus)
    }
}

/// Adds up pairs.
struct Sum<F>(F);

impl<F: Fn(&mut Pairs, u32, u32) + Sync> Visits for Sum<F> {
    type Answer = Pairs;

    fn start(&self) -> Pairs {
        Pairs::default()
    }

    #[inline(always)]
    fn visit(&self, pairs: &mut Pairs, low: u32, high: u32) {
        self.0(pairs, low, high);
    }
}
