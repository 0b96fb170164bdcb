//! Which triangles a vertex may meet, and which edges an edge.

use super::box_set::{BoxSet, Boxes};
use super::boxes::Bounds;
use super::pair::{Pair, PairKind};
use hashfall_geometry::Aabb;

/// What is nearer at rest, over the sum of the radii, touches there: a node on an edge, or springs
/// that cross. It stays free to \[–\].
const TOUCHING: f64 = 1e-9;
/// Parts of one body keep at most this share of their distance at rest: neighbours may be nearer
/// at rest than a thickness, and are free to come nearer still.
const REST_SHARE: f64 = 0.5;

/// What some of the queries found.
#[derive(Clone, Debug, Default)]
pub(super) struct Task {
    found: Vec<u32>,
    own: Vec<Aabb>,
    pub pairs: Vec<(Pair, f64)>,
}

/// Asks for pairs.
pub(super) struct Finder<'a> {
    pub boxes: Boxes<'a>,
    /// Of elastic bodies, and of obstacles.
    pub triangles: [&'a BoxSet; 2],
    /// The same.
    pub edges: [&'a BoxSet; 2],
}

impl Finder<'_> {
    /// The triangles that a vertex may meet.
    pub fn find_triangles(&self, vertex: u32, task: &mut Task) {
        let radius = self.boxes.primitives.radius[vertex as usize];
        let Bounds { min, max } = self.boxes.bounds[vertex as usize];
        let query = Bounds { min: min.add_scalar(-radius), max: max.add_scalar(radius) };
        let query = query.outwards();
        task.found.clear();
        self.triangles[0].add_overlapping(&query, &mut task.found);
        if (vertex as usize) < self.boxes.primitives.nodes {
            self.triangles[1].add_overlapping(&query, &mut task.found);
        }
        task.found.sort_unstable();
        task.found.dedup();
        for k in 0..task.found.len() {
            let corners = self.boxes.primitives.triangles[task.found[k] as usize];
            if self.boxes.primitives.can_meet(&[vertex], &corners) {
                let [a, b, c] = corners;
                self.add(PairKind::VertexTriangle, [vertex, a, b, c], &mut task.pairs);
            }
        }
    }

    /// The edges that an elastic edge may meet, each pair once.
    pub fn find_edges(&self, number: usize, task: &mut Task) {
        let edge = self.boxes.primitives.edges[number];
        task.own.clear();
        task.found.clear();
        self.boxes.add(&edge, &mut task.own);
        for query in &task.own {
            self.edges.iter().for_each(|set| set.add_overlapping(query, &mut task.found));
        }
        task.found.sort_unstable();
        task.found.dedup();
        let after = task.found.partition_point(|other| *other as usize <= number);
        for k in after..task.found.len() {
            let other = self.boxes.primitives.edges[task.found[k] as usize];
            if self.boxes.primitives.can_meet(&edge, &other) {
                let points = [edge[0], edge[1], other[0], other[1]];
                self.add(PairKind::EdgeEdge, points, &mut task.pairs);
            }
        }
    }

    /// Adds a pair if its points can come to its distance within their reaches.
    fn add(&self, kind: PairKind, points: [u32; 4], pairs: &mut Vec<(Pair, f64)>) {
        let primitives = self.boxes.primitives;
        let distance = primitives.distance(points[0], points[3]);
        let movers = [points[0], points[3]].map(|point| primitives.mover(point));
        let mut pair = Pair { kind, points, distance, movers };
        let apart = pair.nearest(&pair.gather(&self.boxes.points.start)).offset.norm();
        let most =
            |some: &[u32]| some.iter().map(|p| self.boxes.reach[*p as usize]).fold(0.0, f64::max);
        let (first, second) = points.split_at(pair.first_count());
        let reach = most(first) + most(second);
        if apart - distance > reach {
            return;
        }
        if let Some(rest) = primitives.rest(&points) {
            let at_rest = pair.nearest(&rest).offset.norm();
            if at_rest <= TOUCHING * distance {
                return;
            }
            pair.distance = distance.min(REST_SHARE * at_rest);
        }
        if apart - pair.distance <= reach {
            pairs.push((pair, apart - pair.distance));
        }
    }
}
