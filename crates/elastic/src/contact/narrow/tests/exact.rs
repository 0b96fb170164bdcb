//! Coordinates as whole numbers, and distances compared without rounding.
//!
//! Every `f64` is a whole number times a power of two; all coordinates of a case are brought to
//! the least of these powers. Distances are ratios of whole numbers: N/D < ρ² is decided as
//! N < ρ² D.

use hashfall_geometry::Point;
use num_bigint::BigInt;
use num_bigint::Sign::Minus;

pub type Exact = [BigInt; 3];

/// The digits of a number and the exponent of its last one.
pub fn digits(x: f64) -> (i64, i32) {
    assert!(x.is_finite());
    let bits = x.to_bits();
    let (biased, fraction) = ((bits >> 52 & 0x7ff) as i32, (bits & ((1 << 52) - 1)) as i64);
    let (digits, exponent) = match biased {
        0 => (fraction, -1074),
        _ => (fraction | 1 << 52, biased - 1075),
    };
    if digits == 0 {
        return (0, i32::MAX);
    }
    let zeros = digits.trailing_zeros() as i32;
    let digits = digits >> zeros;
    (if x < 0.0 { -digits } else { digits }, exponent + zeros)
}

/// The exponent of the last digit of any of some numbers.
pub fn last_digit<'a>(numbers: impl IntoIterator<Item = &'a f64>) -> i32 {
    numbers.into_iter().map(|x| digits(*x).1).fold(i32::MAX, i32::min)
}

/// A number in units of 2 to a power.
pub fn whole(x: f64, unit: i32) -> BigInt {
    match digits(x) {
        (0, _) => BigInt::ZERO,
        (digits, exponent) => BigInt::from(digits) << (exponent - unit),
    }
}

pub fn exact(p: &Point, unit: i32) -> Exact {
    [0, 1, 2].map(|k| whole(p[k], unit))
}

fn minus(a: &Exact, b: &Exact) -> Exact {
    [0, 1, 2].map(|k| &a[k] - &b[k])
}

fn dot(a: &Exact, b: &Exact) -> BigInt {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn cross(a: &Exact, b: &Exact) -> Exact {
    [(1, 2), (2, 0), (0, 1)].map(|(k, l)| &a[k] * &b[l] - &a[l] * &b[k])
}

fn is_below_zero(x: &BigInt) -> bool {
    x.sign() == Minus
}

/// The elements and a distance in whole numbers.
pub struct Static<const N: usize> {
    x: [Exact; N],
    square: BigInt,
}

impl<const N: usize> Static<N> {
    pub fn new(x: &[Point; N], distance: f64) -> Self {
        let numbers = x.iter().flat_map(|p| p.iter()).chain([&distance]);
        let unit = last_digit(numbers);
        let distance = whole(distance, unit);
        Static { x: x.each_ref().map(|p| exact(p, unit)), square: &distance * &distance }
    }

    fn is_point_near_point(&self, p: usize, q: usize) -> bool {
        let w = minus(&self.x[p], &self.x[q]);
        dot(&w, &w) < self.square
    }

    /// Of the inner points of the segment: its ends are points of their own.
    fn is_point_near_segment(&self, p: usize, [a, b]: [usize; 2]) -> bool {
        let [u, w] = [minus(&self.x[b], &self.x[a]), minus(&self.x[p], &self.x[a])];
        let (way, length2) = (dot(&u, &w), dot(&u, &u));
        let aside = cross(&u, &w);
        !is_below_zero(&way)
            && way <= length2
            && length2 != BigInt::ZERO
            && dot(&aside, &aside) < &self.square * length2
    }
}

impl Static<4> {
    /// Whether the vertex x₀ is nearer to the triangle of the others.
    pub fn is_vertex_near_triangle(&self) -> bool {
        let corners = (1..4).any(|k| self.is_point_near_point(0, k));
        let edges = [[1, 2], [2, 3], [3, 1]];
        corners
            || edges.iter().any(|edge| self.is_point_near_segment(0, *edge))
            || self.is_vertex_near_face()
    }

    fn is_vertex_near_face(&self) -> bool {
        let [p, a, b, c] = &self.x;
        let n = cross(&minus(b, a), &minus(c, a));
        let (height, normal2) = (dot(&n, &minus(p, a)), dot(&n, &n));
        let is_inside = |from: &Exact, to: &Exact| {
            !is_below_zero(&dot(&n, &cross(&minus(to, from), &minus(p, from))))
        };
        normal2 != BigInt::ZERO
            && &height * &height < &self.square * normal2
            && is_inside(a, b)
            && is_inside(b, c)
            && is_inside(c, a)
    }

    /// Whether the edges x₀x₁ and x₂x₃ are nearer.
    pub fn are_edges_near(&self) -> bool {
        let ends = [[0, 2], [0, 3], [1, 2], [1, 3]];
        ends.iter().any(|[p, q]| self.is_point_near_point(*p, *q))
            || [0, 1].iter().any(|p| self.is_point_near_segment(*p, [2, 3]))
            || [2, 3].iter().any(|p| self.is_point_near_segment(*p, [0, 1]))
            || self.are_insides_near()
    }

    fn are_insides_near(&self) -> bool {
        let [a, b, c, d] = &self.x;
        let (u, v, w) = (minus(b, a), minus(d, c), minus(a, c));
        let n = cross(&u, &v);
        let (height, normal2) = (dot(&n, &w), dot(&n, &n));
        let is_inner = |place: BigInt| !is_below_zero(&place) && place <= normal2;
        normal2 != BigInt::ZERO
            && &height * &height < &self.square * &normal2
            && is_inner(dot(&cross(&v, &w), &n))
            && is_inner(dot(&cross(&u, &w), &n))
    }
}
