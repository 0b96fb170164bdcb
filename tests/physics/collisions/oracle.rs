//! Whether a path comes near a ball or a triangle, decided without rounding.
//!
//! A path is a segment from a to b. The distance of two segments, of a point and a segment, and of
//! a point and a triangle are all taken between a corner, an inner point of an edge or an inner
//! point of a face of the one and such of the other; so it is enough to look at each such pair that
//! is square to the line between them. The squares of these distances are ratios of polynomials in
//! the coordinates: N/D < ρ² is decided as N < ρ² D, with no division and no root.
//!
//! Most are decided sooner: by a direction along which all corners of the one are farther than ρ
//! from both ends of the other, but for rounding. Any direction will do, wherever it comes from.
//!
//! Symbols: a, b ends of the path, ρ reach \[m\].

use super::number::{Exact, Number, Rough};
use hashfall_core::{Vec3, to_f64};
use hashfall_geometry::triangle::offset_to_triangle;
use nalgebra::Vector3;
use std::cmp::Ordering::{self, Equal, Greater, Less};

/// What a path may come near.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    Ball { centre: [f64; 3], radius: f64 },
    Triangle([[f64; 3]; 3]),
}

impl Shape {
    pub fn ball(centre: &Vec3, radius: f64) -> Self {
        Shape::Ball { centre: to_f64(centre), radius }
    }

    pub fn triangle(corners: &[Vec3; 3]) -> Self {
        Shape::Triangle(corners.map(|c| to_f64(&c)))
    }

    /// Whether the path from `a` to `b` comes nearer than `reach` to the shape.
    pub fn is_neared(&self, a: &[f64; 3], b: &[f64; 3], reach: f64) -> bool {
        if self.is_apart(a, b, reach) {
            return false;
        }
        let roughly = self.nears::<Rough>(a, b, reach);
        roughly.or_else(|| self.nears::<Exact>(a, b, reach)).unwrap()
    }

    /// Whether a plane between them, square to the shortest way from an end of the path, tells that
    /// the path stays farther than `reach` from a triangle.
    fn is_apart(&self, a: &[f64; 3], b: &[f64; 3], reach: f64) -> bool {
        let Shape::Triangle(corners) = self else { return false };
        let (corners, ends) = (corners.map(Vector3::from), [a, b].map(|end| Vector3::from(*end)));
        let sizes = corners.iter().chain(&ends).map(|p| p.amax());
        let rounding = 1e-13 * sizes.fold(reach, f64::max);
        ends.iter().any(|end| {
            let Some(along) = offset_to_triangle(end, &corners).try_normalize(0.0) else {
                return false;
            };
            let between = |end: &Vector3<f64>| {
                corners.iter().map(|c| along.dot(&(c - end))).fold(f64::INFINITY, f64::min)
            };
            ends.iter().all(|end| between(end) > reach + rounding)
        })
    }

    /// As [`Shape::is_neared`], if numbers of this kind can tell.
    pub fn nears<N: Number>(&self, a: &[f64; 3], b: &[f64; 3], reach: f64) -> Option<bool> {
        let path = [a, b].map(point::<N>);
        match self {
            Shape::Ball { centre, radius } => {
                let whole = N::of(*radius).plus(&N::of(reach));
                if whole.sign()? != Greater {
                    return Some(false);
                }
                point_nears_segment(&point(centre), &path, &whole.times(&whole))
            }
            Shape::Triangle(_) if reach <= 0.0 => Some(false),
            Shape::Triangle(corners) => {
                let reach = N::of(reach);
                path_nears_triangle(&path, &corners.each_ref().map(point), &reach.times(&reach))
            }
        }
    }
}

type Point<N> = [N; 3];

fn point<N: Number>(p: &[f64; 3]) -> Point<N> {
    p.map(N::of)
}

fn minus<N: Number>(a: &Point<N>, b: &Point<N>) -> Point<N> {
    [0, 1, 2].map(|k| a[k].minus(&b[k]))
}

fn dot<N: Number>(a: &Point<N>, b: &Point<N>) -> N {
    a[0].times(&b[0]).plus(&a[1].times(&b[1])).plus(&a[2].times(&b[2]))
}

