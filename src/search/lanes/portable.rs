//! The tests in plain Rust: every CPU has these.

use super::{Axes, LANES, Lanes};
use crate::base::{Real, Vec3};

/// No more than the architecture promises.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Lanes for Portable {
    type Reals = [Real; LANES];

    #[inline(always)]
    unsafe fn squares(self, points: Axes, first: u32, at: &Vec3) -> [Real; LANES] {
        // SAFETY: LANES numbers can be read from each of these; arrays have no other alignment.
        let [x, y, z] = unsafe { points.from(first).map(|p| &*p.cast::<[Real; LANES]>()) };
        let mut squares = [0.0; LANES];
        for l in 0..LANES {
            let (dx, dy, dz) = (at.x - x[l], at.y - y[l], at.z - z[l]);
            squares[l] = dx * dx + dy * dy + dz * dz;
        }
        squares
    }

    #[inline(always)]
    unsafe fn below(self, squares: [Real; LANES], limit: Real, among: u32) -> u32 {
        among & (0..LANES).fold(0, |mask, l| mask | u32::from(squares[l] < limit) << l)
    }

    #[inline(always)]
    unsafe fn push_places(self, mask: u32, first: u32, out: *mut u32) {
        for (k, l) in set_bits(mask).enumerate() {
            // SAFETY: a mask has no more set bits than there is room for.
            unsafe { *out.add(k) = first + l };
        }
    }

    #[inline(always)]
    unsafe fn push(self, mask: u32, lanes: [Real; LANES], out: *mut Real) {
        for (k, l) in set_bits(mask).enumerate() {
            // SAFETY: as above.
            unsafe { *out.add(k) = lanes[l as usize] };
        }
    }
}

/// The places of the set bits, ascending.
#[inline(always)]
fn set_bits(mut mask: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros());
        mask &= mask.wrapping_sub(1);
        bit
    })
}
