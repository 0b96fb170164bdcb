//! The tests on AVX2, in two registers of eight, and on AVX-512, in one of sixteen.

use super::contract::{BoxLanes, Lanes};
use hashfall_core::simd::{Avx2, Avx512, LANES};
use hashfall_core::{Real, Vec3};
use std::arch::x86_64::*;

/// For each mask of eight, the places of its set bits: what a permutation needs to move them to the
/// front.
static SET_BITS: [[u32; 8]; 256] = set_bits();

const fn set_bits() -> [[u32; 8]; 256] {
    let mut table = [[0; 8]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut bit, mut kept) = (0, 0);
        while bit < 8 {
            if mask >> bit & 1 == 1 {
                table[mask][kept] = bit as u32;
                kept += 1;
            }
            bit += 1;
        }
        mask += 1;
    }
    table
}

// No closures below: one that is not inlined would not be compiled for the instruction set.

impl Lanes for Avx2 {
    type Reals = [__m256; 2];
    type Places = [__m256i; 2];

    #[inline(always)]
    unsafe fn load(self, from: *const Real) -> [__m256; 2] {
        // SAFETY: 16 numbers can be read; `self` proves AVX2.
        unsafe { [_mm256_loadu_ps(from), _mm256_loadu_ps(from.add(8))] }
    }

    #[inline(always)]
    unsafe fn load_places(self, from: *const u32) -> [__m256i; 2] {
        // SAFETY: sixteen places can be read; `self` proves AVX2.
        unsafe { [_mm256_loadu_si256(from.cast()), _mm256_loadu_si256(from.add(8).cast())] }
    }

    #[inline(always)]
    fn places_from(self, first: u32) -> [__m256i; 2] {
        // SAFETY: `self` proves AVX2.
        unsafe {
            let steps = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
            let low = _mm256_add_epi32(steps, _mm256_set1_epi32(first as i32));
            [low, _mm256_add_epi32(low, _mm256_set1_epi32(8))]
        }
    }

    #[inline(always)]
    fn squares(self, [x, y, z]: [[__m256; 2]; 3], at: &Vec3) -> [__m256; 2] {
        // SAFETY: `self` proves AVX2.
        unsafe { [eight_squares(x[0], y[0], z[0], at), eight_squares(x[1], y[1], z[1], at)] }
    }

    #[inline(always)]
    fn squares_from_box(self, [x, y, z]: [[__m256; 2]; 3], low: &Vec3, high: &Vec3) -> [__m256; 2] {
        // SAFETY: both halves are registers, and `self` proves AVX2.
        unsafe {
            [
                eight_squares_from_box([x[0], y[0], z[0]], low, high),
                eight_squares_from_box([x[1], y[1], z[1]], low, high),
            ]
        }
    }

    #[inline(always)]
    fn overlapping(self, boxes: &BoxLanes, low: &Vec3, high: &Vec3) -> u32 {
        // SAFETY: both halves of each row can be read; `self` proves AVX2.
        unsafe {
            let lower = eight_overlapping(boxes.as_ptr().cast(), low, high);
            let upper = eight_overlapping(boxes.as_ptr().cast::<f32>().add(8), low, high);
            lower | upper << 8
        }
    }

