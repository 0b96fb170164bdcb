//! Cylinders, capsules and cones ([`RoundSolid`]). In the plane their axis lies in it, and they are
//! their sections: what is nearest to a place of the plane lies there, too.

use super::region::Region;
use hashfall_core::Dimension;
use hashfall_geometry::{Meridian, Point, RoundSolid};
use std::f64::consts::PI;

/// A solid of revolution.
pub struct Round {
    dimension: Dimension,
    solid: RoundSolid,
}

impl Round {
    /// The region of a solid.
    pub fn new(dimension: Dimension, solid: RoundSolid) -> Self {
        Round { dimension, solid }
    }
}

impl Region for Round {
    fn bounds(&self) -> [[f64; 3]; 2] {
        let is_flat = |a: usize| a == 1 && self.dimension == Dimension::Two;
        let unit = |a: usize, x: f64| {
            let mut unit = Point::zeros();
            unit[a] = x;
            unit
        };
        [-1.0, 1.0].map(|side| {
            [0, 1, 2].map(|a| match is_flat(a) {
                true => 0.0,
                false => side * self.solid.support(&unit(a, side)),
            })
        })
    }

    fn contains(&self, x: &[f64; 3]) -> bool {
        self.solid.contains(&Point::from(*x))
    }

    fn signed_distance(&self, x: &[f64; 3]) -> f64 {
        self.solid.signed_distance(&Point::from(*x))
    }

    fn volume(&self) -> f64 {
        match (self.dimension, self.solid.meridian()) {
            (Dimension::Three, _) => self.solid.volume(),
            (Dimension::Two, Meridian::Capsule { length, radius }) => {
                2.0 * radius * length + PI * radius * radius
            }
            (Dimension::Two, Meridian::Frustum { length, radius, tip_radius }) => {
                (radius + tip_radius) * length
            }
        }
    }
}
