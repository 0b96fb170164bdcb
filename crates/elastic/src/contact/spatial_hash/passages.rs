//! Counts the vertices that passed a triangle in a substep, to which nothing is done.
//!
//! All points go straight from where they were to where they came to. A vertex and a triangle are
//! in one plane where f(t) = n(t) · (p(t) − a(t)) = 0, a cubic; between the roots of f′ it is
//! monotone, and a root is where its sign changes. If the vertex is inside of the triangle then, it
//! passes; one that passes an even number of times did not.
//!
//! Vertices and triangles whose boxes along the way overlap are tested. A vertex is looked up by
//! the middle of its way, which is then within half the longest way of the triangle's box along
//! each axis: none is left out.

use super::vertex_test::Ways;
use crate::contact::full::primitives::Primitives;
use hashfall_core::parallel::{CHUNK, fill_pieces};
use hashfall_core::{Real, vec3};
use hashfall_geometry::{Aabb, Point};
use hashfall_search::TriangleRaster;

/// Halvings that find a root to the last bit.
const HALVINGS: u32 = 60;

/// Vertices that pass triangles.
#[derive(Clone, Debug, Default)]
pub(super) struct Passages {
    /// The middles of the vertices' ways.
    middles: TriangleRaster,
    counts: Vec<u64>,
}

impl Passages {
    /// How many vertices passed a triangle on these ways, each pair counted; none while a point is
    /// nowhere finite. Cells are at least of edge `cell` \[m\].
    pub fn count(&mut self, primitives: &Primitives, ways: &Ways<'_>, cell: f64) -> u64 {
        let is_finite = |x: &Point| x.iter().all(|x| x.is_finite() && (*x as Real).is_finite());
        if primitives.triangles.is_empty() || !ways.end.iter().all(is_finite) {
            return 0;
        }
        let vertices = &primitives.vertices[..];
        let way = |k: usize| [ways.start[vertices[k] as usize], ways.end[vertices[k] as usize]];
        let longest = (0..vertices.len()).map(way).map(|[from, to]| (to - from).amax());
        let longest = longest.fold(0.0, f64::max);
        let size = cell.max(longest) as Real;
        let mut items = vec![(); vertices.len()];
        self.middles.rebuild_by(&mut items, size, vertices.len(), |k, ()| {
            let [from, to] = way(k);
            vec3(((from + to) * 0.5).into())
        });
        let (middles, triangles) = (&self.middles, &primitives.triangles[..]);
        self.counts.resize(triangles.len().div_ceil(CHUNK), 0);
        fill_pieces(&mut self.counts, &|piece, count| {
            let first = piece * CHUNK;
            *count = 0;
            for triangle in &triangles[first..triangles.len().min(first + CHUNK)] {
                let swept = around(ways, triangle);
                middles.inside(&outwards(&swept, 0.5 * longest), |k| {
                    let vertex = vertices[k as usize];
                    let can_pass = overlap(&swept, &around(ways, &[vertex]))
                        && primitives.can_meet(&[vertex], triangle);
                    *count += u64::from(can_pass && passes(ways, vertex, triangle));
                });
            }
        });
        self.counts.iter().sum()
    }
}

/// The box along the ways of some points: its least and greatest coordinates \[m\].
fn around(ways: &Ways<'_>, points: &[u32]) -> [Point; 2] {
    let both = points.iter().flat_map(|k| [ways.start[*k as usize], ways.end[*k as usize]]);
    let nothing = [Point::repeat(f64::INFINITY), Point::repeat(-f64::INFINITY)];
    both.fold(nothing, |[low, high], x| [low.inf(&x), high.sup(&x)])
}

/// Whether boxes overlap; touching counts.
fn overlap(a: &[Point; 2], b: &[Point; 2]) -> bool {
    (0..3).all(|axis| a[0][axis] <= b[1][axis] && b[0][axis] <= a[1][axis])
}

/// A box grown by `margin` \[m\] and rounded outwards.
fn outwards([low, high]: &[Point; 2], margin: f64) -> Aabb {
    let [low, high] = [low.add_scalar(-margin), high.add_scalar(margin)].map(|x| vec3(x.into()));
    Aabb::new(low.map(Real::next_down), high.map(Real::next_up))
}

/// Whether a vertex is on another side of a triangle in the end, having gone through it.
pub(super) fn passes(ways: &Ways<'_>, vertex: u32, [a, b, c]: &[u32; 3]) -> bool {
    let [p, a, b, c] = [vertex, *a, *b, *c].map(|k| {
        let k = k as usize;
        (ways.start[k], ways.end[k] - ways.start[k])
    });
    let relative = |x: (Point, Point)| (x.0 - a.0, x.1 - a.1);
    let [p, b, c] = [p, b, c].map(relative);
    let at = |x: (Point, Point), t: f64| x.0 + x.1 * t;
    let f = |t: f64| at(b, t).cross(&at(c, t)).dot(&at(p, t));
    let mut times = [0.0, 1.0, 1.0, 1.0];
    let turns = turning_points([0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0].map(f));
    (times[1], times[2]) = (turns[0], turns[1]);
    let spans = times.windows(2);
    let roots = spans.filter_map(|span| root(&f, span[0], span[1]));
    let inside = roots.filter(|&t| is_inside(&at(p, t), &at(b, t), &at(c, t)));
    inside.count() % 2 == 1
}

