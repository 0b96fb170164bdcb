//! Symmetric 3 × 3 matrices, one or eight at a time.

use hashfall_core::Real;
use hashfall_core::simd::F32x8;

/// A symmetric matrix: xx, yy, zz, xy, xz, yz.
pub(crate) type Symmetric<T> = [T; 6];

/// The matrix of a isotropic kernel.
pub(crate) const IDENTITY: Symmetric<Real> = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];

/// M r.
#[inline(always)]
pub(crate) fn multiply<V: F32x8>(
    [xx, yy, zz, xy, xz, yz]: Symmetric<V>,
    [x, y, z]: [V; 3],
) -> [V; 3] {
    [xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z]
}

/// The same matrix eight times.
#[inline(always)]
pub(crate) fn splat<V: F32x8>(m: Symmetric<Real>, like: V) -> Symmetric<V> {
    let [xx, yy, zz, xy, xz, yz] = m;
    [like.splat(xx), like.splat(yy), like.splat(zz), like.splat(xy), like.splat(xz), like.splat(yz)]
}
