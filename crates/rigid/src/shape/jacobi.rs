//! Eigenvalues and eigenvectors of symmetric 3×3 matrices by Jacobi's rotations.
//!
//! Golub & Van Loan, Matrix Computations (4th ed.), §8.5: each rotation puts zero in place of an
//! entry off the diagonal, with t = sign(τ)/(|τ| + √(1 + τ²)), τ = (a_qq − a_pp)/(2 a_pq). Cyclic
//! sweeps converge quadratically; the vectors are orthogonal to rounding, whatever the matrix. Only
//! sums, products, quotients and roots are taken, so that the bits are the same everywhere.

use nalgebra::{Matrix3, Vector3};

/// Sweeps converge in five or so; more would change nothing.
const MAX_SWEEPS: usize = 30;

/// Eigenvalues, ascending, and a right-handed frame of eigenvectors in columns.
pub(crate) fn symmetric_eigen(matrix: &Matrix3<f64>) -> (Vector3<f64>, Matrix3<f64>) {
    let mut a = *matrix;
    let mut vectors = Matrix3::identity();
    for _ in 0..MAX_SWEEPS {
        let off = a[(0, 1)].abs() + a[(0, 2)].abs() + a[(1, 2)].abs();
        if off <= f64::EPSILON * f64::EPSILON * a.diagonal().abs().max() {
            break;
        }
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            rotate(&mut a, &mut vectors, p, q);
        }
    }
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| a[(i, i)].total_cmp(&a[(j, j)]));
    let values = Vector3::from(order.map(|i| a[(i, i)]));
    let [x, y] = [order[0], order[1]].map(|i| vectors.column(i).into_owned());
    let (x, y) = (x.normalize(), y.normalize());
    (values, Matrix3::from_columns(&[x, y, x.cross(&y)]))
}

/// Turns the plane of two axes so that their product moment vanishes.
fn rotate(a: &mut Matrix3<f64>, vectors: &mut Matrix3<f64>, p: usize, q: usize) {
    if a[(p, q)] == 0.0 {
        return;
    }
    let tau = (a[(q, q)] - a[(p, p)]) / (2.0 * a[(p, q)]);
    let t = tau.signum() / (tau.abs() + (1.0 + tau * tau).sqrt());
    let c = 1.0 / (1.0 + t * t).sqrt();
    let s = t * c;
    let mut turn = Matrix3::identity();
    (turn[(p, p)], turn[(q, q)]) = (c, c);
    (turn[(p, q)], turn[(q, p)]) = (s, -s);
    *a = turn.transpose() * *a * turn;
    *vectors *= turn;
    // What rounding leaves there.
    (a[(p, q)], a[(q, p)]) = (0.0, 0.0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::random::Random;

    #[test]
    fn a_matrix_is_rebuilt_from_its_eigenvectors() {
        let mut random = Random::new(3);
        for power in [-40, 0, 40] {
            for _ in 0..200 {
                let half = Matrix3::from_fn(|_, _| f64::from(random.vec3(-1.0, 1.0).x));
                let matrix = (half + half.transpose()) * 2f64.powi(power);
                let (values, frame) = symmetric_eigen(&matrix);
                let again = frame * Matrix3::from_diagonal(&values) * frame.transpose();
                assert!((again - matrix).abs().max() <= 1e-14 * matrix.norm());
                assert!((frame.transpose() * frame - Matrix3::identity()).abs().max() < 1e-14);
                assert!((frame.determinant() - 1.0).abs() < 1e-14);
                assert!(values.x <= values.y && values.y <= values.z);
            }
        }
        let (values, frame) = symmetric_eigen(&Matrix3::from_diagonal_element(2.0));
        assert_eq!((values, frame), (Vector3::repeat(2.0), Matrix3::identity()));
    }
}
