//! Polygons to triangles.
//!
//! A face from a modelling program may be concave, may have a hole that a bridge edge joins to its
//! outline (a keyhole), and may have corners on its straight edges. Its triangles have to cover it
//! exactly once: where triangles of opposite orientation overlap they cancel in the winding number,
//! but not in contact, and make a membrane that nobody sees.
//!
//! The polygon is projected along the coordinate axis nearest to its normal (Newell's), which
//! keeps its coordinates exact. If no triangle of the fan around the first corner is turned over,
//! that fan is taken. Otherwise the crate `earcut` cuts the polygon. It leaves out corners on
//! straight edges, which are put back here, and it does not promise a correct result, so that every
//! result is checked: n − 2 triangles over the corners alone, none turned over, areas that add up,
//! each edge of the polygon used once in its direction and each inner edge once in both. In the
//! plane polygons may have holes, too: then there are n − 2 + 2 × holes triangles.
//!
//! Symbols: n corners; areas are twice the area of a triangle, in the square of the unit of length.

use super::Point;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};
use std::ops::Range;

/// Areas below this share of the squared extent are rounding of exact coordinates \[–\].
const STRICT: f64 = 1e-12;
/// Areas below this share of the squared extent are rounding of printed coordinates \[–\].
const LENIENT: f64 = 1e-6;

/// The triangles of a polygon, by the numbers of its corners; `None` if it crosses itself, so that
/// no triangles cover it.
///
/// A polygon whose corners lie on a line has triangles without area.
pub fn triangulate(corners: &[Point]) -> Option<Vec<[usize; 3]>> {
    let fan = fan(corners.len());
    let (normal, unit) = (newell_normal(corners), extent(corners).powi(2));
    if normal.norm() <= LENIENT * unit {
        let doubled = |&[a, b, c]: &[usize; 3]| {
            (corners[b] - corners[a]).cross(&(corners[c] - corners[a])).norm()
        };
        return fan.iter().all(|t| doubled(t) <= LENIENT * unit).then_some(fan);
    }
    let polygon = Polygon::new(corners, &normal);
    if polygon.is_covered_by(&fan, STRICT * unit) {
        return Some(fan);
    }
    let cut = polygon.cut_ears();
    [(&cut, STRICT), (&fan, LENIENT), (&cut, LENIENT)]
        .into_iter()
        .find(|(triangles, tolerance)| polygon.is_covered_by(triangles, tolerance * unit))
        .map(|(triangles, _)| triangles.clone())
}

/// The triangles of a polygon in the plane with holes: its outline, counter-clockwise, and then its
/// holes, clockwise. Corners are numbered through all of them. `None` if rings cross.
pub(crate) fn triangulate_flat(rings: &[Vec<[f64; 2]>]) -> Option<Vec<[usize; 3]>> {
    let polygon = Polygon::with_holes(rings);
    let corners = polygon.points.iter();
    let places: Vec<Point> = corners.map(|&[u, v]| Point::new(u, v, 0.0)).collect();
    let unit = extent(&places).powi(2);
    let fan = fan(polygon.points.len());
    if rings.len() == 1 && polygon.is_covered_by(&fan, STRICT * unit) {
        return Some(fan);
    }
    let cut = polygon.cut_ears();
    let covers = |tolerance: &f64| polygon.is_covered_by(&cut, tolerance * unit);
    [STRICT, LENIENT].iter().any(covers).then_some(cut)
}

/// The triangles around the first of `n` corners.
pub fn fan(n: usize) -> Vec<[usize; 3]> {
    (2..n).map(|k| [0, k - 1, k]).collect()
}

/// A face of four corners whose opposite edges cross (a bow-tie): the point of crossing, and
/// triangles in which that is corner 4.
///
/// Two triangles are the wings. Two without area join their corners at the crossing to the whole
/// edges, which the neighbours of the face have.
pub fn split_at_crossing(corners: &[Point; 4]) -> Option<(Point, [[usize; 3]; 4])> {
    [[0, 1, 2, 3], [1, 2, 3, 0]].into_iter().find_map(|[a, b, c, d]| {
        let (p, q) = (corners[a], corners[c]);
        let (u, v) = (corners[b] - p, corners[d] - q);
        // The nearest points p + s u and q + t v of two lines.
        let (uu, uv, vv) = (u.dot(&u), u.dot(&v), v.dot(&v));
        let (pu, pv) = ((p - q).dot(&u), (p - q).dot(&v));
        let below = uu * vv - uv * uv;
        let (s, t) = ((uv * pv - vv * pu) / below, (uu * pv - uv * pu) / below);
        let is_between = |x: f64| x > 0.0 && x < 1.0;
        let crossing = ((p + u * s) + (q + v * t)) * 0.5;
        (is_between(s) && is_between(t))
            .then_some((crossing, [[4, b, c], [4, d, a], [a, b, 4], [c, d, 4]]))
    })
}

