//! Boxes in records that a single comparison tests, with the instructions that the machine has.
//!
//! Two boxes overlap if each begins before the other ends: six comparisons. With the record
//! `(min, −max)` and the query `(max, −min)` all six are record ≤ query, so that eight lanes hold a
//! box and its object, and sixteen hold two.

use super::lattice::Corners;
use crate::base::Real;
use crate::geometry::Aabb;

/// Records that are tested together.
pub(super) const GROUP: usize = 8;

/// An object in a cell; 32 bytes in single precision.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(super) struct Record {
    /// The lowest corner, then the negated highest.
    lanes: [Real; 6],
    pub object: u32,
    /// The axes, as bits, on which the object was entered in lower cells, too.
    pub begun_below: u32,
}

impl Record {
    /// Overlaps nothing.
    pub const NOTHING: Record =
        Record { lanes: [Real::INFINITY; 6], object: u32::MAX, begun_below: 0 };

    pub fn new(b: &Aabb, object: u32, begun_below: u32) -> Self {
        let [low, high] = [b.min, b.max];
        let lanes = [low.x, low.y, low.z, -high.x, -high.y, -high.z];
        Record { lanes, object, begun_below }
    }

    /// Whether the box overlaps the one with these corners; not if one of those is no number.
    #[inline(always)]
    pub fn overlaps(&self, corners: &Corners) -> bool {
        (0..6).fold(true, |all, k| all & (self.lanes[k] <= corners[k]))
    }
}

/// A way to test a group of records.
pub(super) trait Test: Copy {
    /// The records among the first `count` of a group, as bits, that overlap the box with these
    /// corners, which are numbers. `count` is in 1..=8.
    fn overlapping(self, group: &[Record; GROUP], count: usize, corners: &Corners) -> u32;
}

/// The instructions that any machine has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable;

impl Test for Portable {
    #[inline(always)]
    fn overlapping(self, group: &[Record; GROUP], count: usize, corners: &Corners) -> u32 {
        let bit = |(k, record): (usize, &Record)| u32::from(record.overlaps(corners)) << k;
        group[..count].iter().enumerate().map(bit).sum()
    }
}

#[cfg(all(target_arch = "x86_64", not(feature = "f64")))]
pub(super) use x86::{Avx2, Avx512};

#[cfg(all(target_arch = "x86_64", not(feature = "f64")))]
mod x86 {
    use super::{Corners, GROUP, Record, Test};
    use std::arch::x86_64::*;

    /// Proof that the machine has AVX2.
    #[derive(Clone, Copy, Debug)]
    pub(in super::super) struct Avx2(());

    /// Proof that the machine has AVX-512 (F, VL, BW, DQ).
    #[derive(Clone, Copy, Debug)]
    pub(in super::super) struct Avx512(());

    impl Avx2 {
        pub fn detect() -> Option<Self> {
            let has = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt");
            has.then_some(Avx2(()))
        }
    }

    impl Avx512 {
        pub fn detect() -> Option<Self> {
            let has = Avx2::detect().is_some()
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq");
            has.then_some(Avx512(()))
        }
    }

    impl Test for Avx2 {
        #[inline(always)]
        fn overlapping(self, group: &[Record; GROUP], count: usize, corners: &Corners) -> u32 {
            // SAFETY: the machine has AVX2, or there would be no `self`. Each load reads 32 bytes:
            // the corners are so large, and so is a record.
            unsafe {
                let query = _mm256_loadu_ps(corners.as_ptr());
                let mut hits = 0;
                for (k, record) in group[..count].iter().enumerate() {
                    let record = _mm256_load_ps(std::ptr::from_ref(record).cast());
                    // Not greater: the lanes of the object may spell a NaN, and must pass.
                    let lanes = _mm256_cmp_ps::<_CMP_NGT_UQ>(record, query);
                    hits |= u32::from(_mm256_movemask_ps(lanes) == 0xff) << k;
                }
                hits
            }
        }
    }

    impl Test for Avx512 {
        #[inline(always)]
        fn overlapping(self, group: &[Record; GROUP], count: usize, corners: &Corners) -> u32 {
            // SAFETY: the machine has AVX-512, or there would be no `self`. The load of the corners
            // reads their 32 bytes; the others read 64 bytes at the pairs 0..4 of eight records of
            // 32 bytes.
            let lanes_of_pairs = unsafe {
                let query = _mm512_broadcast_f32x8(_mm256_loadu_ps(corners.as_ptr()));
                let first = group.as_ptr().cast::<f32>();
                let pair = |k: usize| {
                    let records = _mm512_loadu_ps(first.add(16 * k));
                    // Not greater: the lanes of the objects may spell a NaN, and must pass.
                    u64::from(_mm512_cmp_ps_mask::<_CMP_NGT_UQ>(records, query))
                };
                match count {
                    0..=2 => pair(0),
                    3..=4 => pair(0) | pair(1) << 16,
                    _ => pair(0) | pair(1) << 16 | pair(2) << 32 | pair(3) << 48,
                }
            };
            full_bytes(lanes_of_pairs) & ((1 << count) - 1)
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
                for count in 1..=GROUP {
                    let hits = test.overlapping(group, count, &corners_of(&query));
                    let wanted = |k: &usize| *k < count && boxes[first + k].overlaps(&query);
                    let wanted = (0..GROUP).filter(wanted).fold(0, |bits, k| bits | 1 << k);
                    assert_eq!(hits, wanted, "{count} from {first} on, {query:?}");
                }
            }
        }
    }

    #[test]
    fn every_machine_finds_the_overlapping_records() {
        check(Portable);
        #[cfg(all(target_arch = "x86_64", not(feature = "f64")))]
        {
            Avx2::detect().into_iter().for_each(check);
            Avx512::detect().into_iter().for_each(check);
        }
    }
}
