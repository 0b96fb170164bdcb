//! Task T5: which primitives of a mesh come together in each of many substeps?
//!
//! Each vertex with the triangles, and each edge with the edges, that share no node with it and
//! whose nearest points are within a thickness of each other where the substep starts, or where it
//! takes them: what becomes a constraint of contact. All decide it by the same exact distances, and
//! must find the same pairs.
//!
//! Timed are the listing, which makes sure that the pairs that may meet are listed (boxes,
//! structures, lists that are kept), and the testing of what is listed, by budgets or boxes, and
//! then by distances. Both are of a whole round of substeps, as lists last for some.

mod ours;
mod trees;

use crate::cloths::Topology;
use crate::measure::{Cost, Effort, Failure, Lane, take_turns};
use crate::sets::motions::MotionSet;
use crate::table::{Table, figure};
use hashfall_elastic::narrow::{Nearest, edge_edge, vertex_triangle};
use hashfall_geometry::Point as Vector;
use hashfall_search::BroadPhaseKind;
use std::sync::Arc;

/// How thick a cloth is, in edges.
const THICKNESS: f64 = 0.24;

/// A cloth as all methods know it.
pub struct Cloth {
    /// What consists of what.
    topology: Topology,
    /// Where nodes are at rest.
    rest: Vec<Vector>,
}

/// A substep.
pub struct Substep {
    /// Where it starts.
    start: Vec<Vector>,
    /// What nodes move by.
    motion: Vec<Vector>,
}

/// The pairs that come together; does not depend on their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Closing {
    count: u64,
    checksum: u64,
}

impl Closing {
    /// Counts a pair with these nearest points if they come together.
    fn add(&mut self, first: usize, nodes: &[u32; 4], nearest: &Nearest<4>, motion: &[Vector; 4]) {
        let after = nearest.offset + nearest.relative(motion);
        if nearest.distance2().min(after.norm_squared()) <= THICKNESS * THICKNESS {
            self.count += 1;
            let (a, b) = nodes.split_at(first);
            let mut sides = [a, b].map(|side| {
                let mut sorted = [u32::MAX; 3];
                sorted[..side.len()].copy_from_slice(side);
                sorted.sort_unstable();
                sorted
            });
            sides.sort_unstable();
            let mixed = |sum, node: &u32| crate::sets::mix(sum + u64::from(*node) + 1);
            let term = sides.as_flattened().iter().fold(first as u64, mixed);
            self.checksum = self.checksum.wrapping_add(term);
        }
    }

    /// How many.
    pub fn count(self) -> u64 {
        self.count
    }

    fn plus(self, other: Closing) -> Closing {
        let checksum = self.checksum.wrapping_add(other.checksum);
        Closing { count: self.count + other.count, checksum }
    }
}

impl Cloth {
    /// Tests a vertex and a triangle.
    fn add_vertex(&self, substep: &Substep, closing: &mut Closing, vertex: u32, triangle: u32) {
        let [a, b, c] = self.topology.triangles[triangle as usize];
        let nodes = [vertex, a, b, c];
        let nearest = vertex_triangle(&substep.start_of(&nodes));
        closing.add(1, &nodes, &nearest, &substep.motion_of(&nodes));
    }

    /// Tests two edges.
    fn add_edges(&self, substep: &Substep, closing: &mut Closing, one: u32, other: u32) {
        let [[a, b], [c, d]] = [one, other].map(|edge| self.topology.edges[edge as usize]);
        let nodes = [a, b, c, d];
        let nearest = edge_edge(&substep.start_of(&nodes));
        closing.add(2, &nodes, &nearest, &substep.motion_of(&nodes));
    }
}

impl Substep {
    fn start_of(&self, nodes: &[u32; 4]) -> [Vector; 4] {
        nodes.map(|node| self.start[node as usize])
    }

    fn motion_of(&self, nodes: &[u32; 4]) -> [Vector; 4] {
        nodes.map(|node| self.motion[node as usize])
    }
}

