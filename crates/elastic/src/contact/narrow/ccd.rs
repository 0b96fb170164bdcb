//! Conservative continuous collision detection: how far two elements may move along straight paths
//! and surely stay farther apart than a minimum.
//!
//! Source: additive continuous collision detection, Li, Kaufman & Jiang, Codimensional incremental
//! potential contact (2021), §4, algorithm 1: time advances by lower bounds of the time to impact,
//! each from the distance where the elements are then. Near an impact, the answer is the last such
//! time at which a share of the first gap is left.
//!
//! Deviations: what passes by is free, however little of the first gap it leaves. And the bound:
//! the article divides the gap by the sum of the largest displacements; here the gap along a
//! direction n bounds it, from one nearest point to the other or along the normal, as in
//! conservative advancement (Mirtich, Impulse-based dynamic simulation (1996), §2.3). For each pair
//! of corners a of the first and b of the second element
//!
//! h(t) = n·(a(t) − b(t)) = (1 − t) n·(a₀ − b₀) + t n·(a₁ − b₁)
//!
//! is linear in t. As elements are convex, they are min h / |n| apart at least; so where h > D |n|
//! at both ends of a time span for all pairs, the distance is above D in between. The step is never
//! shorter than the article's, sliding costs nothing, and *nothing depends on how n was found*: a
//! poor direction makes steps short, never wrong.
//!
//! Rounding. u = 2⁻⁵³; positions are taken relative to one corner at both ends, r their largest
//! 1-norm. A rounded difference is within u of itself, a dot product of three terms within
//! 3 u |n| r of the truth, and |n| ≤ 1 + 6 u. So each n·a is within 4.1 u r, each n·(a − b), which
//! is below 2.1 r, within 10.3 u r, and the mean over time, of four roundings, within 17 u r. It is
//! compared with D (1 + 16 u) + 24 u r, which covers |n| and its own rounding; products that
//! underflow take less than the smallest normal number, which is added. So distances below some
//! 24 u r count as none: 3e-15 of the elements' size or of their motion, whichever is more.
//!
//! Symbols: t share of the motion; D minimal distance, h separation along n \[m\].

use super::edge_edge::{edge_edge, edge_normal};
use super::nearest::{vertex_edge, vertex_vertex};
use super::vertex_triangle::{face_normal, vertex_triangle};
use hashfall_geometry::Point;
use std::array::from_fn;

/// The share of the first gap that is left at an impact.
const RESERVE: f64 = 0.1;
/// Elements whose gap is down to this share of the first touch.
const TOUCH: f64 = 1e-4;
/// Motions that take more rounds are cut short.
const MAX_ROUNDS: u32 = 64;

/// The share of the motion, at most `max_t` ≤ 1, through which the vertex (the first point) and the
/// triangle (the others) surely stay farther apart than `min_distance` ≥ 0 \[m\]; each point moves
/// straight from `start` to `end`. It is 0 if they are not so at the start.
///
/// At an impact it is the time at which about a tenth of the gap at the start is left, a twentieth
/// at least. What passes by is free as long as its gap never comes down to 1e-4 of that.
pub fn vertex_triangle_free(
    start: &[Point; 4],
    end: &[Point; 4],
    min_distance: f64,
    max_t: f64,
) -> f64 {
    let motion = Motion::<1, 4>::new(start, end, min_distance);
    motion.free(max_t, |x| vertex_triangle(x).offset, face_normal).t
}

/// As [`vertex_triangle_free`], of the edges between the first two points and the last two.
pub fn edge_edge_free(start: &[Point; 4], end: &[Point; 4], min_distance: f64, max_t: f64) -> f64 {
    let motion = Motion::<2, 4>::new(start, end, min_distance);
    motion.free(max_t, |x| edge_edge(x).offset, edge_normal).t
}

/// As [`vertex_triangle_free`], of the first point and the edge between the others.
pub fn vertex_edge_free(
    start: &[Point; 3],
    end: &[Point; 3],
    min_distance: f64,
    max_t: f64,
) -> f64 {
    let motion = Motion::<1, 3>::new(start, end, min_distance);
    let offset = |x: &[Point; 3]| vertex_edge(x).offset;
    motion.free(max_t, offset, |_| Point::zeros()).t
}

/// As [`vertex_triangle_free`], of two points.
pub fn vertex_vertex_free(
    start: &[Point; 2],
    end: &[Point; 2],
    min_distance: f64,
    max_t: f64,
) -> f64 {
    let motion = Motion::<1, 2>::new(start, end, min_distance);
    let offset = |x: &[Point; 2]| vertex_vertex(x).offset;
    motion.free(max_t, offset, |_| Point::zeros()).t
}

