//! A vertex and a triangle, or two edges, that may meet.

use super::primitives::Primitives;
use crate::contact::narrow::{
    Nearest, edge_edge, edge_edge_free, vertex_triangle, vertex_triangle_free,
};
use hashfall_geometry::Point;

/// What is nearer at rest, over the sum of the radii, touches there: a node on an edge, or springs
/// that cross. It stays free to \[–\].
const TOUCHING: f64 = 1e-9;
/// Parts of one body keep at most this share of their distance at rest: neighbours may be nearer
/// at rest than a thickness, and are free to come nearer still.
const REST_SHARE: f64 = 0.5;

/// Which primitives a pair is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PairKind {
    /// A vertex, and the corners of a triangle.
    VertexTriangle,
    /// The ends of an edge, and those of another.
    EdgeEdge,
}

/// Two primitives that may meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pair {
    pub kind: PairKind,
    /// The points of the first primitive, then those of the second.
    pub points: [u32; 4],
    /// The distance that they keep \[m\].
    pub distance: f64,
    /// Whether that takes account of where they are at rest.
    pub is_reduced: bool,
}

impl Pair {
    /// Two primitives at the sum of their radii.
    pub fn new(kind: PairKind, points: [u32; 4], primitives: &Primitives) -> Self {
        let distance = primitives.distance(points[0], points[3]);
        Pair { kind, points, distance, is_reduced: false }
    }

    /// Reduces the distance to what parts of one body keep; returns whether they keep any.
    pub fn reduce_distance(&mut self, primitives: &Primitives) -> bool {
        if !self.is_reduced {
            self.is_reduced = true;
            if let Some(rest) = primitives.rest(&self.points) {
                let at_rest = self.nearest(&rest).distance();
                let is_free = at_rest <= TOUCHING * self.distance;
                self.distance = if is_free {
                    f64::NEG_INFINITY
                } else {
                    self.distance.min(REST_SHARE * at_rest)
                };
            }
        }
        self.distance > f64::NEG_INFINITY
    }

    /// A quantity of the four points.
    pub fn gather<T: Copy>(&self, of_points: &[T]) -> [T; 4] {
        self.points.map(|point| of_points[point as usize])
    }

    /// How many of the points are those of the first primitive.
    pub fn first_count(&self) -> usize {
        match self.kind {
            PairKind::VertexTriangle => 1,
            PairKind::EdgeEdge => 2,
        }
    }

    /// A lower bound of the distance where the four points are, by their boxes: a tenth of the
    /// price of the nearest points \[m\].
    #[inline]
    pub fn apart_at_least(&self, x: &[Point; 4]) -> f64 {
        let [a, b, c, d] = x;
        let gap = match self.kind {
            PairKind::VertexTriangle => (b.inf(c).inf(d) - a).sup(&(a - b.sup(c).sup(d))),
            PairKind::EdgeEdge => (c.inf(d) - a.sup(b)).sup(&(a.inf(b) - c.sup(d))),
        };
        gap.sup(&Point::zeros()).norm()
    }

    /// By how much a direction of length 1 separates the primitives where the four points are
    /// \[m\].
    #[inline]
    pub fn separation(&self, x: &[Point; 4], normal: &Point) -> f64 {
        let [a, b, c, d] = x.map(|x| normal.dot(&x));
        match self.kind {
            PairKind::VertexTriangle => a - b.max(c).max(d),
            PairKind::EdgeEdge => a.min(b) - c.max(d),
        }
    }

    /// How far any point of the first primitive goes relative to one of the second at the most
    /// \[m\]: as far as two corners.
    #[inline]
    pub fn max_approach(&self, displacements: &[Point; 4]) -> f64 {
        let (first, second) = displacements.split_at(self.first_count());
        let squares = first.iter().flat_map(|a| second.iter().map(move |b| (a - b).norm_squared()));
        squares.fold(0.0, f64::max).sqrt()
    }

    /// The nearest points where the four points are.
    pub fn nearest(&self, x: &[Point; 4]) -> Nearest<4> {
        match self.kind {
            PairKind::VertexTriangle => vertex_triangle(x),
            PairKind::EdgeEdge => edge_edge(x),
        }
    }

    /// The part of a straight motion, up to 1, in which the primitives stay `least` \[m\] apart.
    pub fn free(&self, start: &[Point; 4], end: &[Point; 4], least: f64) -> f64 {
        match self.kind {
            PairKind::VertexTriangle => vertex_triangle_free(start, end, least, 1.0),
            PairKind::EdgeEdge => edge_edge_free(start, end, least, 1.0),
        }
    }
}
