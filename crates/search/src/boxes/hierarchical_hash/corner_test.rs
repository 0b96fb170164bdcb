//! The cell that a query looks into, told with the widest instructions of the CPU.

use super::lattice::{Lattice, Position};
use crate::boxes::box_records::{BoxTest, Corners};
use hashfall_core::simd::Baseline;

/// Tests of boxes, and of their size.
pub(crate) trait Test: BoxTest {
    /// [`Lattice::corner_if_small`].
    fn corner_if_small(self, lattice: &Lattice, query: Self::Query) -> Option<Position>;
}

impl Test for Baseline {
    #[inline(always)]
    fn corner_if_small(self, lattice: &Lattice, query: Corners) -> Option<Position> {
        lattice.corner_if_small(&query)
    }
}

#[cfg(all(target_arch = "x86_64", not(feature = "f64")))]
mod x86 {
    use super::super::lattice::BEYOND;
    use super::{Corners, Lattice, Position, Test};
    use crate::boxes::box_records::CORNER_LANES;
    use hashfall_core::simd::{Avx2, Avx512};
    use std::arch::x86_64::*;

    impl Test for Avx2 {
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
    }

    impl Test for Avx512 {
        #[inline(always)]
        fn corner_if_small(self, lattice: &Lattice, query: __m512) -> Option<Position> {
            // SAFETY: the cast keeps the lower half of a register, and `self` proves AVX-512.
            self.avx2().corner_if_small(lattice, unsafe { _mm512_castps512_ps256(query) })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boxes::box_records::corners_of;
    use hashfall_core::geometry::Aabb;
    #[cfg(target_arch = "x86_64")]
    use hashfall_core::simd::{Avx2, Avx512};
    use hashfall_core::simd::{Isa, PerIsa};
    use hashfall_core::{Real, Vec3};

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

    struct CheckCells;

    impl PerIsa for CheckCells {
        const USES_AVX512: bool = true;
        type Input = ();
        type Output = ();

        fn baseline(self, (): ()) -> Self::Output {
            check_cells(Baseline)
        }

        #[cfg(target_arch = "x86_64")]
        fn avx2(self, avx2: Avx2, (): ()) -> Self::Output {
            #[cfg(feature = "f64")]
            let (avx2, _) = (Baseline, avx2);
            check_cells(avx2)
        }

        #[cfg(target_arch = "x86_64")]
        fn avx512(self, avx512: Avx512, (): ()) -> Self::Output {
            #[cfg(feature = "f64")]
            let (avx512, _) = (Baseline, avx512);
            check_cells(avx512)
        }
    }

    #[test]
    fn every_instruction_set_finds_the_same_cells() {
        for isa in Isa::available() {
            isa.dispatch(CheckCells, ());
        }
    }
}