/// What was found, and in how many rounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Free {
    pub(super) t: f64,
    #[cfg_attr(not(test), allow(dead_code, reason = "tests report it"))]
    pub(super) rounds: u32,
}

/// N corners that move, the first `FIRST` of which are those of the first element.
pub(super) struct Motion<const FIRST: usize, const N: usize> {
    /// Relative to the last corner \[m\].
    start: [Point; N],
    end: [Point; N],
    /// What separations have to exceed \[m\].
    bar: f64,
}

impl<const FIRST: usize, const N: usize> Motion<FIRST, N> {
    pub(super) fn new(start: &[Point; N], end: &[Point; N], min_distance: f64) -> Self {
        debug_assert!(min_distance >= 0.0, "a distance of {min_distance} m is below 0");
        let relative = |x: &[Point; N]| x.map(|corner| corner - x[N - 1]);
        let (start, end) = (relative(start), relative(end));
        let sizes = start.iter().chain(&end).map(|r| r.x.abs() + r.y.abs() + r.z.abs());
        let (largest, sum) = sizes.fold((0.0, 0.0), |(m, sum), r| (f64::max(m, r), sum + r));
        // What is not finite compares with nothing: no motion is free then.
        let finite = if sum.is_finite() { 0.0 } else { f64::NAN };
        let error = 12.0 * f64::EPSILON * largest + f64::MIN_POSITIVE + finite;
        Motion { start, end, bar: min_distance * (1.0 + 8.0 * f64::EPSILON) + error }
    }

    /// Advances while directions separate the elements. `offset` gives the vector between the
    /// nearest points, `normal` another direction to try.
    #[inline(always)]
    pub(super) fn free(
        &self,
        max_t: f64,
        offset: impl Fn(&[Point; N]) -> Point,
        normal: impl Fn(&[Point; N]) -> Point,
    ) -> Free {
        debug_assert!((0.0..=1.0).contains(&max_t), "{max_t} is no share of the motion");
        let (mut t, mut early, mut first_gap) = (0.0, 0.0, None);
        for rounds in 1..=MAX_ROUNDS {
            let x: [Point; N] = from_fn(|k| self.start[k] * (1.0 - t) + self.end[k] * t);
            let offset = offset(&x);
            let Some(first) = self.along(&offset) else {
                return Free { t: early, rounds };
            };
            let second = || {
                let normal = normal(&x);
                self.along(&(normal * normal.dot(&offset).signum()))
            };
            let mut gap = first.at(t) - self.bar;
            // Near an edge the offset's direction is poor where it is much shorter than that.
            if first.at(t) <= 0.5 * offset.norm() {
                gap = second().map_or(gap, |second| gap.max(second.at(t) - self.bar));
            }
            let first_gap = *first_gap.get_or_insert(gap);
            let mut step = self.step(first, t, max_t, first_gap);
            if step.next < max_t
                && let Some(second) = second()
            {
                let other = self.step(second, t, max_t, first_gap);
                let gap = f64::max(step.gap, other.gap);
                step = Step { gap, ..if other.next > step.next { other } else { step } };
            }
            if step.gap >= 0.5 * RESERVE * first_gap {
                early = t;
            }
            let is_proved = [t, step.next].iter().all(|t| step.separation.at(*t) > self.bar);
            if !is_proved || step.next <= t || step.gap < TOUCH * first_gap {
                return Free { t: early, rounds };
            }
            t = step.next;
            if t >= max_t {
                return Free { t, rounds };
            }
        }
        Free { t: early, rounds: MAX_ROUNDS }
    }

    /// How far a direction leads.
    #[inline(always)]
    fn step(
        &self,
        separation: Separation<FIRST, N>,
        t: f64,
        max_t: f64,
        first_gap: f64,
    ) -> Step<FIRST, N> {
        let gap = separation.at(t) - self.bar;
        let reserve = RESERVE * first_gap;
        let left = if gap > 2.0 * reserve { reserve } else { 0.5 * TOUCH * first_gap };
        let next = if gap > 0.0 { separation.until(t, self.bar + left).min(max_t) } else { t };
        Step { separation, gap, next }
    }

    /// Along a direction of any length; none if it has no length or is not finite.
    #[inline(always)]
    fn along(&self, direction: &Point) -> Option<Separation<FIRST, N>> {
        let n = unit(direction)?;
        Some(Separation { start: self.start.map(|r| n.dot(&r)), end: self.end.map(|r| n.dot(&r)) })
    }
}

/// A direction, the gap along it now, and the time up to which it leaves enough of that.
struct Step<const FIRST: usize, const N: usize> {
    separation: Separation<FIRST, N>,
    gap: f64,
    next: f64,
}

/// Where the corners are along a direction \[m\].
#[derive(Clone, Copy)]
struct Separation<const FIRST: usize, const N: usize> {
    start: [f64; N],
    end: [f64; N],
}