fn cross<N: Number>(a: &Point<N>, b: &Point<N>) -> Point<N> {
    [(1, 2), (2, 0), (0, 1)].map(|(k, l)| a[k].times(&b[l]).minus(&a[l].times(&b[k])))
}

/// How two numbers compare.
fn compare<N: Number>(a: &N, b: &N) -> Option<Ordering> {
    a.minus(b).sign()
}

/// Whether any is true: some that are not sure do no harm then.
fn any(answers: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let mut sure = true;
    for answer in answers {
        match answer {
            Some(true) => return Some(true),
            Some(false) => {}
            None => sure = false,
        }
    }
    sure.then_some(false)
}

/// Whether p is nearer to a segment than the root of `square`.
fn point_nears_segment<N: Number>(
    p: &Point<N>,
    [a, b]: &[Point<N>; 2],
    square: &N,
) -> Option<bool> {
    let (along, to) = (minus(b, a), minus(p, a));
    let (way, length) = (dot(&to, &along), dot(&along, &along));
    let is_near = |end: &Point<N>| Some(compare(&dot(end, end), square)? == Less);
    // Also where the segment is a point.
    if way.sign()? != Greater {
        return is_near(&to);
    }
    if compare(&way, &length)? != Less {
        return is_near(&minus(p, b));
    }
    let aside = dot(&to, &to).times(&length).minus(&way.times(&way));
    Some(compare(&aside, &square.times(&length))? == Less)
}

/// Whether two segments come this near at inner points of both.
fn insides_are_near<N: Number>(
    [a, b]: &[Point<N>; 2],
    [c, d]: &[Point<N>; 2],
    square: &N,
) -> Option<bool> {
    let (u, v, between) = (minus(b, a), minus(d, c), minus(c, a));
    let normal = cross(&u, &v);
    let size = dot(&normal, &normal);
    let height = dot(&between, &normal);
    // Too far for the lines is too far for the segments; parallels are near at an end as well.
    if compare(&height.times(&height), &square.times(&size))? != Less {
        return Some(false);
    }
    // The places along each, over `size`.
    for place in [dot(&cross(&between, &v), &normal), dot(&cross(&between, &u), &normal)] {
        if place.sign()? == Less || compare(&place, &size)? == Greater {
            return Some(false);
        }
    }
    Some(true)
}

/// Whether p is this near to an inner point of a triangle.
fn point_nears_face<N: Number>(
    p: &Point<N>,
    corners: &[Point<N>; 3],
    normal: &Point<N>,
    square: &N,
) -> Option<bool> {
    let height = dot(&minus(p, &corners[0]), normal);
    if compare(&height.times(&height), &square.times(&dot(normal, normal)))? != Less {
        return Some(false);
    }
    for k in 0..3 {
        let (from, to) = (&corners[k], &corners[(k + 1) % 3]);
        if dot(&cross(&minus(to, from), &minus(p, from)), normal).sign()? == Less {
            return Some(false);
        }
    }
    Some(true)
}

/// Whether a path goes through an inner point of a triangle.
fn pierces<N: Number>(
    [a, b]: &[Point<N>; 2],
    corners: &[Point<N>; 3],
    normal: &Point<N>,
) -> Option<bool> {
    let side = |p: &Point<N>| dot(&minus(p, &corners[0]), normal).sign();
    // What only touches the plane is near it with an end.
    match (side(a)?, side(b)?) {
        (Less, Greater) | (Greater, Less) => {}
        _ => return Some(false),
    }
    let u = minus(b, a);
    let mut turn = Equal;
    for k in 0..3 {
        let [from, to] = [&corners[k], &corners[(k + 1) % 3]].map(|corner| minus(corner, a));
        let sign = dot(&cross(&from, &to), &u).sign()?;
        if sign == Equal || (turn != Equal && sign != turn) {
            return Some(false);
        }
        turn = sign;
    }
    Some(true)
}

