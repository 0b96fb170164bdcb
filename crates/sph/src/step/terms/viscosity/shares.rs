//! What the viscosities of two particles come to between them.

use hashfall_core::simd::F32x8;
use hashfall_core::{Dimension, Real};

/// What keeps coincident particles from dividing by zero, in h².
pub const SOFTENING: Real = 1e-6;

/// 2(D + 2).
pub fn central_scale(dimension: Dimension) -> Real {
    2.0 * (Real::from(dimension.count()) + 2.0)
}

/// 2μᵢμⱼ/(μᵢ + μⱼ) \[Pa s\].
#[inline(always)]
pub fn harmonic<V: F32x8>(own: V, other: V) -> V {
    own * other * 2.0 / (own + other + own.splat(Real::MIN_POSITIVE))
}

/// min(1, μᵢⱼ/μᵢ), what the other counts in the fit \[–\].
#[inline(always)]
pub fn counted_share<V: F32x8>(own: V, other: V) -> V {
    let excess = other * 2.0 / (own + other + own.splat(Real::MIN_POSITIVE)) - own.splat(1.0);
    own.splat(1.0) + excess.select_negative(excess)
}
