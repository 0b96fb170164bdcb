//! The stable neo-Hookean material of Smith, de Goes & Kim 2018, *Stable Neo-Hookean Flesh
//! Simulation* (ACM TOG 37:12): smooth through inversion, and without a singularity.
//!
//! Ψ = μ/2 (I − 3) + λ/2 (J − α)² − μ/2 log(I + 1) − Ψ₀ with I = |F|², J = det F (their eq. 14),
//! and α = 1 + 3μ/(4λ) so that F = 1 is free of stress (their eq. 15). For small strains
//! dP = 3μ/2 ε + (λ − 5μ/8) tr ε 1: hence μ = 4μ'/3 and λ = λ' + 5μ'/6 from the Lamé parameters
//! λ' = E ν/((1 + ν)(1 − 2ν)) and μ' = E/(2(1 + ν)) of linear elasticity (their eq. 16; checked
//! here by the energy of small strains). Ψ₀ makes the energy at rest zero.
//!
//! With singular values σ of F and a = μ (1 − 1/(I + 1)), b = λ (J − α), the slope of Ψ along σᵢ is
//! a σᵢ + b σⱼσₖ. So all modes are known (their §4): a + b σₖ of the twist and a − b σₖ of the flip
//! in the plane of i and j, without a division, and three of a matrix of three rows that scale.
//!
//! Symbols: E Young's modulus \[Pa\], ν Poisson's ratio.

use super::hyperelastic::{Gradient, HessianBound, Hyperelastic, MODES, Mode, dyad};
use crate::singular_values::SingularValues;
use hashfall_bodies::{SymmetricEigen, largest_eigenvalue};
use hashfall_geometry::Point;
use nalgebra::Matrix3;

/// Stable neo-Hookean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NeoHookeanSolid {
    /// μ \[Pa\].
    mu: f64,
    /// λ \[Pa\].
    lambda: f64,
    /// λ' and μ' \[Pa\].
    lame: [f64; 2],
}

impl NeoHookeanSolid {
    /// With Young's modulus \[Pa\] and Poisson's ratio, from 0 to below 1/2.
    pub fn new(modulus: f64, poisson_ratio: f64) -> Self {
        let mu = modulus / (2.0 * (1.0 + poisson_ratio));
        let lambda = 2.0 * mu * poisson_ratio / (1.0 - 2.0 * poisson_ratio);
        NeoHookeanSolid { mu: mu * 4.0 / 3.0, lambda: lambda + mu * 5.0 / 6.0, lame: [lambda, mu] }
    }

    /// a and b of the slope along the singular values.
    fn slopes(&self, i: f64, j: f64) -> [f64; 2] {
        [self.mu * (1.0 - 1.0 / (i + 1.0)), self.lambda * (j - 1.0) - 0.75 * self.mu]
    }
}

/// ∂J/∂F.
fn cofactor(f: &Matrix3<f64>) -> Matrix3<f64> {
    let [a, b, c] = [0, 1, 2].map(|k| f.column(k).into_owned());
    Matrix3::from_columns(&[b.cross(&c), c.cross(&a), a.cross(&b)])
}

/// The matrix with those of the other two values across: what J adds along the singular values.
fn scaling(s: &[f64; 3]) -> Matrix3<f64> {
    Matrix3::new(0.0, s[2], s[1], s[2], 0.0, s[0], s[1], s[0], 0.0)
}

impl Hyperelastic<3> for NeoHookeanSolid {
    const NAME: &'static str = "tetrahedron";

    fn energy(&self, f: &Gradient<3>) -> f64 {
        // Terms of first order cancel: all are taken from what the strain is.
        let (i, stretch) = (f.norm_squared(), f.determinant() - 1.0);
        let ratio = libm::log1p((i - 3.0) / 4.0);
        0.5 * self.mu * ((i - 3.0) - ratio)
            + stretch * (0.5 * self.lambda * stretch - 0.75 * self.mu)
    }

