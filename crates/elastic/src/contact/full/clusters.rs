//! Patches of surfaces: some tens of vertices that are near each other at rest, with the edges and
//! triangles that begin there.
//!
//! What neighbours do is nearly one rigid motion, so bounds of motions by cluster are much
//! tighter than by body, and much cheaper than by pair. Each body's vertices are divided along
//! the longest side of their box, again and again, until a part has at most [`MAX_VERTICES`]; those
//! of obstacles too, by rigid part and radius.

use super::boxes::Bounds;
use super::primitives::Primitives;
use hashfall_geometry::Point;

/// The most vertices of a cluster.
const MAX_VERTICES: usize = 24;

/// Lists of numbers, one for each cluster, one behind the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    ends: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// The list of a cluster.
    pub fn list(&self, cluster: usize) -> &[u32] {
        let start = cluster.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[start as usize..self.ends[cluster] as usize]
    }

    /// Of `count` clusters, from the cluster of each number.
    fn from_owners(count: usize, owners: impl Iterator<Item = u32>) -> Self {
        let mut sorted: Vec<(u32, u32)> = owners.zip(0..).collect();
        sorted.sort_unstable();
        let end = |cluster| sorted.partition_point(|(owner, _)| *owner <= cluster) as u32;
        let ends = (0..count as u32).map(end).collect();
        Lists { ends, items: sorted.into_iter().map(|(_, item)| item).collect() }
    }

    fn push(&mut self, list: impl IntoIterator<Item = u32>) {
        self.items.extend(list);
        self.ends.push(self.items.len() as u32);
    }
}

/// All clusters; never change. Those of elastic bodies come first.
#[derive(Clone, Debug, Default)]
pub(super) struct Clusters {
    /// How many are of elastic bodies.
    pub elastic: usize,
    /// Each vertex is in one cluster.
    pub vertices: Lists,
    /// Each edge is in the cluster of its first point.
    pub edges: Lists,
    /// Each triangle is in the cluster of its first corner.
    pub triangles: Lists,
    /// All points of its vertices, edges and triangles: clusters overlap in these.
    pub points: Lists,
    /// The greatest radius of its points \[m\].
    pub radius: Vec<f64>,
    /// Whether it is of an obstacle that never moves.
    pub stands: Vec<bool>,
}

impl Clusters {
    /// Those of all primitives, from where points are at the start.
    pub fn new(primitives: &Primitives, start: &[Point]) -> Self {
        let mut vertices = primitives.vertices.clone();
        vertices.sort_unstable_by_key(|vertex| (primitives.surface(*vertex), *vertex));
        let mut parts = Vec::new();
        for whole in vertices.chunk_by_mut(|a, b| primitives.surface(*a) == primitives.surface(*b))
        {
            divide(whole, start, &mut parts);
        }
        let mut of_point = vec![0; primitives.points()];
        for (number, part) in (0..).zip(&parts) {
            part.iter().for_each(|vertex| of_point[*vertex as usize] = number);
        }
        let owner = |point: u32| of_point[point as usize];
        let (edges, triangles) = (&primitives.edges, &primitives.triangles);
        let mut clusters = Clusters {
            edges: Lists::from_owners(parts.len(), edges.iter().map(|edge| owner(edge[0]))),
            triangles: Lists::from_owners(parts.len(), triangles.iter().map(|t| owner(t[0]))),
            ..Clusters::default()
        };
        for (number, part) in parts.into_iter().enumerate() {
            clusters.add(primitives, number, part);
        }
        clusters
    }

    fn add(&mut self, primitives: &Primitives, number: usize, vertices: Vec<u32>) {
        let edges = self.edges.list(number).iter().flat_map(|e| primitives.edges[*e as usize]);
        let triangles = self.triangles.list(number).iter();
        let triangles = triangles.flat_map(|t| primitives.triangles[*t as usize]);
        let mut points: Vec<u32> = vertices.iter().copied().chain(edges).chain(triangles).collect();
        points.sort_unstable();
        points.dedup();
        let radius = points.iter().map(|point| primitives.radius[*point as usize]);
        self.radius.push(radius.fold(0.0, f64::max));
        let is_elastic = (vertices[0] as usize) < primitives.nodes;
        self.elastic += usize::from(is_elastic);
        self.stands.push(!is_elastic && primitives.moving_body(vertices[0]).is_none());
        self.vertices.push(vertices);
        self.points.push(points);
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.radius.len()
    }
}

/// Adds the parts of some vertices, each ascending.
fn divide(vertices: &mut [u32], start: &[Point], parts: &mut Vec<Vec<u32>>) {
    if vertices.len() <= MAX_VERTICES {
        vertices.sort_unstable();
        parts.push(vertices.to_vec());
        return;
    }
    let place = |vertex: u32| &start[vertex as usize];
    let bounds = Bounds::around(vertices.iter().map(|vertex| place(*vertex)));
    let axis = (bounds.max - bounds.min).imax();
    let middle = vertices.len() / 2;
    vertices.select_nth_unstable_by(middle, |a, b| {
        place(*a)[axis].total_cmp(&place(*b)[axis]).then(a.cmp(b))
    });
    let (low, high) = vertices.split_at_mut(middle);
    divide(low, start, parts);
    divide(high, start, parts);
}
