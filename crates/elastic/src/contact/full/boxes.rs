//! Boxes of points in double precision, rounded outwards to the boxes of a broad phase.

use hashfall_core::Real;
use hashfall_geometry::{Aabb, Point};

/// A box in double precision \[m\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::contact) struct Bounds {
    pub min: Point,
    pub max: Point,
}

impl Bounds {
    /// The box of a ball.
    pub fn of_ball(centre: &Point, radius: f64) -> Self {
        Bounds { min: centre.add_scalar(-radius), max: centre.add_scalar(radius) }
    }

    /// The smallest box around some points.
    pub fn around<'a>(points: impl IntoIterator<Item = &'a Point>) -> Self {
        let [least, most] = [f64::INFINITY, f64::NEG_INFINITY].map(Point::repeat);
        let empty = Bounds { min: least, max: most };
        points.into_iter().fold(empty, |b, p| Bounds { min: b.min.inf(p), max: b.max.sup(p) })
    }

    /// The smallest box around both.
    pub fn union(&self, other: &Bounds) -> Self {
        Bounds { min: self.min.inf(&other.min), max: self.max.sup(&other.max) }
    }

    /// The box grown on all sides.
    pub fn grown(&self, by: f64) -> Self {
        Bounds { min: self.min.add_scalar(-by), max: self.max.add_scalar(by) }
    }

    /// The square of the distance between two boxes; 0 if they overlap.
    #[inline]
    pub fn apart_squared(&self, other: &Bounds) -> f64 {
        let gap = |k: usize| {
            let gap = (other.min[k] - self.max[k]).max(self.min[k] - other.max[k]).max(0.0);
            gap * gap
        };
        gap(0) + gap(1) + gap(2)
    }

    /// The smallest box of a broad phase that holds this one.
    pub fn outwards(&self) -> Aabb {
        Aabb::new(self.min.map(below), self.max.map(above))
    }
}

/// The largest number of a box that is not above `x`.
fn below(x: f64) -> Real {
    -above(-x)
}

/// The least number of a box that is not below `x`.
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
fn above(x: f64) -> Real {
    let rounded = x as Real;
    if f64::from(rounded) < x { rounded.next_up() } else { rounded }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::random::Random;
    use hashfall_core::to_f64;

    #[test]
    fn boxes_are_rounded_outwards_and_by_no_more_than_a_bit() {
        let mut random = Random::new(3);
        for _ in 0..2000 {
            let (centre, radius) = (random.point(-9.0, 9.0), random.number(0.0, 1e-3));
            let exact = Bounds::of_ball(&centre, radius);
            let rounded = exact.outwards();
            let [min, max] = [rounded.min, rounded.max].map(|v| Point::from(to_f64(&v)));
            for a in 0..3 {
                assert!(min[a] <= exact.min[a] && max[a] >= exact.max[a]);
                assert!(exact.min[a] - min[a] < 1e-6 && max[a] - exact.max[a] < 1e-6);
            }
        }
    }
}
