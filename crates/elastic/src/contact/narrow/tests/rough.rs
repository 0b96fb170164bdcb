//! Doubles that know how wrong they may be: a filter before exact arithmetic (running error
//! analysis: Wilkinson, Rounding errors in algebraic processes (1963), §1.4).

use hashfall_geometry::Point;
use std::array::from_fn;

/// A double within `error` of the truth.
#[derive(Clone, Copy)]
struct Rough {
    value: f64,
    error: f64,
}

/// More than twice the rounding of a double, so that errors of the errors are covered.
const ROUNDING: f64 = 2.0 * f64::EPSILON;

impl Rough {
    fn new(value: f64, error: f64) -> Self {
        let rounding = value.abs() * ROUNDING + f64::MIN_POSITIVE;
        Rough { value, error: error * (1.0 + ROUNDING) + rounding }
    }

    fn difference(a: f64, b: f64) -> Self {
        Rough::new(a - b, 0.0)
    }

    fn plus(self, other: Self) -> Self {
        Rough::new(self.value + other.value, self.error + other.error)
    }

    fn minus(self, other: Self) -> Self {
        Rough::new(self.value - other.value, self.error + other.error)
    }

    fn times(self, other: Self) -> Self {
        let (a, b) = (self.value.abs(), other.value.abs());
        let error = a * other.error + self.error * (b + other.error);
        Rough::new(self.value * other.value, error * (1.0 + ROUNDING))
    }
}

type Column = [Rough; 3];

fn determinant([a, b, c]: [&Column; 3]) -> Rough {
    let cross = |k: usize, l: usize| b[k].times(c[l]).minus(b[l].times(c[k]));
    let [x, y, z] = [cross(1, 2), cross(2, 0), cross(0, 1)];
    a[0].times(x).plus(a[1].times(y)).plus(a[2].times(z))
}

/// Whether four points that move surely are never in one plane: all four Bernstein coefficients of
/// their volume over time have one sign.
pub fn are_never_coplanar(start: &[Point; 4], end: &[Point; 4]) -> bool {
    let columns = |x: &[Point; 4]| -> [Column; 3] {
        from_fn(|k| from_fn(|axis| Rough::difference(x[k + 1][axis], x[0][axis])))
    };
    let (s, e) = (columns(start), columns(end));
    let mixed = |x: &[Column; 3], y: &[Column; 3]| {
        let one = |k: usize| {
            let column = |l: usize| if l == k { &y[l] } else { &x[l] };
            determinant([column(0), column(1), column(2)])
        };
        one(0).plus(one(1)).plus(one(2))
    };
    let coefficients =
        [determinant(s.each_ref()), mixed(&s, &e), mixed(&e, &s), determinant(e.each_ref())];
    let is_above = |rough: &Rough| rough.value > rough.error;
    let is_below = |rough: &Rough| rough.value < -rough.error;
    coefficients.iter().all(is_above) || coefficients.iter().all(is_below)
}

/// Whether the boxes of two elements over the whole motion share no point.
pub fn are_boxes_apart(first: usize, start: &[Point; 4], end: &[Point; 4]) -> bool {
    let bounds = |corners: std::ops::Range<usize>, axis: usize| {
        let numbers = corners.flat_map(|k| [start[k][axis], end[k][axis]]);
        numbers.fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(x), high.max(x)))
    };
    (0..3).any(|axis| {
        let (a, b) = (bounds(0..first, axis), bounds(first..4, axis));
        a.1 < b.0 || b.1 < a.0
    })
}