impl<const FIRST: usize, const N: usize> Separation<FIRST, N> {
    /// The separation at the start and at the end of each pair of corners.
    #[inline(always)]
    fn pairs(&self) -> impl Iterator<Item = (f64, f64)> {
        let pair = |a: usize, b: usize| (self.start[a] - self.start[b], self.end[a] - self.end[b]);
        (0..FIRST).flat_map(move |a| (FIRST..N).map(move |b| pair(a, b)))
    }

    /// The least of them at time t.
    #[inline(always)]
    fn at(&self, t: f64) -> f64 {
        let values = self.pairs().map(|(start, end)| start * (1.0 - t) + end * t);
        values.fold(f64::INFINITY, f64::min)
    }

    /// The first time after t at which one of them is as small as `least`; infinite if none is.
    #[inline(always)]
    fn until(&self, t: f64, least: f64) -> f64 {
        let reached = |(start, end): (f64, f64)| {
            let speed = start - end;
            let value = start * (1.0 - t) + end * t;
            if speed > 0.0 { t + (value - least) / speed } else { f64::INFINITY }
        };
        self.pairs().map(reached).fold(f64::INFINITY, f64::min)
    }
}

/// Of length 1, but for 6 u; none if a vector has no length or is not finite.
fn unit(vector: &Point) -> Option<Point> {
    let scaled = vector / vector.amax();
    let unit = scaled / scaled.norm();
    unit.x.is_finite().then_some(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points<const N: usize>(corners: [[f64; 3]; N]) -> [Point; N] {
        corners.map(Point::from)
    }

    #[test]
    fn a_vertex_that_falls_on_a_triangle_stops_before_it() {
        let triangle = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let at = |z: f64| points([[0.25, 0.25, z], triangle[0], triangle[1], triangle[2]]);
        for (min_distance, impact) in [(0.0, 0.5), (0.25, 0.375)] {
            let t = vertex_triangle_free(&at(1.0), &at(-1.0), min_distance, 1.0);
            assert!((0.75 * impact..0.91 * impact).contains(&t), "{t} of {impact}");
        }
        assert_eq!(vertex_triangle_free(&at(1.0), &at(-1.0), 0.0, 0.25), 0.25);
        assert_eq!(vertex_triangle_free(&at(1.0), &at(0.5), 0.4, 1.0), 1.0);
        assert_eq!(vertex_triangle_free(&at(0.0), &at(1.0), 0.0, 1.0), 0.0, "it touches");
        assert_eq!(vertex_triangle_free(&at(f64::NAN), &at(1.0), 0.0, 1.0), 0.0);
        assert_eq!(vertex_triangle_free(&at(1.0), &at(f64::INFINITY), 0.0, 1.0), 0.0);
    }

    #[test]
    fn sliding_takes_one_round() {
        let triangle = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Point::from);
        let [a, b, c] = triangle;
        let at = |x: f64| [Point::new(x, 0.1, 1e-9), a, b, c];
        let motion = Motion::<1, 4>::new(&at(0.1), &at(0.8), 0.0);
        let free = motion.free(1.0, |x| vertex_triangle(x).offset, face_normal);
        assert_eq!((free.t, free.rounds), (1.0, 1));
    }

    #[test]
    fn edges_and_points_that_cross_stop_and_those_that_pass_do_not() {
        let edge =
            |y: f64, z: f64| points([[0.0, y, z], [1.0, y, z], [0.5, 0.0, 0.0], [0.5, 1.0, 0.0]]);
        let t = edge_edge_free(&edge(0.5, 0.5), &edge(0.5, -0.5), 0.0, 1.0);
        assert!((0.4..0.455).contains(&t), "{t}");
        assert_eq!(edge_edge_free(&edge(1.5, 0.5), &edge(1.25, -0.5), 0.125, 1.0), 1.0);
        let vertex = |x: f64, z: f64| points([[x, 0.0, z], [0.0; 3], [0.0, 1.0, 0.0]]);
        let t = vertex_edge_free(&vertex(-1.0, 0.0), &vertex(1.0, 0.0), 0.0, 1.0);
        assert!((0.4..0.455).contains(&t), "{t}");
        assert_eq!(vertex_edge_free(&vertex(-1.0, 0.25), &vertex(1.0, 0.25), 0.125, 1.0), 1.0);
        let pair = |x: f64, y: f64| points([[x, y, 0.0], [0.0; 3]]);
        let t = vertex_vertex_free(&pair(2.0, 0.0), &pair(-2.0, 0.0), 1.0, 1.0);
        assert!((0.2..0.23).contains(&t), "{t}");
        assert_eq!(vertex_vertex_free(&pair(2.0, 1.5), &pair(-2.0, 1.5), 1.0, 1.0), 1.0);
    }
}
