//! Convex features that move: each point goes straight and evenly from the start of a step to its
//! end.
//!
//! A triangle whose corners go straight and evenly is at every instant the convex hull of its
//! corners. So along one direction n the height of a point p over it, the least of n·(p − corner),
//! changes as the least of three linear functions of the time if p goes straight and evenly, too:
//! it is never lower on the way than at the ends. So a direction that separates both at an
//! instant gives, almost without rounding, a time until which it continues to do so.
//!
//! Symbols: p place \[m\], n unit normal, t part of the step.

use crate::convex_feature::{ConvexFeature, Nearest};
use hashfall_geometry::Point;

/// A feature and its motion in a step.
#[derive(Clone, Copy, Debug)]
pub(super) enum MovingFeature {
    /// Its corners at the start and at the end.
    Triangle([Point; 3], [Point; 3]),
    /// Its centre at the start and at the end, and its radius.
    Ball(Point, Point, f64),
    /// It stands.
    Still(ConvexFeature),
}

/// The point at a part t of the straight way.
fn interpolate(from: &Point, to: &Point, t: f64) -> Point {
    if t == 1.0 { *to } else { from + (to - from) * t }
}

impl MovingFeature {
    /// The feature at an instant.
    pub fn at(&self, t: f64) -> ConvexFeature {
        match self {
            MovingFeature::Triangle(from, to) => {
                ConvexFeature::Triangle(std::array::from_fn(|k| interpolate(&from[k], &to[k], t)))
            }
            MovingFeature::Ball(from, to, radius) => {
                ConvexFeature::Ball { centre: interpolate(from, to, t), radius: *radius }
            }
            MovingFeature::Still(feature) => *feature,
        }
    }

    /// The displacement of its fastest point in the step \[m\].
    pub fn displacement(&self) -> f64 {
        match self {
            MovingFeature::Triangle(from, to) => {
                from.iter().zip(to).map(|(a, b)| (b - a).norm()).fold(0.0, f64::max)
            }
            MovingFeature::Ball(from, to, _) => (to - from).norm(),
            MovingFeature::Still(_) => 0.0,
        }
    }

    /// Whether a particle never gets into it or through it: that of a mesh, or one that moves.
    pub fn is_hard(&self) -> bool {
        match self {
            MovingFeature::Triangle(..) | MovingFeature::Ball(..) => true,
            MovingFeature::Still(feature) => feature.is_never_entered(),
        }
    }

    /// The heights of a point along `normal` over the corners at an instant; of what has none, its
    /// height thrice.
    fn heights(&self, t: f64, normal: &Point, p: &Point) -> [f64; 3] {
        match self.at(t) {
            ConvexFeature::Triangle(corners) => corners.map(|corner| normal.dot(&(p - corner))),
            feature => [normal.dot(p) - feature.support(normal); 3],
        }
    }

    /// The part of the way from p at t to q at u, straight and even, on which a particle provably
    /// stays farther than `least` \[m\] from it, where it is farther now, with its `nearest` point
    /// at t; from 0 to 1.
    pub fn safe_fraction(
        &self,
        nearest: &Nearest,
        [t, u]: [f64; 2],
        [p, q]: [&Point; 2],
        least: f64,
    ) -> f64 {
        let [before, after] =
            [self.heights(t, &nearest.normal, p), self.heights(u, &nearest.normal, q)];
        let until = |(before, after): (f64, f64)| {
            if after >= least { 1.0 } else { ((before - least) / (before - after)).max(0.0) }
        };
        before.into_iter().zip(after).map(until).fold(1.0, f64::min)
    }
}
