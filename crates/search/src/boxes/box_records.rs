//! Boxes in records that a single comparison tests, with the widest instructions of the CPU.
//!
//! Two boxes overlap if each begins before the other ends: six comparisons. With the record
//! `(min, −max)` and the query `(max, −min)` all six are record ≤ query, so that eight lanes hold a
//! box and its object, and sixteen hold two.

use hashfall_core::Real;
use hashfall_core::geometry::Aabb;
use hashfall_core::simd::Baseline;

/// Records that are tested together.
pub(crate) const GROUP: usize = 8;

/// The corners of a box side by side: the highest and the negated lowest, each padded to four
/// numbers, so that both are halves of a vector.
pub(crate) type Corners = [Real; 8];

/// The corners of a box.
#[inline(always)]
pub(crate) fn corners_of(b: &Aabb) -> Corners {
    const SIGNS: Corners = [0.0, 0.0, 0.0, 0.0, -0.0, -0.0, -0.0, 0.0];
    let ([low, high], pad) = ([b.min, b.max], Real::INFINITY);
    let corners = [high.x, high.y, high.z, pad, low.x, low.y, low.z, pad];
    // By signs, so that it is one instruction.
    std::array::from_fn(|k| Real::from_bits(corners[k].to_bits() ^ SIGNS[k].to_bits()))
}

/// A box of an object; 32 bytes in single precision.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Record {
    low: [Real; 3],
    pub object: u32,
    negated_high: [Real; 3],
    /// What the structure keeps beside.
    pub tag: u32,
}

impl Record {
    /// Overlaps nothing.
    pub const NOTHING: Record = Record {
        low: [Real::INFINITY; 3],
        object: u32::MAX,
        negated_high: [Real::INFINITY; 3],
        tag: 0,
    };

    #[inline(always)]
    pub fn new(b: &Aabb, object: u32, tag: u32) -> Self {
        let negated_high = [-b.max.x, -b.max.y, -b.max.z];
        Record { low: [b.min.x, b.min.y, b.min.z], object, negated_high, tag }
    }

    /// The highest coordinate on x \[m\].
    #[inline(always)]
    pub fn end(&self) -> Real {
        -self.negated_high[0]
    }

    /// The box.
    pub fn bounds(&self) -> Aabb {
        Aabb::new(self.low.into(), self.negated_high.map(|x| -x).into())
    }

    /// Its corners, as those of a query.
    #[inline(always)]
    pub fn corners(&self) -> Corners {
        let (low, high, pad) = (self.low, self.negated_high, Real::INFINITY);
        [-high[0], -high[1], -high[2], pad, -low[0], -low[1], -low[2], pad]
    }
}

/// Tests of boxes, on the instructions of which a value is proof.
pub(crate) trait BoxTest: Copy {
    /// The corners of a query, where the instructions want them.
    type Query: Copy;

    fn query(self, corners: &Corners) -> Self::Query;

    /// Whether a record overlaps the query; not if one of its corners is no number.
    fn overlaps(self, record: &Record, query: Self::Query) -> bool;

    /// The records among the first `count` of a group, as bits, that overlap the query, whose
    /// corners are numbers. `count` is in 1..=8; all eight are read.
    fn overlapping_records(self, group: &[Record; GROUP], count: usize, query: Self::Query) -> u32;
}

#[cfg(all(target_arch = "x86_64", not(feature = "f64")))]
pub(crate) use x86::CORNER_LANES;

impl BoxTest for Baseline {
    type Query = Corners;

    #[inline(always)]
    fn query(self, corners: &Corners) -> Corners {
        *corners
    }

    #[inline(always)]
    fn overlaps(self, record: &Record, query: Corners) -> bool {
        (0..3).fold(true, |all, a| {
            all & (record.low[a] <= query[a]) & (record.negated_high[a] <= query[a + 4])
        })
    }

    #[inline(always)]
    fn overlapping_records(self, group: &[Record; GROUP], count: usize, query: Corners) -> u32 {
        let bit = |(k, record): (usize, &Record)| u32::from(self.overlaps(record, query)) << k;
        group[..count].iter().enumerate().map(bit).sum()
    }
}

#[cfg(all(target_arch = "x86_64", not(feature = "f64")))]
mod x86 {
    use super::{BoxTest, Corners, GROUP, Record};
    use hashfall_core::simd::{Avx2, Avx512};
    use std::arch::x86_64::*;

    /// The lanes of a record that hold corners.
    pub(crate) const CORNER_LANES: i32 = 0b0111_0111;

    impl BoxTest for Avx2 {
        type Query = __m256;

        #[inline(always)]
        fn query(self, corners: &Corners) -> __m256 {
            // SAFETY: `self` proves AVX2; corners are of 32 bytes.
            unsafe { _mm256_loadu_ps(corners.as_ptr()) }
        }

        #[inline(always)]
        fn overlaps(self, record: &Record, query: __m256) -> bool {
            // SAFETY: `self` proves AVX2; a record is of 32 bytes
            // and aligned to as many.
            let lanes = unsafe {
                let record = _mm256_load_ps(std::ptr::from_ref(record).cast());
                _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LE_OQ>(record, query))
            };
            lanes & CORNER_LANES == CORNER_LANES
        }

