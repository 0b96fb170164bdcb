//! Which primitives of two clusters are near each other.
//!
//! Boxes of vertices and triangles, and of edges, are compared directly: clusters are small, and
//! only primitives near the other cluster's box take part. Distances come when a pair
//! wakes.

use super::boxes::Bounds;
use super::cluster_motion::ClusterShape;
use super::clusters::Clusters;
use super::pair::{Pair, PairKind};
use super::pair_list::{Listed, PairList};
use super::points::Points;
use super::primitives::Primitives;

/// Boxes of primitives, by number.
type Boxes = Vec<(u32, Bounds)>;

/// The primitives of a cluster that may be near another.
#[derive(Clone, Debug, Default)]
struct Side {
    vertices: Boxes,
    edges: Boxes,
    triangles: Boxes,
}

/// Memory for two sides.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    sides: [Side; 2],
}

/// Finds pairs where points are at the start of a substep.
pub(super) struct Finder<'a> {
    pub primitives: &'a Primitives,
    pub points: &'a Points,
    pub clusters: &'a Clusters,
    pub shapes: &'a [ClusterShape],
}

impl Finder<'_> {
    /// Lists the pairs of two clusters whose gaps may be at most `reach` \[m\]; returns up to
    /// which gap there are no others, which is more where clusters are far apart.
    pub fn find(
        &self,
        [a, b]: [u32; 2],
        reach: f64,
        pairs: &mut PairList,
        scratch: &mut Scratch,
    ) -> f64 {
        pairs.clear();
        let [a, b] = [a as usize, b as usize];
        let [of_a, of_b] = [a, b].map(|k| &self.shapes[k].bounds);
        let distance = self.clusters.radius[a] + self.clusters.radius[b];
        let apart = of_a.apart_squared(of_b).sqrt() * (1.0 - 1e-12) - distance;
        if apart > reach {
            return apart;
        }
        let limit = reach + distance;
        let limit = limit * limit;
        let [side, other] = &mut scratch.sides;
        self.fill(side, a, of_b, limit);
        if a == b {
            for (k, (first, bounds)) in side.edges.iter().enumerate() {
                self.add_edges(*first, bounds, &side.edges[k + 1..], limit, pairs);
            }
            self.add_triangles(side, side, limit, pairs);
            return reach;
        }
        self.fill(other, b, of_a, limit);
        for (first, bounds) in &side.edges {
            self.add_edges(*first, bounds, &other.edges, limit, pairs);
        }
        self.add_triangles(side, other, limit, pairs);
        self.add_triangles(other, side, limit, pairs);
        reach
    }

    /// Takes the primitives of a cluster that are near a box.
    fn fill(&self, side: &mut Side, cluster: usize, near: &Bounds, limit: f64) {
        let Primitives { edges, triangles, .. } = self.primitives;
        let start = &self.points.start;
        fill(&mut side.vertices, self.clusters.vertices.list(cluster), near, limit, |vertex| {
            Bounds::of_ball(&start[vertex as usize], 0.0)
        });
        let around = |corners: &[u32]| Bounds::around(corners.iter().map(|p| &start[*p as usize]));
        fill(&mut side.edges, self.clusters.edges.list(cluster), near, limit, |edge| {
            around(&edges[edge as usize])
        });
        fill(&mut side.triangles, self.clusters.triangles.list(cluster), near, limit, |triangle| {
            around(&triangles[triangle as usize])
        });
    }

    /// Adds the pairs of an edge and those of others that are near.
    fn add_edges(
        &self,
        first: u32,
        bounds: &Bounds,
        others: &[(u32, Bounds)],
        limit: f64,
        pairs: &mut PairList,
    ) {
        let [a, b] = self.primitives.edges[first as usize];
        for (second, other) in others {
            let apart2 = bounds.apart_squared(other);
            if apart2 <= limit {
                let [c, d] = self.primitives.edges[*second as usize];
                self.add(PairKind::EdgeEdge, [a, b, c, d], apart2, pairs);
            }
        }
    }

    /// Adds the pairs of the vertices of a side and the triangles of another that are near.
    fn add_triangles(&self, side: &Side, other: &Side, limit: f64, pairs: &mut PairList) {
        for (vertex, at) in &side.vertices {
            for (triangle, bounds) in &other.triangles {
                let apart2 = at.apart_squared(bounds);
                if apart2 <= limit {
                    let [a, b, c] = self.primitives.triangles[*triangle as usize];
                    self.add(PairKind::VertexTriangle, [*vertex, a, b, c], apart2, pairs);
                }
            }
        }
    }

    /// Adds a pair of primitives whose boxes are this distance apart, squared, if it can meet.
    fn add(&self, kind: PairKind, points: [u32; 4], apart2: f64, pairs: &mut PairList) {
        let pair = Pair::new(kind, points, self.primitives);
        let (first, second) = points.split_at(pair.first_count());
        if self.primitives.can_meet(first, second) {
            let budget = apart2.sqrt() - pair.distance;
            pairs.push(Listed::new(pair), budget);
        }
    }
}

/// Takes those of some primitives whose boxes are near another.
fn fill(out: &mut Boxes, all: &[u32], near: &Bounds, limit: f64, bounds: impl Fn(u32) -> Bounds) {
    out.clear();
    let boxes = all.iter().map(|number| (*number, bounds(*number)));
    out.extend(boxes.filter(|(_, own)| own.apart_squared(near) <= limit));
}
