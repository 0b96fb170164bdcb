//! A neo-Hookean membrane under plane stress, smooth for any stretch: that of Kim & Eberle 2020,
//! *Dynamic Deformables* (SIGGRAPH course, §6), in two dimensions.
//!
//! Ψ = μ/2 (I − 2) − μ (J − 1) + λ/2 (J − 1)² with I = |F|² and J the ratio of areas. For small
//! strains dP = 2μ ε + (λ − μ) tr ε 1: μ = E/(2(1 + ν)), λ − μ = E ν/(1 − ν²), the Lamé parameters
//! of plane stress. In large compression it resists with bounded stiffness, where a membrane of St.
//! Venant and Kirchhoff gives way below 58 % of its length. Wrinkles are not resisted at all;
//! bending is an energy of its own.
//!
//! With b = λ (J − 1) − μ and singular values σ, the slope along σᵢ is μ σᵢ + b σⱼ, and the modes
//! are μ ± b of twist and flip, two that scale, and μ + b σⱼ/σᵢ of what leaves the plane.
//!
//! The thickness is constant: what the sheet becomes thinner by is of higher order.
//!
//! Symbols: E Young's modulus \[Pa\], ν Poisson's ratio.

use super::hyperelastic::{Gradient, HessianBound, Hyperelastic, MODES, Mode, dyad};
use crate::singular_values::SingularValues;
use hashfall_bodies::SymmetricEigen;
use hashfall_geometry::Point;
use nalgebra::Matrix2;

/// A neo-Hookean membrane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NeoHookeanMembrane {
    /// μ \[Pa\].
    mu: f64,
    /// λ \[Pa\].
    lambda: f64,
}

impl NeoHookeanMembrane {
    /// With Young's modulus \[Pa\] and Poisson's ratio, from 0 to below 1.
    pub fn new(modulus: f64, poisson_ratio: f64) -> Self {
        let mu = modulus / (2.0 * (1.0 + poisson_ratio));
        let lambda = modulus * poisson_ratio / (1.0 - poisson_ratio * poisson_ratio);
        NeoHookeanMembrane { mu, lambda: lambda + mu }
    }

    /// b, the slope by area.
    fn area_slope(&self, j: f64) -> f64 {
        self.lambda * (j - 1.0) - self.mu
    }
}

/// J, and the unit normal; zero of what has no area.
fn area(f: &Gradient<2>) -> (f64, Point) {
    let normal = f.column(0).cross(&f.column(1));
    let j = normal.norm();
    (j, if j > 0.0 { normal / j } else { Point::zeros() })
}

/// ∂J/∂F.
fn cofactor(f: &Gradient<2>, normal: &Point) -> Gradient<2> {
    Gradient::from_columns(&[f.column(1).cross(normal), normal.cross(&f.column(0))])
}

impl Hyperelastic<2> for NeoHookeanMembrane {
    const NAME: &'static str = "triangle";

    fn energy(&self, f: &Gradient<2>) -> f64 {
        let stretch = area(f).0 - 1.0;
        0.5 * self.mu * (f.norm_squared() - 2.0) + stretch * (0.5 * self.lambda * stretch - self.mu)
    }

    fn stress(&self, f: &Gradient<2>) -> Gradient<2> {
        let (j, normal) = area(f);
        f * self.mu + cofactor(f, &normal) * self.area_slope(j)
    }

    fn modes(&self, f: &Gradient<2>) -> [Mode<2>; MODES] {
        let all = SingularValues::new(f);
        let s = all.values;
        let b = self.area_slope(s[0] * s[1]);
        let cross = self.lambda * s[0] * s[1] + b;
        let hessian = Matrix2::new(
            self.mu + self.lambda * s[1] * s[1],
            cross,
            cross,
            self.mu + self.lambda * s[0] * s[0],
        );
        let SymmetricEigen { values, vectors } = SymmetricEigen::new(&hessian);
        let [ij, ji] = [dyad(&all.u[0], &all.v, 1), dyad(&all.u[1], &all.v, 0)];
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let mut modes = [(0.0, Gradient::zeros()); MODES];
        modes[0] = (self.mu + b, (ij - ji) * half);
        modes[1] = (self.mu - b, (ij + ji) * half);
        for k in 0..2 {
            let (x, y) = (vectors[(0, k)], vectors[(1, k)]);
            let scale = Gradient::<2>::new(x, 0.0, 0.0, y, 0.0, 0.0);
            modes[2 + k] = (values[k], all.rotate_back(&scale));
            // Without a length along k, it is as negative as it can be.
            let out = if s[k] > 0.0 { self.mu + b * s[1 - k] / s[k] } else { 0.0 };
            modes[4 + k] = (out, dyad(&all.u[2], &all.v, k));
        }
        modes
    }

    fn bound(&self, f: &Gradient<2>) -> HessianBound<2> {
        let (j, normal) = area(f);
        let b = self.area_slope(j);
        let s = SingularValues::new(f).values;
        let of_area = if b > 0.0 { b * s[0] / s[1] } else { -b };
        let cofactor = cofactor(f, &normal);
        HessianBound { isotropic: self.mu + of_area, along: [(0.0, *f), (self.lambda, cofactor)] }
    }

    fn lame(&self) -> [f64; 2] {
        [self.lambda - self.mu, self.mu]
    }

    /// Infinite where the area is crushed to nothing.
    fn equivalent_stress(&self, f: &Gradient<2>) -> f64 {
        let s = SingularValues::new(f).values;
        let j = s[0] * s[1];
        let b = self.area_slope(j);
        let [x, y] = [0, 1].map(|k| (self.mu * s[k] * s[k] + b * j) / j);
        let equivalent = (x * x - x * y + y * y).sqrt();
        if equivalent.is_nan() { f64::INFINITY } else { equivalent }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_modes, assert_small_strains};
    use super::*;

    #[test]
    fn small_strains_have_the_modulus_and_the_poisson_ratio() {
        for (modulus, ratio) in [(1.0, 0.0), (2e6, 0.3975), (3.0, 0.5)] {
            let material = NeoHookeanMembrane::new(modulus, ratio);
            let lambda = modulus * ratio / (1.0 - ratio * ratio);
            assert_small_strains(&material, [lambda, modulus / (2.0 * (1.0 + ratio))]);
        }
    }

    #[test]
    fn modes_are_those_of_the_differences_of_the_stress() {
        assert_modes(&NeoHookeanMembrane::new(5.0, 0.35));
        assert_modes(&NeoHookeanMembrane::new(2.0, 0.0));
    }

    #[test]
    fn a_stretched_strip_has_its_equivalent_stress() {
        let material = NeoHookeanMembrane::new(2e6, 0.3);
        let f = Gradient::<2>::new(1.0 + 1e-6, 0.0, 0.0, 1.0 - 0.3e-6, 0.0, 0.0);
        assert!((material.equivalent_stress(&f) / 2.0 - 1.0).abs() < 1e-5);
    }
}