/// The normal of a polygon, as long as twice its area (Newell's method).
fn newell_normal(corners: &[Point]) -> Point {
    let Some(first) = corners.first() else { return Point::zeros() };
    let edges = corners.iter().zip(corners.iter().cycle().skip(1));
    edges.map(|(a, b)| (a - first).cross(&(b - first))).sum()
}

/// The longest edge of the box around some points.
fn extent(points: &[Point]) -> f64 {
    let Some(first) = points.first() else { return 0.0 };
    let (low, high) = points.iter().fold((*first, *first), |(l, h), p| (l.inf(p), h.sup(p)));
    (high - low).max()
}

/// A polygon in a plane, counter-clockwise, with holes, clockwise.
struct Polygon {
    points: Vec<[f64; 2]>,
    /// The first corners of the holes, after those of the outline.
    holes: Vec<usize>,
}

impl Polygon {
    /// Projects corners along the axis nearest to the normal.
    fn new(corners: &[Point], normal: &Point) -> Self {
        let axis = normal.iamax();
        let (mut u, mut v) = ((axis + 1) % 3, (axis + 2) % 3);
        if normal[axis] < 0.0 {
            (u, v) = (v, u);
        }
        Polygon { points: corners.iter().map(|c| [c[u], c[v]]).collect(), holes: Vec::new() }
    }

    /// An outline and its holes.
    fn with_holes(rings: &[Vec<[f64; 2]>]) -> Self {
        let ends = rings.iter().scan(0, |end, ring| {
            *end += ring.len();
            Some(*end)
        });
        let holes = ends.take(rings.len().saturating_sub(1)).collect();
        Polygon { points: rings.concat(), holes }
    }

    /// The corners of each ring.
    fn rings(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = std::iter::once(0).chain(self.holes.iter().copied());
        let ends = self.holes.iter().copied().chain([self.points.len()]);
        starts.zip(ends).map(|(start, end)| start..end)
    }

