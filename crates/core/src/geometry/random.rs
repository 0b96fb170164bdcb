//! Seeded random points for tests.

use super::point::Point;
use crate::{Real, Vec3};
use rand_pcg::Pcg32;
use rand_pcg::rand_core::Rng;

/// A seeded stream of numbers and points.
pub struct Random(Pcg32);

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Random(Pcg32::new(seed, 0x0a02_bdbf_7bb3_c0a7))
    }

    /// Uniform in `[low, high)`.
    pub fn number(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * f64::from(self.0.next_u32()) / 4_294_967_296.0
    }

    /// Uniform in a cube.
    pub fn point(&mut self, low: f64, high: f64) -> Point {
        Point::from_fn(|_, _| self.number(low, high))
    }

    /// Uniform in `[low, high)`, up to rounding.
    pub fn real(&mut self, low: Real, high: Real) -> Real {
        // Of 24 bits, which any Real holds.
        low + (high - low) * (self.0.next_u32() >> 8) as Real / (1 << 24) as Real
    }

    /// Uniform in a cube.
    pub fn vec3(&mut self, low: Real, high: Real) -> Vec3 {
        Vec3::from_fn(|_, _| self.real(low, high))
    }

    /// A uniform direction.
    pub fn direction(&mut self) -> Point {
        loop {
            let p = self.point(-1.0, 1.0);
            if (0.01..1.0).contains(&p.norm()) {
                return p.normalize();
            }
        }
    }
}