/// Where in (0, 1) the derivative of a cubic with these values at 0, 1/3, 2/3 and 1 is zero,
/// ascending; 1 in the place of what there is not.
fn turning_points([f0, f1, f2, f3]: [f64; 4]) -> [f64; 2] {
    // The derivative is c1 + 2 c2 t + 3 c3 t².
    let c1 = -5.5 * f0 + 9.0 * f1 - 4.5 * f2 + f3;
    let c2 = 9.0 * f0 - 22.5 * f1 + 18.0 * f2 - 4.5 * f3;
    let c3 = -4.5 * f0 + 13.5 * f1 - 13.5 * f2 + 4.5 * f3;
    let discriminant = c2 * c2 - 3.0 * c1 * c3;
    let clamped = |t: f64| if t > 0.0 && t < 1.0 { t } else { 1.0 };
    if discriminant.is_nan() || discriminant < 0.0 {
        return [1.0, 1.0];
    }
    let sum = -(c2 + discriminant.sqrt().copysign(c2));
    let [first, second] = [clamped(sum / (3.0 * c3)), clamped(c1 / sum)];
    [first.min(second), first.max(second)]
}

/// Where a function that is monotone changes its sign; zero counts as above.
fn root(f: &impl Fn(f64) -> f64, from: f64, to: f64) -> Option<f64> {
    let starts_below = f(from) < 0.0;
    if from >= to || (f(to) < 0.0) == starts_below {
        return None;
    }
    let [mut low, mut high] = [from, to];
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if (f(middle) < 0.0) == starts_below { low = middle } else { high = middle }
    }
    Some(0.5 * (low + high))
}

/// Whether a point of the plane of a triangle with a corner at the origin is inside of it.
fn is_inside(p: &Point, b: &Point, c: &Point) -> bool {
    let normal = b.cross(c);
    let side = |from: &Point, to: &Point| normal.dot(&(to - from).cross(&(p - from)));
    let origin = Point::zeros();
    [side(&origin, b), side(b, c), side(c, &origin)].iter().all(|side| *side >= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::random::Random;

    /// How often a vertex passes a triangle, by many short straight ways past a triangle that
    /// stands still, or `None` if a crossing is too near to an edge to tell.
    fn sampled(ways: &Ways<'_>) -> Option<u32> {
        const SAMPLES: u32 = 4000;
        let at = |k: usize, t: f64| ways.start[k] + (ways.end[k] - ways.start[k]) * t;
        let mut count = 0;
        let mut before = 0.0;
        for n in 0..=SAMPLES {
            let t = f64::from(n) / f64::from(SAMPLES);
            let [p, a, b, c] = [0, 1, 2, 3].map(|k| at(k, t));
            let [p, b, c] = [p - a, b - a, c - a];
            let f = b.cross(&c).dot(&p);
            if n > 0 && f * before < 0.0 {
                let normal = b.cross(&c);
                let origin = Point::zeros();
                let side = |from: &Point, to: &Point| normal.dot(&(to - from).cross(&(p - from)));
                let sides = [side(&origin, &b), side(&b, &c), side(&c, &origin)];
                let least = sides.into_iter().fold(f64::INFINITY, f64::min);
                if least.abs() < 0.02 * normal.norm_squared() {
                    return None;
                }
                count += u32::from(least > 0.0);
            }
            before = f;
        }
        Some(count)
    }

    #[test]
    fn passages_are_those_of_a_fine_sampling() {
        let mut random = Random::new(1);
        let [mut passed, mut twice, mut tested] = [0, 0, 0];
        for _ in 0..3000 {
            let start: Vec<Point> = (0..4).map(|_| random.point(-1.0, 1.0)).collect();
            let end: Vec<Point> = (0..4).map(|_| random.point(-1.0, 1.0)).collect();
            let ways = Ways { start: &start, end: &end };
            let Some(count) = sampled(&ways) else { continue };
            assert_eq!(passes(&ways, 0, &[1, 2, 3]), count % 2 == 1, "{ways:?} {count}");
            tested += 1;
            passed += count % 2;
            twice += count / 2;
        }
        assert!(tested > 2000 && passed > 150 && twice > 0, "{tested} {passed} {twice}");
    }

    #[test]
    fn cubics_turn_where_they_should() {
        let cubic = |t: f64| (t - 0.2) * (t - 0.5) * (t - 0.9);
        let [low, high] = turning_points([0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0].map(cubic));
        // 3 t² − 3.2 t + 0.73 = 0.
        assert!((low - 0.330574).abs() < 1e-6 && (high - 0.736092).abs() < 1e-6, "{low} {high}");
        assert_eq!(turning_points([0.0, 1.0, 2.0, 3.0]), [1.0, 1.0]);
        assert_eq!(turning_points([1.0; 4]), [1.0, 1.0]);
        let parabola = turning_points([0.0, 2.0 / 9.0, 2.0 / 9.0, 0.0]);
        assert!((parabola[0] - 0.5).abs() < 1e-12, "{parabola:?}");
    }
}