    /// Twice the area of a triangle; negative if it is turned over.
    fn area(&self, [a, b, c]: [usize; 3]) -> f64 {
        let [a, b, c] = [a, b, c].map(|k| self.points[k]);
        (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
    }

    /// The polygon's own edges.
    fn edges(&self) -> impl Iterator<Item = (usize, usize)> {
        self.rings().flat_map(|ring| {
            let (start, end) = (ring.start, ring.end);
            ring.map(move |k| (k, if k + 1 == end { start } else { k + 1 }))
        })
    }

    /// Whether the triangles cover the polygon exactly once.
    fn is_covered_by(&self, triangles: &[[usize; 3]], tolerance: f64) -> bool {
        let n = self.points.len();
        let corners_are_own = triangles.iter().flatten().all(|&k| k < n);
        // Each hole is joined to the outline by a bridge, which adds two corners.
        if triangles.len() + 2 != n + 2 * self.holes.len() || !corners_are_own {
            return false;
        }
        let area = |triangles: &[[usize; 3]]| triangles.iter().map(|t| self.area(*t)).sum::<f64>();
        let fans = self.rings().map(|ring| {
            let own = fan(ring.len()).into_iter().map(|t| t.map(|k| ring.start + k));
            area(&own.collect::<Vec<_>>())
        });
        let areas_fit = (area(triangles) - fans.sum::<f64>()).abs() <= tolerance * n as f64;
        areas_fit
            && triangles.iter().all(|t| self.area(*t) >= -tolerance)
            && self.edges_pair_up(triangles)
    }

    /// Whether the triangles use each edge of the polygon once, and inner edges once in both ways.
    fn edges_pair_up(&self, triangles: &[[usize; 3]]) -> bool {
        let mut uses: HashMap<(usize, usize), u32> = HashMap::new();
        edges_of(triangles).for_each(|edge| *uses.entry(edge).or_default() += 1);
        // The corner after each along its ring.
        let next: Vec<usize> = self.edges().map(|(_, b)| b).collect();
        self.edges().all(|edge| uses.contains_key(&edge))
            && uses
                .iter()
                .all(|(&(a, b), &count)| count == 1 && (next[a] == b) != uses.contains_key(&(b, a)))
    }

    /// Triangles by ear clipping.
    fn cut_ears(&self) -> Vec<[usize; 3]> {
        let mut corners: Vec<usize> = Vec::new();
        earcut::Earcut::new().earcut(self.points.iter().copied(), &self.holes, &mut corners);
        let mut triangles: Vec<[usize; 3]> =
            corners.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect();
        // All face the same way, whichever that is.
        if triangles.iter().map(|t| self.area(*t)).sum::<f64>() < 0.0 {
            triangles.iter_mut().for_each(|t| t.swap(1, 2));
        }
        self.stitch(&mut triangles);
        self.flip_slivers(&mut triangles);
        triangles
    }

    /// Puts back corners that are left out: the edges that the triangles lack make closed lines
    /// along straight edges, each filled by triangles without area.
    fn stitch(&self, triangles: &mut Vec<[usize; 3]>) {
        let mut net: BTreeMap<(usize, usize), i32> = BTreeMap::new();
        let mut add = |(a, b): (usize, usize), sign: i32| {
            *net.entry((a.min(b), a.max(b))).or_default() += if a < b { sign } else { -sign };
        };
        self.edges().for_each(|edge| add(edge, 1));
        edges_of(triangles).for_each(|edge| add(edge, -1));
        let mut ways: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (&(a, b), &count) in &net {
            let (from, to) = if count > 0 { (a, b) } else { (b, a) };
            (0..count.abs()).for_each(|_| ways.entry(from).or_default().push(to));
        }
        // As many ways lead to a corner as from it, so that each line comes back to its start.
        while let Some((&start, _)) = ways.first_key_value() {
            let mut line = vec![start];
            let mut at = start;
            while let Some(next) = ways.get_mut(&at).and_then(Vec::pop) {
                if ways.get(&at).is_some_and(Vec::is_empty) {
                    ways.remove(&at);
                }
                if next == start {
                    break;
                }
                line.push(next);
                at = next;
            }
            triangles.extend(fan(line.len()).iter().map(|t| t.map(|k| line[k])));
        }
    }

    /// Gives the middle corner of each triangle without area to the triangle at its longest edge.
    fn flip_slivers(&self, triangles: &mut [[usize; 3]]) {
        let numbered = triangles.iter().enumerate();
        let mut owner: HashMap<(usize, usize), usize> =
            numbered.flat_map(|(t, corners)| edges_of_one(corners).map(|edge| (edge, t))).collect();
        let mut is_sliver: Vec<bool> = triangles.iter().map(|t| self.area(*t) == 0.0).collect();
        // In rounds, each in the order of the triangles. A sliver next to another waits for that.
        let slivers = (0..triangles.len()).filter(|&t| is_sliver[t]);
        let mut waiting: BinaryHeap<_> = slivers.map(|t| Reverse((0, t))).collect();
        while let Some(Reverse((round, t))) = waiting.pop() {
            let Some([p, c, q]) = self.along_longest(triangles[t]) else { continue };
            let Some(&other) = owner.get(&(p, q)) else { continue };
            if !is_sliver[t] || self.area(triangles[other]) == 0.0 {
                continue;
            }
            let Some(&r) = triangles[other].iter().find(|&&k| k != p && k != q) else { continue };
            (triangles[t], triangles[other]) = ([p, c, r], [c, q, r]);
            is_sliver[t] = false;
            for number in [t, other] {
                owner.extend(edges_of_one(&triangles[number]).map(|edge| (edge, number)));
            }
            let neighbours = [(c, p), (q, c)].into_iter().filter_map(|edge| owner.get(&edge));
            let freed = neighbours.filter(|&&next| is_sliver[next]);
            waiting.extend(freed.map(|&next| Reverse((round + usize::from(next < t), next))));
        }
    }

    /// The corners p, c, q of a triangle on a line with c strictly between the others, if one is.
    fn along_longest(&self, [a, b, c]: [usize; 3]) -> Option<[usize; 3]> {
        let square = |p: usize, q: usize| {
            let [p, q] = [p, q].map(|k| self.points[k]);
            (p[0] - q[0]).powi(2) + (p[1] - q[1]).powi(2)
        };
        let turns = [[a, b, c], [b, c, a], [c, a, b]];
        turns.into_iter().find(|&[p, c, q]| {
            let [pc, cq, qp] = [square(p, c), square(c, q), square(q, p)];
            pc > 0.0 && cq > 0.0 && qp > pc && qp > cq
        })
    }
}

/// The directed edges of triangles.
fn edges_of(triangles: &[[usize; 3]]) -> impl Iterator<Item = (usize, usize)> {
    triangles.iter().flat_map(edges_of_one)
}

fn edges_of_one(&[a, b, c]: &[usize; 3]) -> [(usize, usize); 3] {
    [(a, b), (b, c), (c, a)]
}

#[cfg(test)]
mod tests;
