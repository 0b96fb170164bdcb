//! Timoshenko's cantilever: a beam with shear and rotary inertia that is clamped at one end.
//!
//! With the deflection w and the rotation ψ of its sections, the moment M and the shear force Q,
//!
//! w' = Q/(κGA) + ψ, ψ' = M/(EI), M' = −Q − ρI ω² ψ, Q' = −ρA ω² w,
//!
//! and w = ψ = 0 at one end, M = Q = 0 at the other.

use std::f64::consts::TAU;

/// A beam of a square or rectangular section.
#[derive(Clone, Copy, Debug)]
pub struct Beam {
    /// L, H \[m\].
    pub length: f64,
    pub height: f64,
    /// E, G \[Pa\].
    pub modulus: f64,
    pub shear_modulus: f64,
    /// ρ \[kg/m³\].
    pub density: f64,
}

/// The first root of cos β cosh β = −1.
pub const BETA: f64 = 1.875_104_068_711_961;
/// κ of a rectangle.
const KAPPA: f64 = 5.0 / 6.0;
/// Steps of the integration along the beam.
const STEPS: usize = 400;

impl Beam {
    /// How far the tip sinks under a weight of this acceleration \[m\].
    pub fn deflection(&self, gravity: f64) -> f64 {
        let Beam { length: l, height: h, modulus, shear_modulus, density } = *self;
        let load = density * gravity * l * l;
        1.5 * load * l * l / (modulus * h * h) + 0.5 * load / (KAPPA * shear_modulus)
    }

    /// The period of the first mode of a beam as thin as this one is stiff \[s\]: without shear and
    /// rotary inertia.
    pub fn thin_period(&self) -> f64 {
        let root = self.length * self.length / (BETA * BETA * self.height);
        TAU * root * (12.0 * self.density / self.modulus).sqrt()
    }

    /// The period of the first mode \[s\].
    pub fn period(&self) -> f64 {
        // Below the first root the determinant is positive; a thin beam is faster.
        let thin = TAU / self.thin_period();
        let [mut low, mut high] = [0.5 * thin, 1.5 * thin];
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            *(if self.determinant(middle) > 0.0 { &mut low } else { &mut high }) = middle;
        }
        TAU / low
    }

    /// Of M and Q at the free end by M and Q at the other, per width.
    fn determinant(&self, omega: f64) -> f64 {
        let [a, b] = [[1.0, 0.0], [0.0, 1.0]].map(|[m, q]| self.end([0.0, 0.0, m, q], omega));
        a[2] * b[3] - a[3] * b[2]
    }

    /// w, ψ, M and Q at the free end, by Runge and Kutta's method.
    fn end(&self, mut y: [f64; 4], omega: f64) -> [f64; 4] {
        let (area, inertia) = (self.height, self.height.powi(3) / 12.0);
        let square = self.density * omega * omega;
        let slope = |[w, psi, m, q]: [f64; 4]| {
            [
                q / (KAPPA * self.shear_modulus * area) + psi,
                m / (self.modulus * inertia),
                -q - square * inertia * psi,
                -square * area * w,
            ]
        };
        let h = self.length / STEPS as f64;
        let add = |y: [f64; 4], k: [f64; 4], h: f64| std::array::from_fn(|i| y[i] + h * k[i]);
        for _ in 0..STEPS {
            let k1 = slope(y);
            let k2 = slope(add(y, k1, 0.5 * h));
            let k3 = slope(add(y, k2, 0.5 * h));
            let k4 = slope(add(y, k3, h));
            let mean = std::array::from_fn(|i| (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]) / 6.0);
            y = add(y, mean, h);
        }
        y
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beam_of_gray_monaghan_and_swift_has_its_periods() {
        let plane_strain = |height: f64| {
            let (modulus, nu): (f64, f64) = (2e6, 0.3975);
            Beam {
                length: 0.2,
                height,
                modulus: modulus / (1.0 - nu * nu),
                shear_modulus: modulus / (2.0 * (1.0 + nu)),
                density: 1000.0,
            }
        };
        // By the exponential of the matrix of the four equations; 0.2566 s is often printed.
        let thick = plane_strain(0.02).period();
        assert!((thick - 0.256_467).abs() < 1e-6, "{thick}");
        let thin = plane_strain(2e-4).period();
        assert!((thin - 25.40324).abs() < 1e-3, "{thin}");
    }
}
