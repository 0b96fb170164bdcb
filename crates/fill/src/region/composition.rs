//! Regions composed of others, as in constructive solid geometry.
//!
//! The distance to a union is taken as the smallest of those to its parts, to an intersection as
//! the largest; to take a region away is to intersect with its complement, whose distance has the
//! other sign. Each is a bound: exact outside a union and inside an intersection, and elsewhere
//! never larger than the distance (Hart, Sphere tracing (1996), §2).
//!
//! The particles of a composition share one lattice over the box around it, which begins at the
//! lowest corner as that of a box does. Where the box reaches the upper wall of the domain along
//! an axis, but not the lower, it begins at the highest corner: what is flush with a wall stays
//! flush.

use super::quadrature::Answers;
use super::region::Region;
use super::sites::{Sites, layers};
use hashfall_core::Dimension;

/// How regions are composed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// What lies in any.
    Union,
    /// What lies in each.
    Intersection,
    /// What lies in the first and in none of the others.
    Difference,
}

/// Some regions, and how they are composed.
pub struct Composition<'a> {
    /// How they are composed.
    pub operation: Operation,
    /// In how many dimensions.
    pub dimension: Dimension,
    /// The regions; there is one at least.
    pub parts: Vec<Box<dyn Region + 'a>>,
    /// Lowest and highest corner of the domain \[m\].
    pub walls: [[f64; 3]; 2],
}

/// How near to a wall of the domain counts as flush, in spacings.
const FLUSH: f64 = 1e-3;

impl Region for Composition<'_> {
    fn bounds(&self) -> [[f64; 3]; 2] {
        let mut all = self.parts.iter().map(|part| part.bounds());
        let first = all.next().unwrap_or([[0.0; 3]; 2]);
        let each = |f: fn(f64, f64) -> f64, a: [f64; 3], b: [f64; 3]| -> [f64; 3] {
            [0, 1, 2].map(|i| f(a[i], b[i]))
        };
        let [mut low, mut high] = match self.operation {
            Operation::Union => all.fold(first, |sum, part| {
                [each(f64::min, sum[0], part[0]), each(f64::max, sum[1], part[1])]
            }),
            Operation::Intersection => {
                let [low, high] = all.fold(first, |sum, part| {
                    [each(f64::max, sum[0], part[0]), each(f64::min, sum[1], part[1])]
                });
                // What has nothing in common is nowhere.
                [low, each(f64::max, low, high)]
            }
            Operation::Difference => first,
        };
        if self.dimension == Dimension::Two {
            (low[1], high[1]) = (0.0, 0.0);
        }
        [low, high]
    }

    fn contains(&self, x: &[f64; 3]) -> bool {
        let mut contain = self.parts.iter().map(|part| part.contains(x));
        match self.operation {
            Operation::Union => contain.any(|is_in| is_in),
            Operation::Intersection => contain.all(|is_in| is_in),
            Operation::Difference => contain.next() == Some(true) && !contain.any(|is_in| is_in),
        }
    }

    fn signed_distance(&self, x: &[f64; 3]) -> f64 {
        let mut distances = self.parts.iter().map(|part| part.signed_distance(x));
        match self.operation {
            Operation::Union => distances.fold(f64::INFINITY, f64::min),
            Operation::Intersection => distances.fold(f64::NEG_INFINITY, f64::max),
            Operation::Difference => {
                let first = distances.next().unwrap_or(f64::INFINITY);
                distances.fold(first, |most, other| most.max(-other))
            }
        }
    }

    fn points(&self, d: f64) -> Vec<[f64; 3]> {
        let answers = Answers {
            signed_distance: &|x| self.signed_distance(x),
            contains: &|x| self.contains(x),
        };
        self.sites(d).inside(answers)
    }

    fn sites(&self, d: f64) -> Sites {
        let [low, high] = self.bounds();
        let layers = layers([low, high], d);
        let middle = [0, 1, 2].map(|a| {
            let half = 0.5 * layers[a] as f64 * d;
            let is_flush = |side: usize, x: f64| (x - self.walls[side][a]).abs() < FLUSH * d;
            if low[a] == high[a] {
                low[a]
            } else if is_flush(1, high[a]) && !is_flush(0, low[a]) {
                high[a] - half
            } else {
                low[a] + half
            }
        });
        Sites::about(middle, layers, d)
    }
}
