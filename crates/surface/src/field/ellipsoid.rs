//! The shape of an anisotropic kernel.

use crate::field::symmetric::{IDENTITY, Symmetric};
use hashfall_core::Real;

/// The centre and shape of an anisotropic kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ellipsoid {
    /// From the particle to the kernel's centre \[h\].
    pub shift: [Real; 3],
    /// M.
    pub metric: Symmetric<Real>,
    /// det(M).
    pub determinant: Real,
}

/// An isotropic kernel.
pub(crate) const ISOTROPIC: Ellipsoid =
    Ellipsoid { shift: [0.0; 3], metric: IDENTITY, determinant: 1.0 };
