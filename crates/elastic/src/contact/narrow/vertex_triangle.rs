//! The nearest points of a vertex and a triangle.
//!
//! Idea: the vertex is over the face if it is on the inner side of all three edges; else the
//! nearest point is on an edge with the vertex on its outer side (Ericson, Real-Time Collision
//! Detection (2005), §5.1.5). Over the face the offset is along the normal.
//!
//! Deviations: sides are told by the cross product of an edge with the way to the vertex, which is
//! wrong only within u · size of the edge's line. At the tip of a needle two such strips overlap
//! far outside of the triangle, so that there every edge is tried, and the point on the face
//! is found from weights that are not negative: it is a point of the triangle, never one beside it.
//!
//! Symbols: p vertex, a, b, c corners \[m\]; n normal, as long as twice the area \[m²\].

use super::nearest::{Nearest, from_segment};
use super::normal::{NEARLY_PARALLEL, cross};
use hashfall_geometry::Point;

/// Of the point `x[0]` and the triangle of the other three, which may have no area.
pub fn vertex_triangle(x: &[Point; 4]) -> Nearest<4> {
    let triangle = Triangle::new(x);
    let sides = triangle.sides();
    let is_over_face = sides.iter().all(|side| *side > 0.0);
    if triangle.is_needle() {
        let face = is_over_face.then(|| triangle.nearest_on_needle(sides));
        return triangle.nearest_on_edges([true; 3], face);
    }
    if is_over_face {
        let height = triangle.normal.dot(&triangle.to_vertex[0]) / triangle.normal2;
        return nearest(triangle.normal * height, sides.map(|side| side / sum(&sides)));
    }
    triangle.nearest_on_edges(sides.map(|side| side <= 0.0), None)
}

/// The normal of the triangle, as long as twice its area.
pub(super) fn face_normal(x: &[Point; 4]) -> Point {
    cross(&(x[2] - x[1]), &(x[3] - x[1]))
}

/// Edge k is opposite of corner k.
struct Triangle {
    /// From each corner to the vertex.
    to_vertex: [Point; 3],
    /// From corner k + 1 to corner k + 2.
    edges: [Point; 3],
    normal: Point,
    normal2: f64,
}

impl Triangle {
    fn new(x: &[Point; 4]) -> Self {
        let [p, a, b, c] = x;
        let normal = face_normal(x);
        let normal2 = normal.norm_squared();
        Triangle { to_vertex: [p - a, p - b, p - c], edges: [c - b, a - c, b - a], normal, normal2 }
    }

    /// Whether an angle is so small that the sides of the vertex are not enough.
    fn is_needle(&self) -> bool {
        let longest2 = self.edges.iter().map(Point::norm_squared).fold(0.0, f64::max);
        self.normal2 <= NEARLY_PARALLEL * longest2 * longest2
    }

    /// On which side of each edge the vertex is: above 0 within, in proportion to the weights of
    /// the corners.
    fn sides(&self) -> [f64; 3] {
        [0, 1, 2].map(|k| self.normal.dot(&self.edges[k].cross(&self.to_vertex[(k + 1) % 3])))
    }

    /// The nearest of those edges that are asked for, and of `face`, if that is nearer.
    fn nearest_on_edges(&self, candidates: [bool; 3], face: Option<Nearest<4>>) -> Nearest<4> {
        let on_edge = |k: usize| {
            let (from, to) = ((k + 1) % 3, (k + 2) % 3);
            let edge = &self.edges[k];
            let (offset, s) = from_segment(&self.to_vertex[from], &self.to_vertex[to], edge);
            let mut weights = [0.0; 3];
            (weights[from], weights[to]) = (1.0 - s, s);
            nearest(offset, weights)
        };
        let edges = (0..3).filter(|k| candidates[*k]).map(on_edge);
        let nearer = |a: Nearest<4>, b: Nearest<4>| {
            if b.distance2() < a.distance2() { b } else { a }
        };
        edges.chain(face).reduce(nearer).unwrap_or_else(|| on_edge(0))
    }

    /// The nearest point on the face of a needle, corrected twice.
    fn nearest_on_needle(&self, sides: [f64; 3]) -> Nearest<4> {
        let mut weights = sides.map(|side| side / sum(&sides));
        for _ in 0..2 {
            let offset = self.offset(&weights);
            let change = |k: usize| self.normal.dot(&self.edges[k].cross(&offset)) / self.normal2;
            let moved = [0, 1, 2].map(|k| f64::max(weights[k] + change(k), 0.0));
            weights = moved.map(|weight| weight / sum(&moved));
        }
        nearest(self.offset(&weights), weights)
    }

    /// From a point of the triangle to the vertex.
    fn offset(&self, weights: &[f64; 3]) -> Point {
        let [a, b, c] = &self.to_vertex;
        a * weights[0] + b * weights[1] + c * weights[2]
    }
}

fn sum([a, b, c]: &[f64; 3]) -> f64 {
    a + b + c
}

fn nearest(offset: Point, [a, b, c]: [f64; 3]) -> Nearest<4> {
    Nearest { offset, weights: [1.0, -a, -b, -c] }
}
