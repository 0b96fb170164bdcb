//! The largest eigenvalue of a symmetric matrix of three rows, without the others.

use nalgebra::Matrix3;

/// The largest eigenvalue of a symmetric matrix, in closed form: with q a third of the trace and
/// B = (A − q I)/p, |B|² = 6, it is q + 2 p cos(arccos(det B/2)/3) (Smith 1961). Its error is a few
/// roundings of the largest element.
pub fn largest_eigenvalue(a: &Matrix3<f64>) -> f64 {
    let q = a.trace() / 3.0;
    let shifted = a - Matrix3::from_diagonal_element(q);
    let p = (shifted.norm_squared() / 6.0).sqrt();
    if p == 0.0 {
        return q;
    }
    let half_determinant = (0.5 * (shifted / p).determinant()).clamp(-1.0, 1.0);
    q + 2.0 * p * libm::cos(libm::acos(half_determinant) / 3.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::rng::RandomStream;

    #[test]
    fn it_is_the_largest_eigenvalue_by_another_way() {
        let mut rng = RandomStream::new(3);
        for _ in 0..2000 {
            let m = Matrix3::from_fn(|_, _| rng.between(-1.0, 1.0)) * rng.between(0.0, 1e3);
            let a = m + m.transpose();
            let (found, exact) = (largest_eigenvalue(&a), a.symmetric_eigenvalues().max());
            assert!((found - exact).abs() <= 1e-13 * a.norm(), "{found} for {exact}");
        }
        for a in [Matrix3::zeros(), Matrix3::from_diagonal_element(-3.0)] {
            assert_eq!(largest_eigenvalue(&a), a[(0, 0)]);
        }
    }
}
