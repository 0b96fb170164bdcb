//! Arrays of as many numbers as hot loops treat together.

use crate::Real;

/// Numbers that hot loops treat together.
pub const LANES: usize = 16;

/// Asks for an item before it is read, if there is one.
#[inline(always)]
pub fn prefetch<T>(items: &[T], place: usize) {
    if let Some(item) = items.get(place) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: nothing is read, and every CPU of this architecture has the instruction.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = item;
    }
}

/// Adds a power of two of lanes as a fixed tree: halves onto each other.
#[inline(always)]
pub fn sum_lanes<const N: usize>(lanes: [Real; N]) -> Real {
    let mut sums = lanes;
    let mut half = N / 2;
    while half > 0 {
        for l in 0..half {
            sums[l] += sums[l + half];
        }
        half /= 2;
    }
    sums[0]
}