        #[inline(always)]
        fn overlapping_records(self, group: &[Record; GROUP], count: usize, query: __m256) -> u32 {
            let [lower, upper] = group.as_chunks::<4>().0 else { return 0 };
            // SAFETY: this is AVX2, as `self` proves.
            let corners = unsafe { four_corners(lower, query) | four_corners(upper, query) << 16 };
            // Three bits in each four are a record's axes.
            let full = corners & corners >> 1 & corners >> 2;
            // SAFETY: `self` proves BMI2.
            unsafe { _pext_u32(full, 0x1111_1111) & ((1 << count) - 1) }
        }
    }

    /// For each of four records four bits: whether it begins before the query ends and ends after
    /// it begins, on each axis and on none.
    #[inline(always)]
    unsafe fn four_corners(records: &[Record; 4], query: __m256) -> u32 {
        let first = records.as_ptr().cast::<f32>();
        // SAFETY: four records are of 32 numbers, aligned as eight are; only AVX2 calls this.
        unsafe {
            let a = _mm256_cmp_ps::<_CMP_LE_OQ>(_mm256_load_ps(first), query);
            let b = _mm256_cmp_ps::<_CMP_LE_OQ>(_mm256_load_ps(first.add(8)), query);
            let c = _mm256_cmp_ps::<_CMP_LE_OQ>(_mm256_load_ps(first.add(16)), query);
            let d = _mm256_cmp_ps::<_CMP_LE_OQ>(_mm256_load_ps(first.add(24)), query);
            let ab = _mm256_packs_epi32(_mm256_castps_si256(a), _mm256_castps_si256(b));
            let cd = _mm256_packs_epi32(_mm256_castps_si256(c), _mm256_castps_si256(d));
            // The lowest corners in the lower half, the highest in the upper.
            let bits = _mm256_movemask_epi8(_mm256_packs_epi16(ab, cd)) as u32;
            bits & bits >> 16
        }
    }

    impl BoxTest for Avx512 {
        type Query = __m512;

        #[inline(always)]
        fn query(self, corners: &Corners) -> __m512 {
            // SAFETY: a broadcast touches registers only, and `self` proves AVX-512.
            unsafe { _mm512_broadcast_f32x8(self.avx2().query(corners)) }
        }

        #[inline(always)]
        fn overlaps(self, record: &Record, query: __m512) -> bool {
            // SAFETY: the cast keeps the lower half of a register, and `self` proves AVX-512.
            self.avx2().overlaps(record, unsafe { _mm512_castps512_ps256(query) })
        }

        #[inline(always)]
        fn overlapping_records(self, group: &[Record; GROUP], count: usize, query: __m512) -> u32 {
            let first = group.as_ptr().cast::<f32>();
            let pair = |k: usize| {
                // SAFETY: `self` proves AVX-512; k is below 4, so
                // the 64 bytes of a pair are among the eight records of 32 bytes.
                unsafe {
                    let records = _mm512_loadu_ps(first.add(16 * k));
                    // Not greater: the lanes of the objects may spell a NaN, and must pass.
                    u64::from(_mm512_cmp_ps_mask::<_CMP_NGT_UQ>(records, query))
                }
            };
            let lanes = match count {
                0..=2 => pair(0),
                3..=4 => pair(0) | pair(1) << 16,
                _ => pair(0) | pair(1) << 16 | pair(2) << 32 | pair(3) << 48,
            };
            full_bytes(lanes) & ((1 << count) - 1)
        }
    }

    /// The bytes with all bits set, as bits.
    #[inline(always)]
    fn full_bytes(x: u64) -> u32 {
        const TOPS: u64 = 0x8080_8080_8080_8080;
        // The seven low bits carry into the top one if they are all set.
        let full = ((x & !TOPS) + (TOPS >> 7)) & x & TOPS;
        // Gathers the top bits into the highest byte.
        ((full >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn full_bytes_are_told_from_almost_full_ones() {
            assert_eq!(full_bytes(u64::MAX), 0xff);
            assert_eq!(full_bytes(0x7fff_fe00_ff80_01ff), 0b0100_1001);
            (0..8).for_each(|k| assert_eq!(full_bytes(0xff << (8 * k)), 1 << k));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{self, Isa, LaneWork, Lanes};
    use hashfall_core::Vec3;

    struct Check;

    impl LaneWork for Check {
        type Output = ();

        fn run<L: Lanes>(self, lanes: L) {
            check(lanes);
        }
    }

    fn check(test: impl BoxTest) {
        let place = |n: u32| Vec3::new((n % 3) as Real, (n / 3 % 3) as Real, (n / 9) as Real);
        let boxes: Vec<Aabb> =
            (0..27).map(|n| Aabb::new(place(n), place(n).add_scalar(0.6))).collect();
        // Objects up to the last number, whose bits are no number's as a float.
        let records: Vec<Record> =
            boxes.iter().zip((0..27).rev()).map(|(b, n)| Record::new(b, u32::MAX - n, 7)).collect();
        for query in &boxes {
            let query = query.grown(0.4);
            for first in 0..=19 {
                let group = records[first..].first_chunk().unwrap();
                let overlaps = test.overlaps(&records[first], test.query(&corners_of(&query)));
                assert_eq!(overlaps, boxes[first].overlaps(&query));
                for count in 1..=GROUP {
                    let hits =
                        test.overlapping_records(group, count, test.query(&corners_of(&query)));
                    let wanted = |k: &usize| *k < count && boxes[first + k].overlaps(&query);
                    let wanted = (0..GROUP).filter(wanted).fold(0, |bits, k| bits | 1 << k);
                    assert_eq!(hits, wanted, "{count} from {first} on, {query:?}");
                }
            }
        }
    }

    #[test]
    fn every_instruction_set_finds_the_overlapping_records() {
        for isa in Isa::available() {
            lanes::run(isa, Check);
        }
    }
}