fn path_nears_triangle<N: Number>(
    path: &[Point<N>; 2],
    corners: &[Point<N>; 3],
    square: &N,
) -> Option<bool> {
    let [a, b, c] = corners;
    let edges = [[a, b], [b, c], [c, a]].map(|edge| edge.map(Clone::clone));
    let normal = cross(&minus(b, a), &minus(c, a));
    let of_corners = corners.iter().map(|corner| point_nears_segment(corner, path, square));
    let of_ends = path.iter().flat_map(|end| {
        let to_edges = edges.iter().map(|edge| point_nears_segment(end, edge, square));
        to_edges.chain([point_nears_face(end, corners, &normal, square)])
    });
    let of_edges = edges.iter().map(|edge| insides_are_near(path, edge, square));
    let through = std::iter::once_with(|| pierces(path, corners, &normal));
    any(of_corners.chain(of_ends).chain(of_edges).chain(through))
}

#[cfg(test)]
mod tests {
    use super::super::draw::Draw;
    use super::*;

    type P = Vector3<f64>;

    /// The least distance between many points of the path and of the shape; never too small.
    fn sampled(shape: &Shape, a: &P, b: &P) -> f64 {
        const PARTS: u32 = 40;
        let share = |k: u32| f64::from(k) / f64::from(PARTS);
        let path = (0..=PARTS).map(|k| a + (b - a) * share(k));
        match shape {
            Shape::Ball { centre, radius } => {
                path.map(|x| (x - P::from(*centre)).norm() - radius).fold(f64::MAX, f64::min)
            }
            Shape::Triangle(corners) => {
                let [a, b, c] = corners.map(P::from);
                let mut least = f64::MAX;
                for x in path {
                    for (i, j) in (0..=PARTS).flat_map(|i| (0..=PARTS - i).map(move |j| (i, j))) {
                        let on = a + (b - a) * share(i) + (c - a) * share(j);
                        least = least.min((x - on).norm());
                    }
                }
                least
            }
        }
    }

    #[test]
    fn it_agrees_with_many_samples() {
        let mut draw = Draw::new(1);
        let mut near = 0;
        for k in 0..400 {
            let mut place = || [0; 3].map(|_| draw.number(-1.0, 1.0));
            let (a, b) = (place(), place());
            let shape = match k % 4 {
                0 => Shape::Ball { centre: place(), radius: 0.3 },
                _ => Shape::Triangle([place(), place(), place()]),
            };
            let distance = sampled(&shape, &a.into(), &b.into()).max(0.0);
            near += usize::from(shape.is_neared(&a, &b, 0.05));
            assert!(shape.is_neared(&a, &b, distance + 1e-9), "{shape:?} {a:?} {b:?}");
            // Two samples of either are this near to any point of theirs.
            let gap = distance - 0.12;
            assert!(gap <= 0.0 || !shape.is_neared(&a, &b, gap), "{shape:?} {a:?} {b:?}");
        }
        assert!((50..350).contains(&near), "{near}");
    }

    #[test]
    fn what_just_touches_is_not_nearer_and_one_bit_decides() {
        let flat = Shape::Triangle([[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]]);
        let ball = Shape::Ball { centre: [0.0; 3], radius: 0.75 };
        // Over the face, past an edge, past a corner, over the ball; each at distance 1/4.
        let over = [1.0, 1.0, 0.25];
        let touching = [
            (flat, over, over),
            (flat, [-9.0, 1.0, 0.25], [9.0, 1.0, 0.25]),
            (flat, [1.0, -0.25, -3.0], [1.0, -0.25, 7.0]),
            (flat, [4.25, -3.0, 0.0], [4.25, 8.0, 0.0]),
            (ball, [-5.0, 0.0, 1.0], [5.0, 0.0, 1.0]),
            (ball, [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]),
        ];
        for (shape, a, b) in touching {
            assert!(!shape.is_neared(&a, &b, 0.25), "{shape:?} {a:?}");
            assert!(shape.is_neared(&a, &b, 0.25_f64.next_up()), "{shape:?} {a:?}");
            assert_eq!(shape.nears::<Rough>(&a, &b, 0.25_f64.next_up()), None, "too fine for it");
        }
        assert!(flat.is_neared(&[1.0, 1.0, 5.0], &[1.0, 1.0, -5.0], 1e-300), "it goes through");
        assert!(!flat.is_neared(&[3.0, 3.0, 5.0], &[3.0, 3.0, -5.0], 1.0), "it goes past");
    }
}