    #[inline(always)]
    fn below(self, squares: [__m256; 2], limit: Real, among: u32) -> u32 {
        // SAFETY: `self` proves AVX2.
        unsafe {
            let limit = _mm256_set1_ps(limit);
            let low = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(squares[0], limit));
            let high = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(squares[1], limit));
            (low as u32 | (high as u32) << 8) & among
        }
    }

    #[inline(always)]
    unsafe fn push_places(self, mask: u32, places: [__m256i; 2], out: *mut u32) {
        let [low, high] = halves(mask);
        // SAFETY: the second eight start after at most eight, so no more than 16 are written.
        unsafe {
            let rest = out.add(low.count_ones() as usize);
            let front = _mm256_permutevar8x32_epi32(places[0], to_front(low));
            let back = _mm256_permutevar8x32_epi32(places[1], to_front(high));
            _mm256_storeu_si256(out.cast(), front);
            _mm256_storeu_si256(rest.cast(), back);
        }
    }

    #[inline(always)]
    unsafe fn push(self, mask: u32, lanes: [__m256; 2], out: *mut Real) {
        let [low, high] = halves(mask);
        // SAFETY: as many as sixteen numbers can be written: the second eight start after at most
        // eight.
        unsafe {
            _mm256_storeu_ps(out, _mm256_permutevar8x32_ps(lanes[0], to_front(low)));
            let rest = out.add(low.count_ones() as usize);
            _mm256_storeu_ps(rest, _mm256_permutevar8x32_ps(lanes[1], to_front(high)));
        }
    }
}

/// The boxes, as bits, that overlap one: eight lanes from `first` on in rows of sixteen.
#[inline(always)]
unsafe fn eight_overlapping(first: *const f32, low: &Vec3, high: &Vec3) -> u32 {
    // SAFETY: six rows can be read; only AVX2 calls this.
    unsafe {
        let mut hits = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
        for a in 0..3 {
            let from = _mm256_loadu_ps(first.add(LANES * a));
            let to = _mm256_loadu_ps(first.add(LANES * (a + 3)));
            let begins = _mm256_cmp_ps::<_CMP_LE_OQ>(from, _mm256_set1_ps(high[a]));
            let ends = _mm256_cmp_ps::<_CMP_GE_OQ>(to, _mm256_set1_ps(low[a]));
            hits = _mm256_and_ps(hits, _mm256_and_ps(begins, ends));
        }
        _mm256_movemask_ps(hits) as u32
    }
}

/// The squared distances of `at` from eight points.
#[inline(always)]
unsafe fn eight_squares(x: __m256, y: __m256, z: __m256, at: &Vec3) -> __m256 {
    // SAFETY: only AVX2 calls this.
    unsafe {
        let dx = _mm256_sub_ps(_mm256_set1_ps(at.x), x);
        let dy = _mm256_sub_ps(_mm256_set1_ps(at.y), y);
        let dz = _mm256_sub_ps(_mm256_set1_ps(at.z), z);
        let xy = _mm256_add_ps(_mm256_mul_ps(dx, dx), _mm256_mul_ps(dy, dy));
        _mm256_add_ps(xy, _mm256_mul_ps(dz, dz))
    }
}

/// The squared distances of eight points from a box.
#[inline(always)]
unsafe fn eight_squares_from_box(points: [__m256; 3], low: &Vec3, high: &Vec3) -> __m256 {
    // SAFETY: only AVX2 calls this.
    unsafe {
        let mut sum = _mm256_setzero_ps();
        for k in 0..3 {
            let below = _mm256_sub_ps(_mm256_set1_ps(low[k]), points[k]);
            let above = _mm256_sub_ps(points[k], _mm256_set1_ps(high[k]));
            let apart = _mm256_max_ps(_mm256_max_ps(below, above), _mm256_setzero_ps());
            sum = _mm256_add_ps(sum, _mm256_mul_ps(apart, apart));
        }
        sum
    }
}

/// The bits of the lower and the upper eight lanes.
#[inline(always)]
fn halves(mask: u32) -> [usize; 2] {
    [mask as usize & 0xff, mask as usize >> 8 & 0xff]
}

/// The permutation that moves the lanes of the set bits to the front.
#[inline(always)]
unsafe fn to_front(bits: usize) -> __m256i {
    // SAFETY: a row of the table is eight numbers; only AVX2 calls this.
    unsafe { _mm256_loadu_si256(SET_BITS[bits].as_ptr().cast()) }
}

impl Lanes for Avx512 {
    type Reals = __m512;
    type Places = __m512i;

    #[inline(always)]
    unsafe fn load(self, from: *const Real) -> __m512 {
        // SAFETY: 16 numbers can be read; `self` proves AVX-512.
        unsafe { _mm512_loadu_ps(from) }
    }

