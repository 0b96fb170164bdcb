//! Random numbers for tests, the same for the same seed.

use nalgebra::Vector3;
use rand_pcg::Pcg32;
use rand_pcg::rand_core::Rng;

pub struct Draw(Pcg32);

impl Draw {
    pub fn new(seed: u64) -> Self {
        Draw(Pcg32::new(seed, 0x0a02_bdbf_7bb3_c0a7))
    }

    /// Uniform in `[low, high)`.
    pub fn number(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * f64::from(self.0.next_u32()) / 4_294_967_296.0
    }

    /// The same by orders of magnitude.
    pub fn order(&mut self, low: f64, high: f64) -> f64 {
        self.number(low.ln(), high.ln()).exp()
    }

    /// A whole number from 0 to `count` − 1.
    pub fn below(&mut self, count: usize) -> usize {
        (self.number(0.0, count as f64) as usize).min(count - 1)
    }

    pub fn choice<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    pub fn happens(&mut self, probability: f64) -> bool {
        self.number(0.0, 1.0) < probability
    }

    /// Uniform in a cube about the origin.
    pub fn within(&mut self, most: f64) -> Vector3<f64> {
        Vector3::from_fn(|_, _| self.number(-most, most))
    }

    /// A direction, along an axis now and then.
    pub fn direction(&mut self) -> Vector3<f64> {
        if self.happens(0.2) {
            let mut axis = Vector3::zeros();
            axis[self.below(3)] = self.choice(&[1.0, -1.0]);
            return axis;
        }
        loop {
            let p = self.within(1.0);
            if (0.01..1.0).contains(&p.norm()) {
                return p.normalize();
            }
        }
    }

    /// A direction square to another.
    pub fn across(&mut self, direction: &Vector3<f64>) -> Vector3<f64> {
        loop {
            let side = direction.cross(&self.direction());
            if side.norm() > 0.01 {
                return side.normalize();
            }
        }
    }
}
