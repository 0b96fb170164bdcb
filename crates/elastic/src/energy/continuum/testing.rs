//! What every hyperelastic material must do, against differences: for the tests of each.

use super::hyperelastic::{Gradient, Hyperelastic};
use crate::energy::testing::random_vector;
use hashfall_core::rng::RandomStream;
use nalgebra::{DMatrix, SMatrix};

/// Asserts that the stress of small strains is λ tr ε 1 + 2μ ε, and that at rest there is none.
pub fn assert_small_strains<M: Hyperelastic<D>, const D: usize>(material: &M, lame: [f64; 2]) {
    let [lambda, mu] = lame;
    let rest = Gradient::<D>::identity();
    let mut rng = RandomStream::new(2);
    assert!(material.energy(&rest).abs() < 1e-15 * mu);
    assert!(material.stress(&rest).norm() < 1e-14 * (mu + lambda));
    for _ in 0..20 {
        let m = SMatrix::<f64, D, D>::from_fn(|_, _| rng.between(-1e-6, 1e-6));
        let strain = m + m.transpose();
        let exact =
            strain * (2.0 * mu) + SMatrix::<f64, D, D>::identity() * (lambda * strain.trace());
        let mut f = rest;
        let mut expected = Gradient::<D>::zeros();
        for i in 0..D {
            for j in 0..D {
                f[(i, j)] += strain[(i, j)];
                expected[(i, j)] = exact[(i, j)];
            }
        }
        let error = (material.stress(&f) - expected).norm();
        assert!(error < 1e-4 * expected.norm(), "{error} of {}", expected.norm());
    }
}

/// Asserts that the stress is the slope of the energy, that the modes are the eigenvectors of the
/// differences of the stress, and that none is above the bound.
pub fn assert_modes<M: Hyperelastic<D>, const D: usize>(material: &M) {
    let mut rng = RandomStream::new(4);
    for round in 0..300 {
        let mut f = Gradient::<D>::identity();
        for k in 0..D {
            let column = f.column(k) + random_vector(&mut rng) * [0.05, 0.4, 1.5][round % 3];
            f.set_column(k, &column);
        }
        let n = 3 * D;
        let flat = |g: &Gradient<D>| -> Vec<f64> { g.iter().copied().collect() };
        let hessian = DMatrix::from_fn(n, n, |row, column| {
            let at = |h: f64| {
                let mut f = f;
                f.as_mut_slice()[column] += h;
                flat(&material.stress(&f))[row]
            };
            (at(1e-6) - at(-1e-6)) / 2e-6
        });
        let stress = flat(&material.stress(&f));
        for (k, stress) in stress.iter().enumerate() {
            let at = |h: f64| {
                let mut f = f;
                f.as_mut_slice()[k] += h;
                material.energy(&f)
            };
            let slope = (at(1e-6) - at(-1e-6)) / 2e-6;
            assert!((stress - slope).abs() < 1e-7 * hessian.norm(), "{stress} against {slope}");
        }
        let mut composed = DMatrix::zeros(n, n);
        for (value, mode) in material.modes(&f) {
            let mode = DMatrix::from_vec(n, 1, flat(&mode));
            composed += &mode * mode.transpose() * value;
        }
        let error = (&composed - &hessian).norm();
        assert!(error < 1e-5 * hessian.norm(), "round {round}: {error} of {}", hessian.norm());
        let bound = material.bound(&f);
        let mut limit = DMatrix::identity(n, n) * bound.isotropic;
        for (c, a) in bound.along {
            let a = DMatrix::from_vec(n, 1, flat(&a));
            limit += &a * a.transpose() * c;
        }
        let slack = (limit - &hessian).symmetric_eigenvalues().min();
        assert!(slack > -1e-6 * hessian.norm(), "round {round}: the bound is low by {slack}");
    }
}
