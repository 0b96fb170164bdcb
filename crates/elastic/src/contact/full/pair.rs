//! A vertex and a triangle, or two edges, that may meet.

use crate::contact::narrow::{
    Nearest, edge_edge, edge_edge_free, vertex_triangle, vertex_triangle_free,
};
use hashfall_geometry::Point;

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
    /// The movers that the primitives are of.
    pub movers: [u32; 2],
}

impl Pair {
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

    /// How far the points of the first primitive go at the most, and those of the second, together
    /// \[m\].
    #[inline]
    pub fn max_approach(&self, displacements: &[Point; 4]) -> f64 {
        let most = |some: &[Point]| some.iter().map(Point::norm_squared).fold(0.0, f64::max).sqrt();
        let (first, second) = displacements.split_at(self.first_count());
        most(first) + most(second)
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
