//! The part of the kernel's mass that solids cover.

use hashfall_core::{Real, Vec3};

/// The part of all near solids together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolidFraction {
    /// λ in 0 ..= 1 \[–\].
    pub fraction: Real,
    /// ∇λ with respect to the particle's position \[1/m\]; points into the solids.
    pub gradient: Vec3,
}

impl SolidFraction {
    /// Far from all solids.
    pub const NONE: SolidFraction =
        SolidFraction { fraction: 0.0, gradient: Vec3::new(0.0, 0.0, 0.0) };

    /// The unit vector out of the solid; zero if there is none.
    pub(crate) fn away(&self) -> Vec3 {
        (-self.gradient).try_normalize(0.0).unwrap_or_else(Vec3::zeros)
    }
}
