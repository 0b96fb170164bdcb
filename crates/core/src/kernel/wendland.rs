//! The C² kernel of Wendland, Piecewise polynomial, positive definite and compactly supported
//! radial functions of minimal degree (1995), the usual choice where particles must not pair up
//! (Dehnen & Aly 2012).
//!
//! With q = r/h and σ = 21/(2πh³), in two dimensions 7/(πh²):
//!
//! - W(r)  = σ (1 − q)⁴ (1 + 4q) for q ≤ 1,  0 beyond
//! - W′(r) = −20 σ/h · q (1 − q)³,  0

use super::profile::Piece;
use super::smoothing_kernel::SmoothingKernel;
use crate::{Dimension, PI, Real};

/// Wendland's C² kernel of support radius h.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WendlandC2 {
    h: Real,
    inverse_h: Real,
    sigma: Real,
}

impl WendlandC2 {
    /// The kernel of support radius `h` \[m\].
    pub fn new(dimension: Dimension, h: Real) -> Self {
        let sigma = match dimension {
            Dimension::Two => 7.0 / (PI * h * h),
            Dimension::Three => 21.0 / (2.0 * PI * h * h * h),
        };
        WendlandC2 { h, inverse_h: 1.0 / h, sigma }
    }

    pub(super) const PROFILE: [Piece; 1] =
        [Piece { end: 1.0, shape: [1.0, 0.0, -10.0, 20.0, -15.0, 4.0, 0.0] }];
}

impl SmoothingKernel for WendlandC2 {
    fn support_radius(&self) -> Real {
        self.h
    }

    #[inline(always)]
    fn value(&self, r: Real) -> Real {
        let q = r * self.inverse_h;
        let rest = (1.0 - q).max(0.0);
        let square = rest * rest;
        self.sigma * square * square * (1.0 + 4.0 * q)
    }

    #[inline(always)]
    fn slope_over_r(&self, r: Real) -> Real {
        let rest = (1.0 - r * self.inverse_h).max(0.0);
        -20.0 * self.sigma * self.inverse_h * self.inverse_h * rest * rest * rest
    }
}
