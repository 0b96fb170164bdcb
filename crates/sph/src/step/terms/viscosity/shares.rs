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
    pub fn new<const MIXED: bool>(particle: V, other: V) -> Self {
        let one = particle.splat(1.0);
        if !MIXED {
            return PairViscosity { viscosity: particle, share: one, reverse_share: one };
        }
        // One quotient for all: it takes longer than all else.
        let part = particle.splat(2.0) / (particle + other + particle.splat(Real::MIN_POSITIVE));
        let share = |other: V| {
            let excess = other * part - one;
            one + excess.select_negative(excess)
        };
        PairViscosity {
            viscosity: particle * other * part,
            share: share(other),
            reverse_share: share(particle),
        }
    }
}
