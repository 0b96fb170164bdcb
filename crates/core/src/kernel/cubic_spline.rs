//! The cubic spline kernel (Monaghan 1992, Annu. Rev. Astron. Astrophys. 30, §7), scaled to a
//! support radius h.
//!
//! With q = r/h and σ = 8/(πh³), in two dimensions 40/(7πh²):
//!
//! - W(r)  = σ (6q³ − 6q² + 1) for q ≤ ½,  2σ (1 − q)³ for ½ < q ≤ 1,  0 beyond
//! - W′(r) = 6σ/h · (3q² − 2q),  −6σ/h · (1 − q)²,  0

use super::profile::Piece;
use super::smoothing_kernel::SmoothingKernel;
use crate::{Dimension, PI, Real};

/// Cubic spline of support radius h.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubicSpline {
    h: Real,
    inverse_h: Real,
    sigma: Real,
}

impl CubicSpline {
    /// The kernel of support radius `h` \[m\].
    pub fn new(dimension: Dimension, h: Real) -> Self {
        let sigma = match dimension {
            Dimension::Two => 40.0 / (7.0 * PI * h * h),
            Dimension::Three => 8.0 / (PI * h * h * h),
        };
        CubicSpline { h, inverse_h: 1.0 / h, sigma }
    }

    pub(super) const PROFILE: [Piece; 2] = [
        Piece { end: 0.5, shape: [1.0, 0.0, -6.0, 6.0, 0.0, 0.0, 0.0] },
        Piece { end: 1.0, shape: [2.0, -6.0, 6.0, -2.0, 0.0, 0.0, 0.0] },
    ];
}

impl SmoothingKernel for CubicSpline {
    fn support_radius(&self) -> Real {
        self.h
    }

    /// As truncated powers, σ (2 (1 − q)₊³ − 8 (½ − q)₊³): without a choice of branch, so that
    /// loops over r become vector instructions.
    #[inline(always)]
    fn value(&self, r: Real) -> Real {
        let q = r * self.inverse_h;
        let positive = |x: Real| if x > 0.0 { x } else { 0.0 };
        let (outer, inner) = (positive(1.0 - q), positive(0.5 - q));
        self.sigma * (2.0 * outer * outer * outer - 8.0 * inner * inner * inner)
    }

    #[inline(always)]
    fn slope_over_r(&self, r: Real) -> Real {
        let q = r * self.inverse_h;
        let near = 3.0 * q - 2.0;
        let rest = (1.0 - q).max(0.0);
        // The guard keeps the branch that is not taken finite at q = 0.
        let far = -(rest * rest) / q.max(0.25);
        6.0 * self.sigma * self.inverse_h * self.inverse_h * if q <= 0.5 { near } else { far }
    }
}
