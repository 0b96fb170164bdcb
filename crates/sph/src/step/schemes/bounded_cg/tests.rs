//! Solutions of dense matrices meet the conditions of a bounded minimum.

use super::*;
use hashfall_geometry::random::Random;

/// A dense matrix, and its argument.
struct Dense(Vec<Vec<f64>>, Vec<Real>);

impl Dense {
    fn product(&self, x: &[Real], out: &mut [Real]) {
        for (row, out) in self.0.iter().zip(out) {
            let sum: f64 = row.iter().zip(x).map(|(a, x)| a * f64::from(*x)).sum();
            *out = sum as Real;
        }
    }
}

impl Operator for Dense {
    fn set_argument<T: Send>(
        &mut self,
        items: &mut [T],
        entry: impl Fn(usize, &mut T) -> Real + Sync,
    ) {
        self.1.clear();
        self.1.extend(items.iter_mut().enumerate().map(|(i, item)| entry(i, item)));
    }

    fn multiply<F: Send>(
        &mut self,
        out: &mut [Real],
        folds: &mut [F],
        take: impl Fn(usize, &mut [Real]) -> F + Sync,
    ) {
        self.product(&self.1, out);
        for (chunk, (out, fold)) in out.chunks_mut(CHUNK).zip(folds).enumerate() {
            *fold = take(chunk * CHUNK, out);
        }
    }
}

/// Aᵀ A + 1/10 of random numbers.
fn positive(n: usize, random: &mut Random) -> Vec<Vec<f64>> {
    let a: Vec<Vec<f64>> =
        (0..n).map(|_| (0..n).map(|_| random.number(-1.0, 1.0)).collect()).collect();
    let entry = |i: usize, j: usize| {
        let product: f64 = (0..n).map(|k| a[k][i] * a[k][j]).sum();
        product + if i == j { 0.1 } else { 0.0 }
    };
    (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect()
}

#[test]
fn solutions_meet_the_conditions_of_a_bounded_minimum() {
    let mut random = Random::new(8);
    for round in 0..40 {
        let n = 3 + round;
        let mut matrix = Dense(positive(n, &mut random), Vec::new());
        let diagonal: Vec<Real> = (0..n).map(|i| matrix.0[i][i] as Real).collect();
        let rhs: Vec<Real> = (0..n).map(|_| random.number(-1.0, 1.0) as Real).collect();
        let lower: Vec<Real> =
            (0..n).map(|i| if i % 3 == 0 { Real::NEG_INFINITY } else { 0.0 }).collect();
        let problem = Problem {
            diagonal: &diagonal,
            rhs: &rhs,
            lower: &lower,
            tolerance: [1e-5, 1e-4],
            min_iterations: 0,
            max_iterations: 4000,
        };
        let mut x = vec![0.0; n];
        let solved = BoundedCg::default().solve(&mut matrix, problem, &mut x);
        assert!(!solved.capped, "{n}: {solved:?}");
        let mut product = vec![0.0; n];
        matrix.product(&x, &mut product);
        for i in 0..n {
            let left = product[i] - rhs[i];
            assert!(x[i] >= lower[i], "{n}: {i} at {}", x[i]);
            let is_right = left.abs() < 1e-3 || (x[i] == lower[i] && left > 0.0);
            assert!(is_right, "{n}: {i} at {} leaves {left}", x[i]);
        }
    }
}
