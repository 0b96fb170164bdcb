//! Boxes in records that a single comparison tests, with the widest instructions of the CPU.
//!
//! Two boxes overlap if each begins before the other ends: six comparisons. With the record
//! `(min, −max)` and the query `(max, −min)` all six are record ≤ query, so that eight lanes hold a
//! box and its object, and sixteen hold two.

use super::lattice::{Corners, Lattice, Position};
use crate::base::Real;
use crate::base::isa::Baseline;
use crate::geometry::Aabb;

/// Records that are tested together.
pub(super) const GROUP: usize = 8;

/// An object in a cell; 32 bytes in single precision.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(super) struct Record {
    low: [Real; 3],
    pub object: u32,
    negated_high: [Real; 3],
    /// The axes, as bits, on which the object was entered in lower cells, too.
    pub begun_below: u32,
}

impl Record {
    /// Overlaps nothing.
    pub const NOTHING: Record = Record {
        low: [Real::INFINITY; 3],
        object: u32::MAX,
        negated_high: [Real::INFINITY; 3],
        begun_below: 0,
    };

    pub fn new(b: &Aabb, object: u32, begun_below: u32) -> Self {
        let negated_high = [-b.max.x, -b.max.y, -b.max.z];
        Record { low: [b.min.x, b.min.y, b.min.z], object, negated_high, begun_below }
    }
}

/// A way to do what queries do most, on the instructions of which a value is proof.
pub(super) trait Test: Copy {
    /// The corners of a query, where the instructions want them.
    type Query: Copy;

    fn query(self, corners: &Corners) -> Self::Query;

    /// Whether a record overlaps the query; not if one of its corners is no number.
    fn overlaps(self, record: &Record, query: Self::Query) -> bool;

    /// [`Lattice::corner_if_small`].
    fn corner_if_small(self, lattice: &Lattice, query: Self::Query) -> Option<Position>;

    /// The records among the first `count` of a group, as bits, that overlap the query, whose
    /// corners are numbers. `count` is in 1..=8.
    fn overlapping(self, group: &[Record; GROUP], count: usize, query: Self::Query) -> u32;
}

impl Test for Baseline {
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
    fn corner_if_small(self, lattice: &Lattice, query: Corners) -> Option<Position> {
        lattice.corner_if_small(&query)
    }

    #[inline(always)]
    fn overlapping(self, group: &[Record; GROUP], count: usize, query: Corners) -> u32 {
        let bit = |(k, record): (usize, &Record)| u32::from(self.overlaps(record, query)) << k;
        group[..count].iter().enumerate().map(bit).sum()
    }
}

#[cfg(all(target_arch = "x86_64", not(feature = "f64")))]
mod x86 {
    use super::super::lattice::BEYOND;
    use super::{Corners, GROUP, Lattice, Position, Record, Test};
    use crate::base::isa::x86::{Avx2, Avx512};
    use std::arch::x86_64::*;

    /// The lanes of a record that hold corners.
    const CORNER_LANES: i32 = 0b0111_0111;

    impl Test for Avx2 {
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
        fn corner_if_small(self, lattice: &Lattice, query: __m256) -> Option<Position> {
            // SAFETY: `self` proves AVX2; arrays are of 32 bytes.
            let (low, is_large) = unsafe {
                let load = |lanes: &Corners| _mm256_loadu_ps(lanes.as_ptr());
                let from_origin = _mm256_sub_ps(query, load(&lattice.origin));
                let cells = _mm256_mul_ps(from_origin, load(&lattice.scale));
                let cells = _mm256_max_ps(cells, _mm256_setzero_ps());
                let cells = _mm256_min_ps(cells, load(&lattice.last));
                let beyond = _mm256_set1_ps(BEYOND);
                let bits = _mm256_castps_si256(_mm256_add_ps(cells, beyond));
                let positions = _mm256_sub_epi32(bits, _mm256_castps_si256(beyond));
                let low = _mm256_extracti128_si256::<1>(positions);
                let cells = _mm_sub_epi32(_mm256_castsi256_si128(positions), low);
                let over = _mm_cmpgt_epi32(cells, _mm_set1_epi32(lattice.reach as i32));
                // The highest corner and the negated lowest: their sum is below 0 in empty boxes.
                let high = _mm256_castps256_ps128(query);
                let edges = _mm_add_ps(high, _mm256_extractf128_ps::<1>(query));
                let empty = _mm_cmplt_ps(edges, _mm_setzero_ps());
                let axes = _mm_movemask_ps(_mm_or_ps(_mm_castsi128_ps(over), empty));
                let x = _mm_extract_epi32::<0>(low) as u32;
                let y = _mm_extract_epi32::<1>(low) as u32;
                let z = _mm_extract_epi32::<2>(low) as u32;
                ([x, y, z], axes & CORNER_LANES != 0)
            };
            (!is_large).then_some(low)
        }

