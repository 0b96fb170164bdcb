//! [`F32x8`](super::F32x8) in a register of AVX2.

use super::f32x8::F32x8;
use super::lanes::LANES;
use super::proof::Avx2;
use super::with_simd::Simd;
use std::arch::x86_64::*;
use std::ops::{Add, AddAssign, Div, Mul, Sub};

/// Eight numbers. Only [`Avx2`] makes the first, so a value proves that this CPU has AVX2.
#[derive(Clone, Copy, Debug)]
pub struct Avx2F32x8(__m256);

impl Simd for Avx2 {
    type F32x8 = Avx2F32x8;

    #[inline(always)]
    fn splat(self, number: f32) -> Avx2F32x8 {
        // SAFETY: `self` proves that this CPU has AVX2.
        Avx2F32x8(unsafe { _mm256_set1_ps(number) })
    }

    #[inline(always)]
    fn load(self, numbers: &[f32; 8]) -> Avx2F32x8 {
        // SAFETY: `self` proves AVX2, and `numbers` has eight.
        Avx2F32x8(unsafe { _mm256_loadu_ps(numbers.as_ptr()) })
    }

    #[inline(always)]
    fn load_partial(self, count: usize, numbers: &[f32; 8]) -> Avx2F32x8 {
        let Avx2F32x8(all) = self.load(numbers);
        // SAFETY: these instructions touch registers only, and `self` proves AVX2.
        Avx2F32x8(unsafe {
            let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
            let is_first = _mm256_cmpgt_epi32(_mm256_set1_epi32(count as i32), lanes);
            _mm256_and_ps(all, _mm256_castsi256_ps(is_first))
        })
    }

    #[inline(always)]
    fn rows(self, first: &[f32; 4], second: &[f32; 4]) -> Avx2F32x8 {
        // SAFETY: `self` proves AVX2, and both have four.
        Avx2F32x8(unsafe { fours(first.as_ptr(), second.as_ptr()) })
    }

    #[inline(always)]
    fn whole_rows(self, rows: &[[i16; 4]; 2]) -> Avx2F32x8 {
        // SAFETY: `self` proves AVX2, and `rows` has eight numbers.
        Avx2F32x8(unsafe {
            let numbers = _mm_loadu_si128(rows.as_ptr().cast());
            _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(numbers))
        })
    }

    #[inline(always)]
    fn splat_rows(self, first: f32, second: f32) -> Avx2F32x8 {
        // SAFETY: these instructions touch registers only, and `self` proves AVX2.
        Avx2F32x8(unsafe {
            let low = _mm256_castps128_ps256(_mm_set1_ps(first));
            _mm256_insertf128_ps::<1>(low, _mm_set1_ps(second))
        })
    }

    #[inline(always)]
    fn transpose<const W: usize>(self, rows: [&[f32; W]; 8]) -> [Avx2F32x8; W] {
        const { assert!(W.is_multiple_of(4), "columns are made four at a time") };
        let mut columns = [self.splat(0.0); W];
        for (k, columns) in columns.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            // SAFETY: `self` proves AVX2; the four numbers from 4k on are within a row of W.
            unsafe {
                let [a, b, c, d, e, f, g, h] = rows.map(|row| row.as_ptr().add(4 * k));
                *columns = transposed([fours(a, e), fours(b, f), fours(c, g), fours(d, h)]);
            }
        }
        columns
    }

    #[inline(always)]
    fn add_weighted(self, sums: &mut [u16; LANES], a: &[u16; LANES], b: &[u16; LANES], part: u16) {
        // SAFETY: `self` proves AVX2; `a`, `b` and `sums` have sixteen numbers of 16 bits, 32
        // bytes.
        unsafe {
            let [a, b] = [a, b].map(|lanes| _mm256_loadu_si256(lanes.as_ptr().cast()));
            let part = _mm256_set1_epi16(part.cast_signed());
            let parts = _mm256_mulhi_epu16(_mm256_adds_epu16(a, b), part);
            let sum = _mm256_loadu_si256(sums.as_ptr().cast());
            _mm256_storeu_si256(sums.as_mut_ptr().cast(), _mm256_adds_epu16(sum, parts));
        }
    }
}

