//! Eigenvalues and eigenvectors of small symmetric matrices by Jacobi's rotations.
//!
//! Golub & Van Loan, Matrix Computations (4th ed.), §8.5: each rotation puts zero in place of an
//! entry off the diagonal, with t = sign(τ)/(|τ| + √(1 + τ²)), τ = (a_qq − a_pp)/(2 a_pq). Cyclic
//! sweeps converge quadratically; the vectors are orthogonal to rounding, whatever the matrix. Only
//! sums, products, quotients and roots are taken, so that the bits are the same everywhere.

use nalgebra::{Matrix3, SMatrix, Vector3};

/// Sweeps of rotations. They converge quadratically: five are enough for doubles.
const SWEEPS: usize = 8;

/// The eigenvalues of a symmetric matrix, and a rotation with their eigenvectors in its columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SymmetricEigen<const D: usize> {
    /// In no order.
    pub values: [f64; D],
    /// In their order.
    pub vectors: SMatrix<f64, D, D>,
}

/// A rotation in the plane of two axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JacobiRotation {
    cosine: f64,
    sine: f64,
}

impl<const D: usize> SymmetricEigen<D> {
    /// Those of a symmetric matrix.
    pub fn new(matrix: &SMatrix<f64, D, D>) -> Self {
        let (mut a, mut vectors) = (*matrix, SMatrix::<f64, D, D>::identity());
        for _ in 0..SWEEPS {
            for p in 0..D {
                for q in p + 1..D {
                    annihilate(&mut a, &mut vectors, p, q);
                }
            }
        }
        SymmetricEigen { values: std::array::from_fn(|k| a[(k, k)]), vectors }
    }
}

impl SymmetricEigen<3> {
    /// Eigenvalues, ascending, and a right-handed frame of eigenvectors in columns.
    pub fn ascending(&self) -> (Vector3<f64>, Matrix3<f64>) {
        let mut order = [0, 1, 2];
        order.sort_by(|&i, &j| self.values[i].total_cmp(&self.values[j]));
        let values = Vector3::from(order.map(|i| self.values[i]));
        let [x, y] = [order[0], order[1]].map(|i| self.vectors.column(i).into_owned());
        let (x, y) = (x.normalize(), y.normalize());
        (values, Matrix3::from_columns(&[x, y, x.cross(&y)]))
    }
}

impl JacobiRotation {
    /// The rotation which makes the element `off` beside the diagonal elements `p` and `q` zero;
    /// none if it is.
    pub fn new(p: f64, q: f64, off: f64) -> Option<Self> {
        if off == 0.0 {
            return None;
        }
        let ratio = (q - p) / (2.0 * off);
        let tangent = ratio.signum() / (ratio.abs() + (ratio * ratio + 1.0).sqrt());
        let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
        Some(JacobiRotation { cosine, sine: tangent * cosine })
    }

    /// Rotates two columns of a matrix.
    pub fn apply<const R: usize, const D: usize>(
        &self,
        m: &mut SMatrix<f64, R, D>,
        p: usize,
        q: usize,
    ) {
        for k in 0..R {
            (m[(k, p)], m[(k, q)]) = self.pair(m[(k, p)], m[(k, q)]);
        }
    }

    fn pair(&self, x: f64, y: f64) -> (f64, f64) {
        (self.cosine * x - self.sine * y, self.sine * x + self.cosine * y)
    }
}

/// Makes the element (p, q) of a symmetric matrix zero.
fn annihilate<const D: usize>(
    a: &mut SMatrix<f64, D, D>,
    vectors: &mut SMatrix<f64, D, D>,
    p: usize,
    q: usize,
) {
    let Some(rotation) = JacobiRotation::new(a[(p, p)], a[(q, q)], a[(p, q)]) else { return };
    rotation.apply(a, p, q);
    rotation.apply(vectors, p, q);
    for k in 0..D {
        (a[(p, k)], a[(q, k)]) = rotation.pair(a[(p, k)], a[(q, k)]);
    }
    // What rounding leaves there.
    (a[(p, q)], a[(q, p)]) = (0.0, 0.0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AxisRotation;
    use hashfall_core::geometry::random::Random;

    /// Asserts that values and vectors are those of a matrix, to rounding.
    fn assert_decomposes<const D: usize>(matrix: &SMatrix<f64, D, D>) {
        let SymmetricEigen { values, vectors } = SymmetricEigen::new(matrix);
        let again = vectors * SMatrix::from_diagonal(&values.into()) * vectors.transpose();
        assert!((again - matrix).amax() <= 1e-14 * matrix.norm(), "{again} for {matrix}");
        let unit = SMatrix::<f64, D, D>::identity();
        assert!((vectors.transpose() * vectors - unit).amax() < 1e-14);
    }

    #[test]
    fn a_matrix_is_rebuilt_from_its_eigenvectors() {
        let mut random = Random::new(3);
        for power in [-40, 0, 40] {
            for _ in 0..200 {
                let half = Matrix3::from_fn(|_, _| random.number(-1.0, 1.0));
                let matrix = (half + half.transpose()) * 2f64.powi(power);
                assert_decomposes(&matrix);
                assert_decomposes(&matrix.fixed_view::<2, 2>(0, 0).into_owned());
                let (values, frame) = SymmetricEigen::new(&matrix).ascending();
                assert!(
                    (matrix * frame - frame * Matrix3::from_diagonal(&values)).amax()
                        <= 1e-14 * matrix.norm()
                );
                assert!((frame.determinant() - 1.0).abs() < 1e-14);
                assert!(values.x <= values.y && values.y <= values.z);
            }
        }
    }

    #[test]
    fn double_and_triple_eigenvalues_are_found() {
        let mut random = Random::new(4);
        for values in [[2.0, 2.0, 5.0], [-1.0, 3.0, 3.0], [0.0, 0.0, 1.0], [4.0; 3]] {
            for _ in 0..200 {
                let turn = AxisRotation::from_radians(&random.direction(), random.number(0.0, 6.0));
                let turn = turn.matrix();
                let matrix = turn * Matrix3::from_diagonal(&values.into()) * turn.transpose();
                let matrix = (matrix + matrix.transpose()) * 0.5;
                assert_decomposes(&matrix);
                let (found, frame) = SymmetricEigen::new(&matrix).ascending();
                assert!((found - Vector3::from(values)).amax() < 1e-14, "{found} for {values:?}");
                // The eigenvector of the single value is unique; of the others their plane is.
                if let Some(single) =
                    (0..3).find(|k| values.iter().filter(|x| **x == values[*k]).count() == 1)
                {
                    assert!(
                        (frame.column(single).dot(&turn.column(single)).abs() - 1.0).abs() < 1e-14
                    );
                }
            }
        }
        let triple = SymmetricEigen::new(&Matrix3::from_diagonal_element(2.0));
        assert_eq!(triple.ascending(), (Vector3::repeat(2.0), Matrix3::identity()));
    }

    #[test]
    fn values_are_the_roots_of_the_characteristic_polynomial() {
        // (2 1 0; 1 2 1; 0 1 2): 2 and 2 ± √2.
        let matrix = Matrix3::new(2.0, 1.0, 0.0, 1.0, 2.0, 1.0, 0.0, 1.0, 2.0);
        let (values, _) = SymmetricEigen::new(&matrix).ascending();
        let root = std::f64::consts::SQRT_2;
        assert!((values - Vector3::new(2.0 - root, 2.0, 2.0 + root)).amax() < 4e-15);
    }
}
