//! The nearest points of two edges.
//!
//! Idea: where the common perpendicular of both lines meets both edges, they are its feet; else one
//! of the nearest points is an end that the foot lies beyond (Ericson, Real-Time Collision
//! Detection (2005), §5.1.9).
//!
//! Deviations: the feet come from the cross product of the edges, not from the determinant of dot
//! products, which loses all digits at an angle of √u. Edges that are almost parallel try all
//! four ends, and at the feet, which are corrected twice.
//!
//! Symbols: u, v edges, w from the start of the second to that of the first \[m\]; s, t places
//! along them; n = u × v \[m²\].

use super::nearest::{Nearest, from_segment};
use super::normal::{NEARLY_PARALLEL, cross};
use hashfall_geometry::Point;

/// Of the segment from `x[0]` to `x[1]` and that from `x[2]` to `x[3]`; they may be parallel or
/// have no length.
pub fn edge_edge(x: &[Point; 4]) -> Nearest<4> {
    let edges = Edges::new(x);
    let [s, t] = edges.feet(&edges.w);
    let [u2, v2] = [edges.u.norm_squared(), edges.v.norm_squared()];
    if edges.normal2 <= NEARLY_PARALLEL * u2 * v2 {
        let inner = (edges.normal2 > 0.0).then(|| edges.corrected([s, t]));
        return edges.nearest_of_ends([true; 4], inner);
    }
    let beyond = [s <= 0.0, s >= 1.0, t <= 0.0, t >= 1.0];
    if beyond == [false; 4] {
        let height = edges.normal.dot(&edges.w) / edges.normal2;
        return nearest(edges.normal * height, [s, t]);
    }
    edges.nearest_of_ends(beyond, None)
}

/// The common perpendicular of both edges.
pub(super) fn edge_normal(x: &[Point; 4]) -> Point {
    cross(&(x[1] - x[0]), &(x[3] - x[2]))
}

struct Edges<'a> {
    x: &'a [Point; 4],
    u: Point,
    v: Point,
    w: Point,
    normal: Point,
    normal2: f64,
}

impl<'a> Edges<'a> {
    fn new(x: &'a [Point; 4]) -> Self {
        let normal = edge_normal(x);
        let (u, v, w) = (x[1] - x[0], x[3] - x[2], x[0] - x[2]);
        Edges { x, u, v, w, normal, normal2: normal.norm_squared() }
    }

    /// How far along the edges the feet are from points whose offset is `offset`.
    fn feet(&self, offset: &Point) -> [f64; 2] {
        [&self.v, &self.u].map(|edge| edge.cross(offset).dot(&self.normal) / self.normal2)
    }

    /// The nearest of the ends that are asked for, each with the other edge, and of `inner`, if
    /// that is nearer.
    fn nearest_of_ends(&self, candidates: [bool; 4], inner: Option<Nearest<4>>) -> Nearest<4> {
        let [a, b, c, d] = self.x;
        let of_end = |k: usize| {
            // The ends of the first edge are near the second, and the other way round.
            let (end, [from, to], along) = match k {
                0 | 1 => (&self.x[k], [c, d], &self.v),
                _ => (&self.x[k], [a, b], &self.u),
            };
            let (offset, place) = from_segment(&(end - from), &(end - to), along);
            let own = (k % 2) as f64;
            match k {
                0 | 1 => nearest(offset, [own, place]),
                _ => nearest(-offset, [place, own]),
            }
        };
        let ends = (0..4).filter(|k| candidates[*k]).map(of_end);
        let nearer = |a: Nearest<4>, b: Nearest<4>| {
            if b.distance2() < a.distance2() { b } else { a }
        };
        ends.chain(inner).reduce(nearer).unwrap_or_else(|| of_end(0))
    }

    /// The feet on edges that are almost parallel, kept within both.
    fn corrected(&self, places: [f64; 2]) -> Nearest<4> {
        let clamped = |places: [f64; 2]| places.map(|place| place.clamp(0.0, 1.0));
        let mut places = clamped(places);
        for _ in 0..2 {
            let change = self.feet(&self.offset(places));
            places = clamped([places[0] + change[0], places[1] + change[1]]);
        }
        nearest(self.offset(places), places)
    }

    fn offset(&self, [s, t]: [f64; 2]) -> Point {
        self.w + self.u * s - self.v * t
    }
}

fn nearest(offset: Point, [s, t]: [f64; 2]) -> Nearest<4> {
    Nearest { offset, weights: [1.0 - s, s, t - 1.0, -t] }
}
