//! Whether an edge and a triangle share a point, decided without rounding.
//!
//! Idea: the ends of the edge are on both sides of the triangle's plane or in it, and the line of
//! the edge passes all three sides of the triangle with the same turn (Segura & Feito, Algorithms
//! to test ray–triangle intersection (2001), §3). In one plane, or where the triangle has no area,
//! edges are compared with edges in a coordinate plane in which the points are not on a line; on a
//! line, intervals tell.
//!
//! All signs are those of Shewchuk's predicates (Adaptive precision floating-point arithmetic and
//! fast robust geometric predicates (1997)) from the crate `robust`: exact for coordinates whose
//! products neither overflow nor underflow, which are 0 or between 1e-60 and 1e60 m. Smaller ones,
//! as at the front of a wave that runs through a sheet at rest, count as 0.

use hashfall_geometry::Point;
use robust::{Coord, Coord3D};
use std::cmp::Ordering::{self, Equal, Greater, Less};

/// Smaller coordinates count as 0 \[m\].
const SMALLEST: f64 = 1e-60;

/// Whether the segment between two points and a triangle share a point: ends, sides and corners
/// belong to them, and neither needs to have an extent.
pub fn edge_meets_triangle(edge: &[Point; 2], triangle: &[Point; 3]) -> bool {
    let ([p, q], [a, b, c]) = (edge, triangle);
    match (side(a, b, c, p), side(a, b, c, q)) {
        (Equal, Equal) => is_met_in_plane(edge, triangle),
        (Less, Less) | (Greater, Greater) => false,
        _ => {
            let turns = [[a, b], [b, c], [c, a]].map(|[from, to]| side(p, q, from, to));
            !(turns.contains(&Less) && turns.contains(&Greater))
        }
    }
}

/// Whether two segments share a point, which may have no length.
pub fn edges_meet(one: &[Point; 2], other: &[Point; 2]) -> bool {
    let ([a, b], [c, d]) = (one, other);
    if side(a, b, c, d) != Equal {
        return false;
    }
    let Some(axis) = axis_of_plane(&[*a, *b, *c, *d]) else {
        return (0..3).all(|axis| intervals_overlap(one, other, axis));
    };
    let are_apart = |[p, q]: &[Point; 2], [r, s]: &[Point; 2]| {
        let turns = (turn(p, q, r, axis), turn(p, q, s, axis));
        turns == (Less, Less) || turns == (Greater, Greater)
    };
    !are_apart(one, other) && !are_apart(other, one)
}

/// Of an edge in the plane of a triangle, or one that is met by a triangle without area.
fn is_met_in_plane(edge: &[Point; 2], triangle: &[Point; 3]) -> bool {
    let [a, b, c] = *triangle;
    let is_inside = |axis: usize| {
        let area = turn(&a, &b, &c, axis);
        let turns = [[a, b], [b, c], [c, a]].map(|[from, to]| turn(&from, &to, &edge[0], axis));
        turns.iter().all(|turn| [area, Equal].contains(turn))
    };
    [[a, b], [b, c], [c, a]].iter().any(|side| edges_meet(edge, side))
        || axis_of_plane(triangle).is_some_and(is_inside)
}

/// An axis along which some three of the points are seen not to be on a line.
fn axis_of_plane(points: &[Point]) -> Option<usize> {
    let count = points.len();
    let threes = || {
        let pairs = (0..count).flat_map(move |i| (i + 1..count).map(move |j| (i, j)));
        pairs.flat_map(move |(i, j)| (j + 1..count).map(move |k| [i, j, k]))
    };
    let is_wide = |axis: &usize| {
        threes().any(|[i, j, k]| turn(&points[i], &points[j], &points[k], *axis) != Equal)
    };
    (0..3).find(is_wide)
}

fn intervals_overlap(one: &[Point; 2], other: &[Point; 2], axis: usize) -> bool {
    let [[a, b], [c, d]] = [one, other].map(|[p, q]| {
        let (p, q) = (p[axis], q[axis]);
        [p.min(q), p.max(q)]
    });
    a <= d && c <= b
}

/// On which side of the plane of the first three points the fourth is.
fn side(a: &Point, b: &Point, c: &Point, d: &Point) -> Ordering {
    let coord = |p: &Point| Coord3D { x: flush(p.x), y: flush(p.y), z: flush(p.z) };
    let [a, b, c, d] = [a, b, c, d].map(coord);
    sign(robust::orient3d(a, b, c, d))
}

/// Which way three points turn, seen along an axis.
fn turn(a: &Point, b: &Point, c: &Point, axis: usize) -> Ordering {
    let (k, l) = ((axis + 1) % 3, (axis + 2) % 3);
    let [a, b, c] = [a, b, c].map(|p| Coord { x: flush(p[k]), y: flush(p[l]) });
    sign(robust::orient2d(a, b, c))
}

/// A coordinate whose products do not underflow \[m\].
fn flush(x: f64) -> f64 {
    if x.abs() < SMALLEST { 0.0 } else { x }
}

/// Both zeros are equal to 0.
fn sign(x: f64) -> Ordering {
    x.partial_cmp(&0.0).unwrap_or(Equal)
}