/// Four numbers of one row, and of another.
#[inline(always)]
unsafe fn fours(low: *const f32, high: *const f32) -> __m256 {
    // SAFETY: the caller has AVX2, and four numbers at each.
    unsafe {
        let low = _mm256_castps128_ps256(_mm_loadu_ps(low));
        _mm256_insertf128_ps::<1>(low, _mm_loadu_ps(high))
    }
}

/// Transposes the lower halves of four rows, and the upper ones beside them.
#[inline(always)]
unsafe fn transposed([a, b, c, d]: [__m256; 4]) -> [Avx2F32x8; 4] {
    // SAFETY: these shuffles touch registers only, and the caller has AVX2.
    unsafe {
        let (ab, cd) = (_mm256_unpacklo_ps(a, b), _mm256_unpacklo_ps(c, d));
        let (ab_high, cd_high) = (_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d));
        [
            Avx2F32x8(_mm256_shuffle_ps::<0b01_00_01_00>(ab, cd)),
            Avx2F32x8(_mm256_shuffle_ps::<0b11_10_11_10>(ab, cd)),
            Avx2F32x8(_mm256_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high)),
            Avx2F32x8(_mm256_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high)),
        ]
    }
}

impl F32x8 for Avx2F32x8 {
    #[inline(always)]
    fn splat(self, number: f32) -> Avx2F32x8 {
        // SAFETY: a splat touches registers only, and `self` proves AVX2.
        Avx2F32x8(unsafe { _mm256_set1_ps(number) })
    }

    #[inline(always)]
    fn to_array(self) -> [f32; 8] {
        let mut numbers = [0.0; 8];
        // SAFETY: `self` proves AVX2, and `numbers` holds eight.
        unsafe { _mm256_storeu_ps(numbers.as_mut_ptr(), self.0) };
        numbers
    }

    #[inline(always)]
    fn map(self, of_number: impl Fn(f32) -> f32) -> Avx2F32x8 {
        let numbers = self.to_array().map(of_number);
        // SAFETY: `self` proves AVX2, and `numbers` has eight.
        Avx2F32x8(unsafe { _mm256_loadu_ps(numbers.as_ptr()) })
    }

