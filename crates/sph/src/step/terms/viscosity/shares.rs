//! What the viscosities of two particles come to between them.

use hashfall_core::simd::F32x8;
use hashfall_core::{Dimension, Real};

/// What keeps coincident particles from dividing by zero, in h².
pub const SOFTENING: Real = 1e-6;

/// 2(D + 2).
pub fn central_scale(dimension: Dimension) -> Real {
    2.0 * (Real::from(dimension.count()) + 2.0)
}

/// What two particles of these viscosities come to, of one fluid if it is not `MIXED`.
#[derive(Clone, Copy)]
pub struct Between<V> {
    /// 2μᵢμⱼ/(μᵢ + μⱼ) \[Pa s\].
    pub viscosity: V,
    /// min(1, μᵢⱼ/μᵢ), what the other counts in the fit of this one \[–\].
    pub counted: V,
    /// What this one counts in the fit of the other \[–\].
    pub counted_by_other: V,
}

impl<V: F32x8> Between<V> {
    /// Of μᵢ and μⱼ.
    #[inline(always)]
    pub fn new<const MIXED: bool>(own: V, other: V) -> Self {
        let one = own.splat(1.0);
        if !MIXED {
            return Between { viscosity: own, counted: one, counted_by_other: one };
        }
        // One quotient for all: it takes longer than all else.
        let part = own.splat(2.0) / (own + other + own.splat(Real::MIN_POSITIVE));
        let counted = |other: V| {
            let excess = other * part - one;
            one + excess.select_negative(excess)
        };
        Between {
            viscosity: own * other * part,
            counted: counted(other),
            counted_by_other: counted(own),
        }
    }
}
