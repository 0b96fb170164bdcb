//! Eight particles at a time: loads, squared lengths and distances from boxes.

use hashfall_core::Real;
use hashfall_core::simd::{F32x8, Simd};

/// Particles that are loaded at once.
pub(crate) const LANES: usize = 8;

/// The coordinate of what pads a row \[h\]: beyond the reach of any kernel.
pub(crate) const FAR: Real = 1e6;

/// Eight numbers from place `i` on.
#[inline(always)]
pub(crate) fn eight(numbers: &[Real], i: usize) -> &[Real; LANES] {
    numbers[i..].first_chunk().unwrap_or(&[0.0; LANES])
}

/// The squared distances of points from a box.
#[inline(always)]
pub(crate) fn square_to_box<I: Simd>(
    on: I,
    [x, y, z]: [I::F32x8; 3],
    low: [Real; 3],
    high: [Real; 3],
) -> I::F32x8 {
    outside(on, x, low[0], high[0])
        + outside(on, y, low[1], high[1])
        + outside(on, z, low[2], high[2])
}

/// The square of how far each number lies outside an interval.
#[inline(always)]
fn outside<I: Simd>(on: I, x: I::F32x8, low: Real, high: Real) -> I::F32x8 {
    let beyond = (on.splat(low) - x).max(x - on.splat(high)).max(on.splat(0.0));
    beyond * beyond
}

/// |x|².
#[inline(always)]
pub(crate) fn square<V: F32x8>([x, y, z]: [V; 3]) -> V {
    x * x + y * y + z * z
}