        #[inline(always)]
        fn overlapping(self, group: &[Record; GROUP], count: usize, query: __m256) -> u32 {
            let bit = |(k, record): (usize, &Record)| u32::from(self.overlaps(record, query)) << k;
            group[..count].iter().enumerate().map(bit).sum()
        }
    }

    impl Test for Avx512 {
        type Query = __m512;

        #[inline(always)]
        fn query(self, corners: &Corners) -> __m512 {
            // SAFETY: `self` proves AVX-512.
            unsafe { _mm512_broadcast_f32x8(self.avx2().query(corners)) }
        }

        #[inline(always)]
        fn overlaps(self, record: &Record, query: __m512) -> bool {
            // SAFETY: `self` proves AVX-512.
            self.avx2().overlaps(record, unsafe { _mm512_castps512_ps256(query) })
        }

        #[inline(always)]
        fn corner_if_small(self, lattice: &Lattice, query: __m512) -> Option<Position> {
            // SAFETY: `self` proves AVX-512.
            self.avx2().corner_if_small(lattice, unsafe { _mm512_castps512_ps256(query) })
        }

        #[inline(always)]
        fn overlapping(self, group: &[Record; GROUP], count: usize, query: __m512) -> u32 {
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

    /// The bytes, as bits, whose bits are all set.
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
    use super::super::lattice::corners_of;
    use super::*;
    use crate::base::Vec3;
    use crate::base::isa::Isa;

    fn check(test: impl Test) {
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
                    let hits = test.overlapping(group, count, test.query(&corners_of(&query)));
                    let wanted = |k: &usize| *k < count && boxes[first + k].overlaps(&query);
                    let wanted = (0..GROUP).filter(wanted).fold(0, |bits, k| bits | 1 << k);
                    assert_eq!(hits, wanted, "{count} from {first} on, {query:?}");
                }
            }
        }
    }

    /// All instruction sets agree on cells: objects may be entered by one and sought by another.
    fn check_cells(test: impl Test) {
        let bounds = Aabb::new(Vec3::new(-1.0, 3.0, 0.0), Vec3::new(7.3, 9.1, 0.0));
        let lattice = Lattice::new(&bounds, 0.01);
        let mut small = 0;
        for n in 0..2000_i32 {
            let low = Vec3::new(-2.0, 2.0, -0.3).add_scalar(n as Real * 7e-3);
            let query = Aabb::new(low, low.add_scalar((n % 90 - 9) as Real * 1e-3));
            let corners = corners_of(&query);
            let corner = test.corner_if_small(&lattice, test.query(&corners));
            assert_eq!(corner, lattice.corner_if_small(&corners));
            assert!(corner.is_none() || !query.is_empty());
            small += usize::from(corner.is_some());
        }
        assert!((600..1800).contains(&small), "{small} are small");
    }

    #[test]
    fn every_instruction_set_finds_the_overlapping_records_and_the_same_cells() {
        for isa in Isa::available() {
            match isa {
                #[cfg(all(target_arch = "x86_64", not(feature = "f64")))]
                Isa::Avx2(avx2) => {
                    check(avx2);
                    check_cells(avx2);
                }
                #[cfg(all(target_arch = "x86_64", not(feature = "f64")))]
                Isa::Avx512(avx512) => {
                    check(avx512);
                    check_cells(avx512);
                }
                _ => {
                    check(Baseline);
                    check_cells(Baseline);
                }
            }
        }
    }
}
