//! The cell that a query looks into, told with the widest instructions of the CPU.

use super::lattice::{Lattice, Position};
use crate::boxes::box_records::{BoxTest, Corners};
use crate::lanes::Lanes;
#[cfg(target_arch = "x86_64")]
use hashfall_core::simd::{Avx2, Avx512};
use hashfall_core::simd::{Baseline, Isa, PerIsa};
use std::marker::PhantomData;

/// Tests of boxes, and of their size.
pub(crate) trait Test: BoxTest {
    /// Tests of sixteen boxes on the same instructions.
    type Lanes: Lanes;

    fn lanes(self) -> Self::Lanes;

    /// Takes note of the tests of this number of boxes.
    fn note(self, _tests: usize) {}

    /// [`Lattice::corner`].
    fn corner(self, lattice: &Lattice, query: Self::Query) -> (Position, bool);
}

/// Queries that are compiled for every instruction set; they and what they call must be
/// `#[inline(always)]`. What visits is the input, handed over beside the rest: all in registers.
pub(crate) trait Search<V> {
    /// What it gives back.
    type Output;

    fn run<T: Test>(self, test: T, visit: V) -> Self::Output;
}

/// Runs queries compiled for these instructions.
#[inline(always)]
pub(crate) fn run<W: Search<V>, V>(isa: Isa, search: W, visit: V) -> W::Output {
    isa.dispatch(WithTest(search, PhantomData), visit)
}

/// Queries with the test of the instruction set that they are compiled for; the plain one in double
/// precision.
struct WithTest<W, V>(W, PhantomData<V>);

impl<W: Search<V>, V> PerIsa for WithTest<W, V> {
    const USES_AVX512: bool = true;
    type Input = V;
    type Output = W::Output;

    #[inline(always)]
    fn baseline(self, visit: V) -> Self::Output {
        self.0.run(Baseline, visit)
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn avx2(self, avx2: Avx2, visit: V) -> Self::Output {
        #[cfg(feature = "f64")]
        let (avx2, _) = (Baseline, avx2);
        self.0.run(avx2, visit)
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn avx512(self, avx512: Avx512, visit: V) -> Self::Output {
        #[cfg(feature = "f64")]
        let (avx512, _) = (Baseline, avx512);
        self.0.run(avx512, visit)
    }
}

impl Test for Baseline {
    type Lanes = Baseline;

    #[inline(always)]
    fn lanes(self) -> Baseline {
        self
    }

    #[inline(always)]
    fn corner(self, lattice: &Lattice, query: Corners) -> (Position, bool) {
        lattice.corner(&query)
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
        type Lanes = Avx2;

        #[inline(always)]
        fn lanes(self) -> Avx2 {
            self
        }

        #[inline(always)]
        fn corner(self, lattice: &Lattice, query: __m256) -> (Position, bool) {
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
            (low, !is_large)
        }
    }

    impl Test for Avx512 {
        type Lanes = Avx512;

        #[inline(always)]
        fn lanes(self) -> Avx512 {
            self
        }

        #[inline(always)]
        fn corner(self, lattice: &Lattice, query: __m512) -> (Position, bool) {
            // SAFETY: the cast keeps the lower half of a register, and `self` proves AVX-512.
            self.avx2().corner(lattice, unsafe { _mm512_castps512_ps256(query) })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boxes::box_records::corners_of;
    use hashfall_core::geometry::Aabb;
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
            let corner = test.corner(&lattice, test.query(&corners));
            assert_eq!(corner, lattice.corner(&corners));
            assert!(!corner.1 || !query.is_empty());
            small += usize::from(corner.1);
        }
        assert!((600..1800).contains(&small), "{small} are small");
    }

    struct CheckCells;

    impl Search<()> for CheckCells {
        type Output = ();

        fn run<T: Test>(self, test: T, (): ()) {
            check_cells(test);
        }
    }

    #[test]
    fn every_instruction_set_finds_the_same_cells() {
        for isa in Isa::available() {
            run(isa, CheckCells, ());
        }
    }
}
