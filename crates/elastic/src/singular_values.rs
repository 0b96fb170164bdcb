//! Singular values of matrices of three rows, by Jacobi's rotations: sums, products and square
//! roots alone, so that they have the same bits everywhere.

use hashfall_bodies::JacobiRotation;
use hashfall_geometry::Point;
use nalgebra::{Matrix3, SMatrix};

/// Sweeps of rotations. They converge quadratically: four are enough for doubles.
const SWEEPS: usize = 8;

/// A = U diag(σ) Vᵀ with rotations U and V.
#[derive(Clone, Copy, Debug)]
pub struct SingularValues<const D: usize> {
    /// Columns of U: those of the values, then what completes the frame.
    pub u: [Point; 3],
    /// Descending in magnitude; of three, the last has the sign of the determinant.
    pub values: [f64; D],
    /// Columns of V.
    pub v: SMatrix<f64, D, D>,
}

impl<const D: usize> SingularValues<D> {
    /// Of a matrix of three rows and D ≤ 3 columns, by Hestenes' rotations, which make its columns
    /// orthogonal: small values are as exact as large ones.
    pub fn new(a: &SMatrix<f64, 3, D>) -> Self {
        let (mut columns, mut vectors) = (*a, SMatrix::<f64, D, D>::identity());
        for _ in 0..SWEEPS {
            for p in 0..D {
                for q in p + 1..D {
                    let (x, y) = (columns.column(p), columns.column(q));
                    let rotation =
                        JacobiRotation::new(x.norm_squared(), y.norm_squared(), x.dot(&y));
                    if let Some(rotation) = rotation {
                        rotation.apply(&mut columns, p, q);
                        rotation.apply(&mut vectors, p, q);
                    }
                }
            }
        }
        let squares: [f64; D] = std::array::from_fn(|k| columns.column(k).norm_squared());
        let mut order: [usize; D] = std::array::from_fn(|k| k);
        order.sort_by(|&i, &j| squares[j].total_cmp(&squares[i]));
        let mut v = SMatrix::<f64, D, D>::zeros();
        for (k, &from) in order.iter().enumerate() {
            v.set_column(k, &vectors.column(from));
        }
        if D == 3 && determinant_sign(&v) < 0.0 {
            let last = -v.column(D - 1);
            v.set_column(D - 1, &last);
        }
        let moved: [Point; D] = std::array::from_fn(|k| a * v.column(k));
        let first = unit(&moved[0]).unwrap_or_else(Point::x);
        let second = moved.get(1).map_or_else(Point::zeros, |m| m - first * first.dot(m));
        // Below rounding, the direction is noise: any will do.
        let is_plain = second.norm() > 1e-14 * moved[0].norm();
        let second = if is_plain { unit(&second) } else { None };
        let second = second.unwrap_or_else(|| any_orthogonal(&first));
        let u = [first, second, first.cross(&second)];
        SingularValues { u, values: std::array::from_fn(|k| u[k].dot(&moved[k])), v }
    }

    /// U M Vᵀ, for a matrix M of three rows.
    pub fn rotate_back(&self, m: &SMatrix<f64, 3, D>) -> SMatrix<f64, 3, D> {
        Matrix3::from_columns(&self.u) * m * self.v.transpose()
    }
}

/// The sign of the determinant of a rotation or a reflection of three rows.
fn determinant_sign<const D: usize>(v: &SMatrix<f64, D, D>) -> f64 {
    let column = |k: usize| Point::from_fn(|i, _| v[(i, k)]);
    column(0).cross(&column(1)).dot(&column(2))
}

fn unit(x: &Point) -> Option<Point> {
    let norm = x.norm();
    (norm > 0.0 && norm.is_finite()).then(|| x / norm)
}

fn any_orthogonal(n: &Point) -> Point {
    let axis = if n.x.abs() < 0.6 { Point::x() } else { Point::y() };
    let across = n.cross(&axis);
    across / across.norm()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::rng::RandomStream;

    fn assert_decomposes<const D: usize>(a: &SMatrix<f64, 3, D>) {
        let all = SingularValues::new(a);
        let mut m = SMatrix::<f64, 3, D>::zeros();
        (0..D).for_each(|k| m[(k, k)] = all.values[k]);
        assert!((all.rotate_back(&m) - a).norm() <= 1e-14 * a.norm(), "{a} as {all:?}");
        let u = Matrix3::from_columns(&all.u);
        assert!((u.transpose() * u - Matrix3::identity()).norm() < 1e-14);
        assert!((u.determinant() - 1.0).abs() < 1e-14);
        let unit = SMatrix::<f64, D, D>::identity();
        assert!((all.v.transpose() * all.v - unit).norm() < 1e-14);
        assert!(all.values.windows(2).all(|pair| pair[0] >= pair[1].abs() - 1e-14 * a.norm()));
    }

    #[test]
    fn matrices_are_composed_of_their_values_whatever_their_rank() {
        let mut rng = RandomStream::new(5);
        for k in 0..2000 {
            let a = Matrix3::from_fn(|_, _| rng.between(-1.0, 1.0)) * rng.between(0.0, 1e3);
            assert_decomposes(&a);
            assert_decomposes(&a.fixed_columns::<2>(0).into_owned());
            // Of rank two, of rank one, and nearly so.
            let small = [0.0, 1e-9, 1e-17][k % 3];
            let flat = Matrix3::from_diagonal(&Point::new(1.0, rng.number(), small));
            assert_decomposes(&(a * flat * a.transpose()));
            let thin = Matrix3::from_diagonal(&Point::new(1.0, small, small));
            assert_decomposes(&(a * thin));
        }
        assert_decomposes(&Matrix3::zeros());
        assert_decomposes(&Matrix3::identity());
        assert_decomposes(&Matrix3::from_diagonal_element(-2.0));
    }
}
