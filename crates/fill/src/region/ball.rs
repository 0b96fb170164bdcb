//! A ball; in the plane a disc.
//!
//! Its sites are those closer to its centre than its radius; the centre is the midpoint of eight
//! sites, in the plane of four.

use super::region::Region;
use super::sites::{Sites, in_dimension};
use hashfall_core::Dimension;
use std::f64::consts::PI;

/// A ball, or a disc.
pub struct Ball {
    dimension: Dimension,
    centre: [f64; 3],
    radius: f64,
}

impl Ball {
    /// The ball about a centre \[m\], of this radius \[m\].
    pub fn new(dimension: Dimension, centre: [f64; 3], radius: f64) -> Self {
        Ball { dimension, centre, radius }
    }

    fn offset(&self, x: &[f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|a| x[a] - self.centre[a])
    }
}

fn norm_squared(v: &[f64; 3]) -> f64 {
    v.map(|x| x * x).iter().sum()
}

impl Region for Ball {
    fn bounds(&self) -> [[f64; 3]; 2] {
        [self.centre.map(|c| c - self.radius), self.centre.map(|c| c + self.radius)]
    }

    fn contains(&self, x: &[f64; 3]) -> bool {
        norm_squared(&self.offset(x)) < self.radius * self.radius
    }

    fn signed_distance(&self, x: &[f64; 3]) -> f64 {
        norm_squared(&self.offset(x)).sqrt() - self.radius
    }

    fn volume(&self) -> f64 {
        let r = self.radius;
        match self.dimension {
            Dimension::Two => PI * r * r,
            Dimension::Three => 4.0 / 3.0 * PI * r * r * r,
        }
    }

    fn sites(&self, d: f64) -> Sites {
        let layers = 2 * (self.radius / d).ceil() as u64;
        Sites::about(self.centre, in_dimension(self.dimension, [layers; 3]), d)
    }

    fn points(&self, d: f64) -> Vec<[f64; 3]> {
        // By the exact offsets, so that the sites are symmetric about the centre.
        self.sites(d).filter(|offset, _| norm_squared(offset) < self.radius * self.radius)
    }
}
