//! What the viscosities of two particles come to between them.

use hashfall_core::simd::F32x8;
use hashfall_core::{Dimension, Real};

/// What keeps coincident particles from dividing by zero, in h².
pub const SOFTENING: Real = 1e-6;

/// 2(D + 2).
pub fn central_scale(dimension: Dimension) -> Real {
    2.0 * (Real::from(dimension.count()) + 2.0)
}

/// The viscosity between two particles and their shares in each other's fit, of one fluid if it
/// is not `MIXED`.
#[derive(Clone, Copy)]
pub struct PairViscosity<V> {
    /// 2μᵢμⱼ/(μᵢ + μⱼ) \[Pa s\].
    pub viscosity: V,
    /// min(1, μᵢⱼ/μᵢ), what the other counts in the fit of this one \[–\].
    pub share: V,
    /// What this one counts in the fit of the other \[–\].
    pub reverse_share: V,
}

impl<V: F32x8> PairViscosity<V> {
    /// Of μᵢ and μⱼ.
    #[inline(always)]
    pub fn new<const MIXED: bool>(viscosity: V, other_viscosity: V) -> Self {
        let one = viscosity.splat(1.0);
        if !MIXED {
            return PairViscosity { viscosity, share: one, reverse_share: one };
        }
        // One quotient for all: it takes longer than all else.
        let sum = viscosity + other_viscosity + viscosity.splat(Real::MIN_POSITIVE);
        let part = viscosity.splat(2.0) / sum;
        let share = |other: V| {
            let excess = other * part - one;
            one + excess.select_negative(excess)
        };
        PairViscosity {
            viscosity: viscosity * other_viscosity * part,
            share: share(other_viscosity),
            reverse_share: share(viscosity),
        }
    }
}
