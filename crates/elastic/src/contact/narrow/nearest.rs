//! The nearest points of two elements, and those of a vertex with a vertex or an edge.
//!
//! All arithmetic is on differences of positions, so that the distance from the origin costs only
//! what the positions themselves lack. With u = 2⁻⁵³ and `size` the largest distance between two of
//! the N positions, distances are within 16 u · size of the truth, for needles, parallel edges and
//! elements without extent as well; `size` within 1e-75 … 1e75 m, as fourth powers are taken. The
//! tests hold this against exact arithmetic.

use hashfall_geometry::Point;

/// The nearest points of two elements with N corners in all: the corners of the first element, then
/// those of the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest<const N: usize> {
    /// From the nearest point of the second element to that of the first \[m\].
    pub offset: Point,
    /// The share of each corner in the offset: barycentric coordinates of the nearest point of the
    /// first element (≥ 0, their sum is 1), and minus those of the second. The offset is the sum of
    /// `weights[k] * x[k]`, the relative velocity that of `weights[k] * v[k]`; the gradient of the
    /// distance with respect to `x[k]` is `weights[k]` times the direction of the offset.
    pub weights: [f64; N],
}

impl<const N: usize> Nearest<N> {
    /// The square of the distance \[m²\].
    pub fn distance2(&self) -> f64 {
        self.offset.norm_squared()
    }

    /// The distance \[m\].
    pub fn distance(&self) -> f64 {
        self.offset.norm()
    }

    /// The sum of `weights[k] * vectors[k]`: the relative velocity of the nearest points, if
    /// `vectors` are those of the corners.
    pub fn relative(&self, vectors: &[Point; N]) -> Point {
        let terms = self.weights.iter().zip(vectors).map(|(weight, vector)| vector * *weight);
        terms.fold(Point::zeros(), |sum, term| sum + term)
    }
}

/// Of two points.
pub fn vertex_vertex(x: &[Point; 2]) -> Nearest<2> {
    Nearest { offset: x[0] - x[1], weights: [1.0, -1.0] }
}

/// Of the point `x[0]` and the segment from `x[1]` to `x[2]`, which may have no length.
pub fn vertex_edge(x: &[Point; 3]) -> Nearest<3> {
    let (offset, s) = from_segment(&(x[0] - x[1]), &(x[0] - x[2]), &(x[2] - x[1]));
    Nearest { offset, weights: [1.0, s - 1.0, -s] }
}

/// From the nearest point of a segment to a point p, and where on the segment that is, from 0 at
/// its start to 1 at its end. `from_start` and `from_end` lead from the ends to p, `along` from
/// start to end.
pub(super) fn from_segment(from_start: &Point, from_end: &Point, along: &Point) -> (Point, f64) {
    let length2 = along.norm_squared();
    let way = from_start.dot(along);
    if way <= 0.0 || length2 == 0.0 {
        return (*from_start, 0.0);
    }
    if way >= length2 {
        return (*from_end, 1.0);
    }
    let s = way / length2;
    let offset = if s < 0.5 { from_start - along * s } else { from_end + along * (1.0 - s) };
    // Once more: what the first projection leaves along the segment is as large as its rounding,
    // which is much where the point is near the segment.
    (offset - along * (offset.dot(along) / length2), s)
}