    #[inline(always)]
    unsafe fn load_places(self, from: *const u32) -> __m512i {
        // SAFETY: sixteen places can be read; `self` proves AVX-512.
        unsafe { _mm512_loadu_si512(from.cast()) }
    }

    #[inline(always)]
    fn places_from(self, first: u32) -> __m512i {
        // SAFETY: `self` proves AVX-512.
        unsafe {
            let steps = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
            _mm512_add_epi32(steps, _mm512_set1_epi32(first as i32))
        }
    }

    #[inline(always)]
    fn squares(self, [x, y, z]: [__m512; 3], at: &Vec3) -> __m512 {
        // SAFETY: these instructions touch registers only, and `self` proves AVX-512.
        unsafe {
            let dx = _mm512_sub_ps(_mm512_set1_ps(at.x), x);
            let dy = _mm512_sub_ps(_mm512_set1_ps(at.y), y);
            let dz = _mm512_sub_ps(_mm512_set1_ps(at.z), z);
            let xy = _mm512_add_ps(_mm512_mul_ps(dx, dx), _mm512_mul_ps(dy, dy));
            _mm512_add_ps(xy, _mm512_mul_ps(dz, dz))
        }
    }

    #[inline(always)]
    fn squares_from_box(self, points: [__m512; 3], low: &Vec3, high: &Vec3) -> __m512 {
        // SAFETY: these instructions touch registers only, and `self` proves AVX-512.
        unsafe {
            let mut sum = _mm512_setzero_ps();
            for k in 0..3 {
                let below = _mm512_sub_ps(_mm512_set1_ps(low[k]), points[k]);
                let above = _mm512_sub_ps(points[k], _mm512_set1_ps(high[k]));
                let apart = _mm512_max_ps(_mm512_max_ps(below, above), _mm512_setzero_ps());
                sum = _mm512_add_ps(sum, _mm512_mul_ps(apart, apart));
            }
            sum
        }
    }

    #[inline(always)]
    fn overlapping(self, boxes: &BoxLanes, low: &Vec3, high: &Vec3) -> u32 {
        // SAFETY: rows are of sixteen numbers; `self` proves AVX-512.
        unsafe {
            let (mut begin, mut end) = (u16::MAX, u16::MAX);
            for a in 0..3 {
                let from = _mm512_loadu_ps(boxes[a].as_ptr());
                let to = _mm512_loadu_ps(boxes[a + 3].as_ptr());
                let (low, high) = (_mm512_set1_ps(low[a]), _mm512_set1_ps(high[a]));
                // Two chains, as each comparison waits for the one before.
                begin = _mm512_mask_cmp_ps_mask::<_CMP_LE_OQ>(begin, from, high);
                end = _mm512_mask_cmp_ps_mask::<_CMP_GE_OQ>(end, to, low);
            }
            u32::from(begin & end)
        }
    }

    #[inline(always)]
    fn below(self, squares: __m512, limit: Real, among: u32) -> u32 {
        // SAFETY: `self` proves AVX-512.
        unsafe {
            let limit = _mm512_set1_ps(limit);
            u32::from(_mm512_mask_cmp_ps_mask::<_CMP_LT_OQ>(among as u16, squares, limit))
        }
    }

    #[inline(always)]
    unsafe fn push_places(self, mask: u32, places: __m512i, out: *mut u32) {
        // SAFETY: `self` proves AVX-512, and that 16 numbers can be written.
        unsafe {
            // To a register first: compressing to memory is slow on some CPUs.
            _mm512_storeu_si512(out.cast(), _mm512_maskz_compress_epi32(mask as u16, places));
        }
    }

    #[inline(always)]
    unsafe fn push(self, mask: u32, lanes: __m512, out: *mut Real) {
        // SAFETY: sixteen numbers can be written; `self` proves AVX-512.
        unsafe { _mm512_storeu_ps(out, _mm512_maskz_compress_ps(mask as u16, lanes)) }
    }
}
