//! The kernels of Müller, Charypar & Gross, Particle-Based Fluid Simulation for Interactive
//! Applications (2003), eq. 20–22, which the papers of this field use: density is summed with one
//! (*poly6*), pressure acts through the slope of another (*spiky*), which does not vanish where
//! particles meet, and viscosity through the Laplacian of a third.
//!
//! With q = r/h, and factors σ₆ = 315/(64πh³), σₛ = 15/(πh³), in two dimensions 4/(πh²), 10/(πh²):
//!
//! - poly6: W(r) = σ₆ (1 − q²)³,  W′(r)/r = −6σ₆/h² (1 − q²)²,
//!   ∇²W(r) = −6σ₆/h² (1 − q²) (D − (D + 4) q²) in D dimensions; in three its factor is
//!   945/(32πh⁹), which Onderik & Ďurikovič (2008, eq. 18) misprint
//! - spiky: W(r) = σₛ (1 − q)³,  W′(r) = −3σₛ/h · (1 − q)²
//! - viscosity: ∇²W(r) = σᵥ (1 − q), σᵥ = 45/(πh⁵), in two dimensions 40/(πh⁴)
//!
//! σᵥ follows from ∇²W ~ 1 − q, W(h) = W′(h) = 0 and ∫W = 1. Onderik & Ďurikovič print 15/(2πh³)
//! for the kernel itself in eq. 10, which is right, and Müller's form of it.

use super::profile::Piece;
use super::smoothing_kernel::SmoothingKernel;
use crate::simd::F32x8;
use crate::{Dimension, PI, Real};

/// Müller's kernels of support radius h.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mueller {
    h: Real,
    inverse_h: Real,
    poly6: Real,
    spiky: Real,
    viscosity: Real,
    dimensions: Real,
}

impl Mueller {
    /// The kernels of support radius `h` \[m\].
    pub fn new(dimension: Dimension, h: Real) -> Self {
        let h2 = h * h;
        let [poly6, spiky, viscosity] = match dimension {
            Dimension::Two => [4.0 / (PI * h2), 10.0 / (PI * h2), 40.0 / (PI * h2 * h2)],
            Dimension::Three => {
                [315.0 / (64.0 * PI * h2 * h), 15.0 / (PI * h2 * h), 45.0 / (PI * h2 * h2 * h)]
            }
        };
        let dimensions = match dimension {
            Dimension::Two => 2.0,
            Dimension::Three => 3.0,
        };
        Mueller { h, inverse_h: 1.0 / h, poly6, spiky, viscosity, dimensions }
    }

    pub(super) const PROFILE: [Piece; 1] =
        [Piece { end: 1.0, shape: [1.0, 0.0, -3.0, 0.0, 3.0, 0.0, -1.0] }];

    pub(super) const SPIKY_PROFILE: [Piece; 1] =
        [Piece { end: 1.0, shape: [1.0, -3.0, 3.0, -1.0, 0.0, 0.0, 0.0] }];

    /// W(r) of *spiky* \[1/mᴰ\].
    pub fn spiky(&self, r: Real) -> Real {
        let rest = (1.0 - r * self.inverse_h).max(0.0);
        self.spiky * rest * rest * rest
    }

    /// W′(r)/r and ∇²W of *poly6*, from squared distances up to h² \[1/mᴰ⁺²\].
    #[inline(always)]
    pub fn poly6_slope_and_laplacian<V: F32x8>(&self, square: V) -> (V, V) {
        let scale = self.inverse_h * self.inverse_h;
        let number = |x: Real| square.splat(x);
        let (q2, d) = (square * number(scale), self.dimensions);
        let rest = (number(1.0) - q2) * number(-6.0 * self.poly6 * scale);
        (rest * (number(1.0) - q2), rest * (number(d) - number(d + 4.0) * q2))
    }

    /// ∇²W of *poly6* at 0 \[1/mᴰ⁺²\].
    pub fn poly6_laplacian_within(&self) -> Real {
        -6.0 * self.poly6 * self.inverse_h * self.inverse_h * self.dimensions
    }

    /// ∇²W of the viscosity kernel \[1/mᴰ⁺²\].
    #[inline(always)]
    pub fn laplacian(&self, r: Real) -> Real {
        self.viscosity * (1.0 - r * self.inverse_h).max(0.0)
    }
}

/// Where the slope of *spiky* is divided by a distance, in support radii, it counts as no less.
const NEAREST: Real = 0.01;

impl SmoothingKernel for Mueller {
    fn support_radius(&self) -> Real {
        self.h
    }

    #[inline(always)]
    fn value(&self, r: Real) -> Real {
        let q = r * self.inverse_h;
        let rest = (1.0 - q * q).max(0.0);
        self.poly6 * rest * rest * rest
    }

    #[inline(always)]
    fn slope_over_r(&self, r: Real) -> Real {
        let q = r * self.inverse_h;
        let rest = (1.0 - q).max(0.0);
        let square = self.inverse_h * self.inverse_h;
        -3.0 * self.spiky * square * rest * rest / q.max(NEAREST)
    }
}
