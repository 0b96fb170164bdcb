//! Task T4: which primitives of a deforming mesh may meet, after every step of its nodes?
//!
//! Each vertex with the triangles, and each edge with the edges, whose boxes overlap its own and
//! that share no node with it, as contact asks. Boxes are closed, and all answers must be exactly
//! the same. What finds a pair of edges twice keeps it once, which is timed.

pub mod forest;
mod ours;
mod trees;

use crate::boxes::Overlaps;
use crate::measure::{Effort, Failure, Lane, Subject, take_turns};
use crate::sets::cloths::{Boxes, ClothSet};
use crate::table::{Table, figure};
use hashfall_search::BroadPhaseKind;
use std::sync::Arc;

/// Brute force takes too long beyond so many triangles.
const MAX_BRUTE: usize = 5000;
/// Queries of a task.
const CHUNK: usize = 1024;

/// The nodes of primitives.
pub struct Topology {
    /// By edge.
    pub edges: Vec<[u32; 2]>,
    /// By triangle.
    pub triangles: Vec<[u32; 3]>,
}

/// Vertices with triangles, and edges with edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    pub of_vertices: Overlaps,
    pub of_edges: Overlaps,
}

impl Topology {
    /// Counts a vertex and a triangle whose boxes overlap.
    #[inline(always)]
    fn add_vertex(&self, pairs: &mut Pairs, vertex: u32, triangle: u32) {
        if self.is_apart(vertex, triangle) {
            pairs.of_vertices.add(vertex as usize, triangle);
        }
    }

    /// Counts two edges whose boxes overlap.
    #[inline(always)]
    fn add_edges(&self, pairs: &mut Pairs, one: u32, other: u32) {
        if self.are_apart(one, other) {
            pairs.of_edges.add(one.min(other) as usize, one.max(other));
        }
    }

    /// Whether a vertex is no corner of a triangle.
    #[inline(always)]
    pub fn is_apart(&self, vertex: u32, triangle: u32) -> bool {
        let [a, b, c] = self.triangles[triangle as usize];
        (a != vertex) & (b != vertex) & (c != vertex)
    }

    /// Whether two edges share no node.
    #[inline(always)]
    pub fn are_apart(&self, one: u32, other: u32) -> bool {
        let ([a, b], [c, d]) = (self.edges[one as usize], self.edges[other as usize]);
        (a != c) & (a != d) & (b != c) & (b != d)
    }
}

impl Pairs {
    /// Both together.
    pub fn plus(self, other: Pairs) -> Pairs {
        Pairs {
            of_vertices: self.of_vertices.plus(other.of_vertices),
            of_edges: self.of_edges.plus(other.of_edges),
        }
    }
}

/// Measures every method whose name `is_wanted` on a set.
pub fn compare(
    set: &ClothSet,
    effort: Effort,
    is_wanted: &(dyn Fn(&str) -> bool + Sync),
) -> Result<Vec<Lane<Pairs>>, Failure> {
    effort.pool.install(|| {
        let topology = Topology { edges: set.edges.clone(), triangles: set.triangles.clone() };
        let mut lanes = Lanes { set, is_wanted, lanes: vec![], topology: Arc::new(topology) };
        for kind in BroadPhaseKind::ALL {
            if kind != BroadPhaseKind::Brute || set.triangles.len() <= MAX_BRUTE {
                lanes.add(&format!("Hashfall {kind:?}"), ours::converted, |topology| {
                    ours::Blocks::new(kind, topology)
                })?;
            }
        }
        for kind in [BroadPhaseKind::HierarchicalHash, BroadPhaseKind::KdTree] {
            lanes.add(&format!("Hashfall {kind:?}, each box"), ours::converted, |topology| {
                ours::Queries::new(kind, topology)
            })?;
        }
        lanes.add("Hashfall RowSweep", ours::converted, ours::Sweeps::new)?;
        trees::add(&mut lanes)?;
        let mut lanes = lanes.lanes;
        take_turns(lanes.iter_mut(), effort.repetitions)?;
        Ok(lanes)
    })
}

/// The methods that take part.
struct Lanes<'a> {
    set: &'a ClothSet,
    is_wanted: &'a (dyn Fn(&str) -> bool + Sync),
    lanes: Vec<Lane<Pairs>>,
    topology: Arc<Topology>,
}

impl Lanes<'_> {
    fn add<S: Subject<Answer = Pairs>>(
        &mut self,
        name: &str,
        converted: fn(&Boxes) -> S::Side,
        subject: impl FnOnce(Arc<Topology>) -> S,
    ) -> Result<(), Failure> {
        if (self.is_wanted)(name) {
            eprintln!("{name}: {}", self.set.name);
            let sides = self.set.sides.each_ref().map(converted);
            let subject = subject(self.topology.clone());
            self.lanes.push(Lane::new(name, subject, sides, |_, _| ())?);
        }
        Ok(())
    }
}

/// The table of a set.
pub fn tabulate(lanes: &[Lane<Pairs>], set: &ClothSet) -> String {
    let mut table = Table::new(&[
        "method",
        "yields",
        "total ms",
        "min ms",
        "build ms",
        "search ms",
        "cpu ms",
        "min cpu ms",
        "ns/triangle",
        "parry/it",
        "B/triangle",
        "vertex pairs",
        "edge pairs",
        "checksum",
    ]);
    let of_parry = lanes.iter().filter(|lane| lane.name.starts_with("parry3d"));
    let parry = of_parry.map(|lane| lane.cost().cpu.median).reduce(f64::min);
    let triangles = set.triangles.len() as f64;
    for lane in lanes {
        let (cost, pairs) = (lane.cost(), lane.answers[0]);
        table.push(vec![
            lane.name.clone(),
            "visits".to_owned(),
            figure(cost.total.median),
            figure(cost.total.min),
            figure(cost.build.median),
            figure(cost.search.median),
            figure(cost.cpu.median),
            figure(cost.cpu.min),
            figure(cost.cpu.median * 1e6 / triangles),
            parry.map_or(String::new(), |parry| figure(parry / cost.cpu.median)),
            figure(lane.bytes as f64 / triangles),
            pairs.of_vertices.count().to_string(),
            pairs.of_edges.count().to_string(),
            pairs.of_vertices.plus(pairs.of_edges).fingerprint(),
        ]);
    }
    table.render()
}
