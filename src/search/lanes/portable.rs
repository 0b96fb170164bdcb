//! The tests in plain Rust: every CPU has these.

use super::{Axes, LANES, Lanes};
use crate::base::{Real, Vec3};

/// No more than the architecture promises.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Lanes for Portable {
    #[inline(always)]
    unsafe fn near(self, points: Axes, first: u32, at: &Vec3, square: Real) -> u32 {
        // SAFETY: LANES numbers can be read from each of these; arrays have no other alignment.
        let [x, y, z] = unsafe { points.from(first).map(|p| &*p.cast::<[Real; LANES]>()) };
        let mut squares = [0.0; LANES];
        for l in 0..LANES {
            let (dx, dy, dz) = (at.x - x[l], at.y - y[l], at.z - z[l]);
            squares[l] = dx * dx + dy * dy + dz * dz;
        }
        (0..LANES).fold(0, |mask, l| mask | u32::from(squares[l] < square) << l)
    }

    #[inline(always)]
    unsafe fn push(self, mut mask: u32, first: u32, mut out: *mut u32) {
        while mask != 0 {
            // SAFETY: a mask has no more set bits than there is room for.
            unsafe {
                *out = first + mask.trailing_zeros();
                out = out.add(1);
            }
            mask &= mask - 1;
        }
    }
}
