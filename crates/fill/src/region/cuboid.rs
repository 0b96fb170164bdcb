//! An axis-aligned box; in the plane a rectangle, which is flat along y.
//!
//! Its sites are those of [`lattice`]: the first layer is half a spacing from its lowest corner.

use super::region::Region;
use super::sites::Sites;
use crate::lattice;
use hashfall_core::Dimension;

/// A box.
pub struct Cuboid {
    dimension: Dimension,
    min: [f64; 3],
    max: [f64; 3],
}

impl Cuboid {
    /// The box between two corners \[m\].
    pub fn new(dimension: Dimension, [min, max]: [[f64; 3]; 2]) -> Self {
        Cuboid { dimension, min, max }
    }

    /// The axes that it extends along.
    fn axes(&self) -> &'static [usize] {
        match self.dimension {
            Dimension::Two => &[0, 2],
            Dimension::Three => &[0, 1, 2],
        }
    }
}

impl Region for Cuboid {
    fn bounds(&self) -> [[f64; 3]; 2] {
        [self.min, self.max]
    }

    fn contains(&self, x: &[f64; 3]) -> bool {
        (0..3).all(|a| (self.min[a]..=self.max[a]).contains(&x[a]))
    }

    fn signed_distance(&self, x: &[f64; 3]) -> f64 {
        let beyond = |&a: &usize| (self.min[a] - x[a]).max(x[a] - self.max[a]);
        let deepest = self.axes().iter().map(beyond).fold(f64::NEG_INFINITY, f64::max);
        if deepest <= 0.0 {
            return deepest;
        }
        let outside = self.axes().iter().map(beyond).map(|x| x.max(0.0));
        outside.map(|x| x * x).sum::<f64>().sqrt()
    }

    fn volume(&self) -> f64 {
        self.axes().iter().map(|&a| self.max[a] - self.min[a]).product()
    }

    fn sites(&self, d: f64) -> Sites {
        let counts = lattice::counts(self.dimension, &self.min, &self.max, d);
        let middle = [0, 1, 2].map(|a| self.min[a] + 0.5 * counts[a] as f64 * d);
        Sites::about(middle, counts, d)
    }

    fn points(&self, d: f64) -> Vec<[f64; 3]> {
        lattice::centres(self.dimension, self.min, self.max, d).collect()
    }
}
