//! The tests in plain Rust: every CPU has these.

use super::contract::{BoxLanes, Lanes};
use hashfall_core::simd::Baseline;
use hashfall_core::simd::LANES;
use hashfall_core::{Real, Vec3};

impl Lanes for Baseline {
    type Reals = [Real; LANES];
    type Places = [u32; LANES];

    #[inline(always)]
    unsafe fn load(self, from: *const Real) -> [Real; LANES] {
        // SAFETY: sixteen can be read; arrays have no alignment of their own.
        unsafe { *from.cast() }
    }

    #[inline(always)]
    unsafe fn load_places(self, from: *const u32) -> [u32; LANES] {
        // SAFETY: sixteen places can be read; arrays have no alignment of their own.
        unsafe { *from.cast() }
    }

    #[inline(always)]
    fn places_from(self, first: u32) -> [u32; LANES] {
        std::array::from_fn(|l| first.wrapping_add(l as u32))
    }

    #[inline(always)]
    fn squares(self, [x, y, z]: [[Real; LANES]; 3], at: &Vec3) -> [Real; LANES] {
        let mut squares = [0.0; LANES];
        for l in 0..LANES {
            let (dx, dy, dz) = (at.x - x[l], at.y - y[l], at.z - z[l]);
            squares[l] = dx * dx + dy * dy + dz * dz;
        }
        squares
    }

    #[inline(always)]
    fn squares_from_box(
        self,
        [x, y, z]: [[Real; LANES]; 3],
        low: &Vec3,
        high: &Vec3,
    ) -> [Real; LANES] {
        let mut squares = [0.0; LANES];
        for l in 0..LANES {
            let dx = (low.x - x[l]).max(x[l] - high.x).max(0.0);
            let dy = (low.y - y[l]).max(y[l] - high.y).max(0.0);
            let dz = (low.z - z[l]).max(z[l] - high.z).max(0.0);
            squares[l] = dx * dx + dy * dy + dz * dz;
        }
        squares
    }

    #[inline(always)]
    fn overlapping(self, boxes: &BoxLanes, low: &Vec3, high: &Vec3) -> u32 {
        let mut hits = [true; LANES];
        for a in 0..3 {
            for l in 0..LANES {
                hits[l] &= (boxes[a][l] <= high[a]) & (boxes[a + 3][l] >= low[a]);
            }
        }
        (0..LANES).fold(0, |mask, l| mask | u32::from(hits[l]) << l)
    }

    #[inline(always)]
    fn below(self, squares: [Real; LANES], limit: Real, among: u32) -> u32 {
        among & (0..LANES).fold(0, |mask, l| mask | u32::from(squares[l] < limit) << l)
    }

    #[inline(always)]
    unsafe fn push_places(self, mask: u32, places: [u32; LANES], out: *mut u32) {
        for (k, l) in set_bits(mask).enumerate() {
            // SAFETY: a mask has no more set bits than there is room for.
            unsafe { *out.add(k) = places[l as usize] };
        }
    }

    #[inline(always)]
    unsafe fn push(self, mask: u32, lanes: [Real; LANES], out: *mut Real) {
        for (k, l) in set_bits(mask).enumerate() {
            // SAFETY: k counts set bits, at most sixteen, and as many numbers can be written.
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