    #[inline(always)]
    fn select_negative(self, other: Avx2F32x8) -> Avx2F32x8 {
        // SAFETY: these instructions touch registers only, and `self` proves AVX2.
        Avx2F32x8(unsafe {
            _mm256_and_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(self.0, _mm256_setzero_ps()), other.0)
        })
    }

    #[inline(always)]
    fn sqrt(self) -> Avx2F32x8 {
        // SAFETY: the root touches registers only, and `self` proves AVX2.
        Avx2F32x8(unsafe { _mm256_sqrt_ps(self.0) })
    }

    #[inline(always)]
    fn max(self, other: Avx2F32x8) -> Avx2F32x8 {
        // SAFETY: the maximum touches registers only, and `self` proves AVX2.
        Avx2F32x8(unsafe { _mm256_max_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn rotate_left(self) -> Avx2F32x8 {
        // SAFETY: a permutation touches registers only, and `self` proves AVX2.
        Avx2F32x8(unsafe { _mm256_permute_ps::<0b11_00_10_01>(self.0) })
    }

    #[inline(always)]
    fn rotate_right(self) -> Avx2F32x8 {
        // SAFETY: a permutation touches registers only, and `self` proves AVX2.
        Avx2F32x8(unsafe { _mm256_permute_ps::<0b11_01_00_10>(self.0) })
    }

    #[inline(always)]
    fn splat_fourth(self) -> Avx2F32x8 {
        // SAFETY: a permutation touches registers only, and `self` proves AVX2.
        Avx2F32x8(unsafe { _mm256_permute_ps::<0b11_11_11_11>(self.0) })
    }

    #[inline(always)]
    fn with_fourth(self, other: Avx2F32x8) -> Avx2F32x8 {
        // SAFETY: a blend touches registers only, and `self` proves AVX2.
        Avx2F32x8(unsafe { _mm256_blend_ps::<0b1000_1000>(self.0, other.0) })
    }

    #[inline(always)]
    fn add_rows(self) -> [f32; 4] {
        let mut sums = [0.0; 4];
        // SAFETY: `self` proves AVX2, and `sums` holds four.
        unsafe {
            let (first, second) =
                (_mm256_castps256_ps128(self.0), _mm256_extractf128_ps::<1>(self.0));
            _mm_storeu_ps(sums.as_mut_ptr(), _mm_add_ps(first, second));
        }
        sums
    }

    #[inline(always)]
    fn rounded(self) -> Avx2F32x8 {
        const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
        // SAFETY: rounding touches registers only, and `self` proves AVX2.
        Avx2F32x8(unsafe { _mm256_round_ps::<NEAREST>(self.0) })
    }

    #[inline(always)]
    fn to_whole_rows(self) -> [[i16; 4]; 2] {
        let mut rows = [[0; 4]; 2];
        // SAFETY: `self` proves AVX2, and each row holds the eight bytes that are stored.
        unsafe {
            let whole = _mm256_cvtps_epi32(self.0);
            let (low, high) = (_mm256_castsi256_si128(whole), _mm256_extracti128_si256::<1>(whole));
            _mm_storeu_si128(rows.as_mut_ptr().cast(), _mm_packs_epi32(low, high));
        }
        rows
    }

    #[inline(always)]
    fn mask_above(self, other: Avx2F32x8) -> u8 {
        // SAFETY: these instructions touch registers only, and `self` proves AVX2.
        unsafe { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GT_OQ>(self.0, other.0)) as u8 }
    }
}

impl Add for Avx2F32x8 {
    type Output = Avx2F32x8;

    #[inline(always)]
    fn add(self, other: Avx2F32x8) -> Avx2F32x8 {
        // SAFETY: addition touches registers only, and `self` proves AVX2.
        Avx2F32x8(unsafe { _mm256_add_ps(self.0, other.0) })
    }
}

impl AddAssign for Avx2F32x8 {
    #[inline(always)]
    fn add_assign(&mut self, other: Avx2F32x8) {
        *self = *self + other;
    }
}

impl Sub for Avx2F32x8 {
    type Output = Avx2F32x8;

    #[inline(always)]
    fn sub(self, other: Avx2F32x8) -> Avx2F32x8 {
        // SAFETY: subtraction touches registers only, and `self` proves AVX2.
        Avx2F32x8(unsafe { _mm256_sub_ps(self.0, other.0) })
    }
}

impl Mul for Avx2F32x8 {
    type Output = Avx2F32x8;

    #[inline(always)]
    fn mul(self, other: Avx2F32x8) -> Avx2F32x8 {
        // SAFETY: multiplication touches registers only, and `self` proves AVX2.
        Avx2F32x8(unsafe { _mm256_mul_ps(self.0, other.0) })
    }
}

impl Mul<f32> for Avx2F32x8 {
    type Output = Avx2F32x8;

    #[inline(always)]
    fn mul(self, number: f32) -> Avx2F32x8 {
        self * self.splat(number)
    }
}

impl Div for Avx2F32x8 {
    type Output = Avx2F32x8;

    #[inline(always)]
    fn div(self, other: Avx2F32x8) -> Avx2F32x8 {
        // SAFETY: division touches registers only, and `self` proves AVX2.
        Avx2F32x8(unsafe { _mm256_div_ps(self.0, other.0) })
    }
}
