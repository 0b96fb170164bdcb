//! The inverse mass of a body as blocks of matrices.

use crate::body::InverseMass;
use nalgebra::{Matrix3, Matrix6};

/// diag(1/m, I⁻¹).
pub(crate) fn block_matrix(inverse: &InverseMass) -> Matrix6<f64> {
    let mut matrix = Matrix6::zeros();
    matrix.fixed_view_mut::<3, 3>(0, 0).set_diagonal(&inverse.linear);
    matrix.fixed_view_mut::<3, 3>(3, 3).copy_from(&inverse.angular);
    matrix
}

/// The blocks of S with S Sᵀ = M⁻¹: the root along the axes, and Cholesky's factor of the spins, in
/// which a locked axis has zeros.
pub(crate) fn square_root(inverse: &InverseMass) -> [Matrix3<f64>; 2] {
    let a = &inverse.angular;
    let mut l: Matrix3<f64> = Matrix3::zeros();
    for j in 0..3 {
        let done: f64 = (0..j).map(|k| l[(j, k)] * l[(j, k)]).sum();
        let pivot = a[(j, j)] - done;
        if a[(j, j)] == 0.0 || pivot <= 0.0 {
            continue;
        }
        l[(j, j)] = pivot.sqrt();
        for i in j + 1..3 {
            let done: f64 = (0..j).map(|k| l[(i, k)] * l[(j, k)]).sum();
            l[(i, j)] = (a[(i, j)] - done) / l[(j, j)];
        }
    }
    [Matrix3::from_diagonal(&inverse.linear.map(f64::sqrt)), l]
}