    fn stress(&self, f: &Gradient<3>) -> Gradient<3> {
        let [a, b] = self.slopes(f.norm_squared(), f.determinant());
        f * a + cofactor(f) * b
    }

    fn modes(&self, f: &Gradient<3>) -> [Mode<3>; MODES] {
        let all = SingularValues::new(f);
        let s = Point::from(all.values);
        let i = s.norm_squared();
        let [a, b] = self.slopes(i, s.x * s.y * s.z);
        let across = Point::new(s.y * s.z, s.z * s.x, s.x * s.y);
        let hessian = Matrix3::from_diagonal_element(a)
            + s * s.transpose() * (2.0 * self.mu / ((i + 1.0) * (i + 1.0)))
            + across * across.transpose() * self.lambda
            + scaling(&all.values) * b;
        let SymmetricEigen { values, vectors } = SymmetricEigen::new(&hessian);
        let mut modes = [(0.0, Gradient::zeros()); MODES];
        for k in 0..3 {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            let scale = Matrix3::from_diagonal(&vectors.column(k).into_owned());
            modes[k] = (values[k], all.rotate_back(&scale));
            let (ij, ji) = (dyad(&all.u[i], &all.v, j), dyad(&all.u[j], &all.v, i));
            modes[3 + k] = (a + b * s[k], (ij - ji) * std::f64::consts::FRAC_1_SQRT_2);
            modes[6 + k] = (a - b * s[k], (ij + ji) * std::f64::consts::FRAC_1_SQRT_2);
        }
        modes
    }

    fn bound(&self, f: &Gradient<3>) -> HessianBound<3> {
        let s = SingularValues::new(f).values;
        let i = f.norm_squared();
        let [a, b] = self.slopes(i, f.determinant());
        let of_volume = largest_eigenvalue(&(scaling(&s) * b)).max(b.abs() * s[0]);
        let along = 2.0 * self.mu / ((i + 1.0) * (i + 1.0));
        HessianBound { isotropic: a + of_volume, along: [(along, *f), (self.lambda, cofactor(f))] }
    }

    fn lame(&self) -> [f64; 2] {
        self.lame
    }

    /// Infinite where volume is crushed to nothing.
    fn equivalent_stress(&self, f: &Gradient<3>) -> f64 {
        let cauchy = self.stress(f) * f.transpose() / f.determinant().abs();
        let deviator = cauchy - Matrix3::from_diagonal_element(cauchy.trace() / 3.0);
        let equivalent = (1.5 * deviator.norm_squared()).sqrt();
        if equivalent.is_nan() { f64::INFINITY } else { equivalent }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_modes, assert_small_strains};
    use super::*;

    #[test]
    fn small_strains_have_the_modulus_and_the_poisson_ratio() {
        for (modulus, ratio) in [(1.0, 0.0), (2e6, 0.3975), (7e10, 0.25), (3.0, 0.495)] {
            let material = NeoHookeanSolid::new(modulus, ratio);
            let lambda = modulus * ratio / ((1.0 + ratio) * (1.0 - 2.0 * ratio));
            assert_small_strains(&material, [lambda, modulus / (2.0 * (1.0 + ratio))]);
        }
    }

    #[test]
    fn modes_are_those_of_the_differences_of_the_stress() {
        assert_modes(&NeoHookeanSolid::new(5.0, 0.35));
        assert_modes(&NeoHookeanSolid::new(2.0, 0.0));
    }

    #[test]
    fn a_stretched_bar_has_its_equivalent_stress() {
        let material = NeoHookeanSolid::new(2e6, 0.3);
        let (strain, ratio) = (1e-6, 0.3);
        let f = Matrix3::from_diagonal(&Point::new(
            1.0 + strain,
            1.0 - ratio * strain,
            1.0 - ratio * strain,
        ));
        assert!((material.equivalent_stress(&f) / (2e6 * strain) - 1.0).abs() < 1e-5);
        assert_eq!(material.equivalent_stress(&Matrix3::zeros()), f64::INFINITY);
    }
}
