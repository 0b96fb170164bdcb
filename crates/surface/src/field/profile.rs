//! The cubic spline on eight numbers, as truncated powers.
//!
//! In units of h, W(q) = w (a³ − 4b³) with a = (1 − q)₊, b = (½ − q)₊ and w = 16/(π h³), which is
//! the weight that [`super::cells`] stores beside V (Monaghan 1992; see `kernel::cubic_spline`).
//! The slope of the profile f = a³ − 4b³: f′/q = 9q − 6 for q ≤ ½, −3a²/q beyond.

use hashfall_core::simd::F32x8;

/// f(q).
#[inline(always)]
pub(crate) fn value<V: F32x8>(q: V) -> V {
    let zero = q.splat(0.0);
    let a = (q.splat(1.0) - q).max(zero);
    let b = (q.splat(0.5) - q).max(zero);
    a * a * a - b * b * b * q.splat(4.0)
}

/// f(q) and f′(q)/q.
#[inline(always)]
pub(crate) fn value_and_slope<V: F32x8>(q: V) -> (V, V) {
    let zero = q.splat(0.0);
    let a = (q.splat(1.0) - q).max(zero);
    let b = (q.splat(0.5) - q).max(zero);
    let near = q * q.splat(9.0) - q.splat(6.0);
    // The guard keeps the part that is not taken finite at q = 0.
    let far = a * a * q.splat(-3.0) / q.max(q.splat(0.25));
    let slope = far + (q - q.splat(0.5)).select_negative(near - far);
    (a * a * a - b * b * b * q.splat(4.0), slope)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::kernel::{CubicSpline, SmoothingKernel};
    use hashfall_core::simd::ArrayF32x8;
    use hashfall_core::{Dimension, PI, Real};

    #[test]
    fn the_profile_is_the_kernel_and_its_slope() {
        let kernel = CubicSpline::new(Dimension::Three, 1.0);
        let w = 16.0 / PI;
        for i in 0..150 {
            let q = i as Real * 0.01;
            let (value, slope) = value_and_slope(ArrayF32x8([q; 8]));
            assert!((w * value.0[3] - kernel.value(q)).abs() < 1e-5, "{q}");
            assert_eq!(value.0, super::value(ArrayF32x8([q; 8])).0);
            assert!((w * slope.0[0] - kernel.slope_over_r(q)).abs() < 1e-4, "{q}");
        }
    }
}