/// The substeps of a round.
fn substeps(set: &MotionSet) -> Vec<Arc<Substep>> {
    let vectors = |places: &[[f64; 3]]| places.iter().map(|x| Vector::from(*x)).collect();
    let starts: Vec<Vec<Vector>> = set.places.iter().map(|places| vectors(places)).collect();
    let next = starts.iter().cycle().skip(1);
    let way = |(start, end): (&Vec<Vector>, &Vec<Vector>)| {
        start.iter().zip(end).map(|(a, b)| b - a).collect()
    };
    let motions: Vec<Vec<Vector>> = starts.iter().zip(next).map(way).collect();
    starts
        .into_iter()
        .zip(motions)
        .map(|(start, motion)| Arc::new(Substep { start, motion }))
        .collect()
}

/// Measures every method whose name `is_wanted` on a set.
pub fn compare(
    set: &MotionSet,
    effort: Effort,
    is_wanted: &(dyn Fn(&str) -> bool + Sync),
) -> Result<Vec<Lane<Closing>>, Failure> {
    effort.pool.install(|| {
        let topology =
            Topology { edges: set.mesh.edges.clone(), triangles: set.mesh.triangles.clone() };
        let rest = set.mesh.rest.iter().map(|x| Vector::from(*x)).collect();
        let cloth = Arc::new(Cloth { topology, rest });
        let substeps = substeps(set);
        let round = substeps.len();
        let mut lanes = vec![];
        for kind in [BroadPhaseKind::default(), BroadPhaseKind::DynamicHierarchicalHash] {
            let name = format!("Hashfall contact, {kind:?}");
            if is_wanted(&name) {
                eprintln!("{name}: {}", set.name);
                let subject = ours::Contact::new(&cloth, kind)?;
                let lane = Lane::new(&name, subject, substeps.clone(), |_, _| ())?;
                lanes.push(lane.timed_together(round));
            }
        }
        for (name, update, reach) in trees::METHODS {
            if is_wanted(name) {
                eprintln!("{name}: {}", set.name);
                let subject = trees::Trees::new(cloth.clone(), update, reach);
                let lane = Lane::new(name, subject, substeps.clone(), |_, _| ())?;
                lanes.push(lane.timed_together(round));
            }
        }
        take_turns(lanes.iter_mut(), effort.repetitions)?;
        Ok(lanes)
    })
}

/// The table of a set.
pub fn tabulate(lanes: &[Lane<Closing>], set: &MotionSet) -> String {
    let mut table = Table::new(&[
        "method",
        "finds",
        "ms/substep",
        "min",
        "list",
        "test",
        "cpu ms/substep",
        "ns/triangle",
        "parry/it",
        "list/it",
        "B/triangle",
        "pairs/substep",
    ]);
    let ratio = |own: &Cost, of: fn(&Cost) -> f64| {
        let of_parry = lanes.iter().filter(|lane| lane.name.starts_with("parry3d"));
        let best = of_parry.map(|lane| of(&lane.cost())).reduce(f64::min);
        best.map_or(String::new(), |best| figure(best / of(own)))
    };
    let triangles = set.mesh.triangles.len() as f64;
    let round = set.places.len() as f64;
    for lane in lanes {
        let cost = lane.cost();
        table.push(vec![
            lane.name.clone(),
            "pairs that meet".to_owned(),
            figure(cost.total.median / round),
            figure(cost.total.min / round),
            figure(cost.build.median / round),
            figure(cost.search.median / round),
            figure(cost.cpu.median / round),
            figure(cost.cpu.median * 1e6 / triangles / round),
            ratio(&cost, |cost| cost.cpu.median),
            ratio(&cost, |cost| cost.build.median),
            figure(lane.bytes as f64 / triangles),
            figure(lane.answers[0].count() as f64),
        ]);
    }
    table.render()
}
