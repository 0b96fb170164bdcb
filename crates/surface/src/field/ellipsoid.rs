//! The shape of an anisotropic kernel.

use crate::field::symmetric::{IDENTITY, Symmetric};
use hashfall_core::Real;

/// What an anisotropic kernel has beside its weight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ellipsoid {
    /// From the particle to the kernel's centre \[h\].
    pub shift: [Real; 3],
    /// M.
    pub metric: Symmetric<Real>,
    /// det(M).
    pub determinant: Real,
}

/// A round kernel.
pub(crate) const ISOTROPIC: Ellipsoid =
    Ellipsoid { shift: [0.0; 3], metric: IDENTITY, determinant: 1.0 };
