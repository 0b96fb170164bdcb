//! Running work on the lanes of an instruction set.

use super::contract::LaneWork;
#[cfg(target_arch = "x86_64")]
use hashfall_core::simd::{Avx2, Avx512};
use hashfall_core::simd::{Baseline, Isa, PerIsa};

/// Runs work on the lanes of an instruction set.
#[inline]
pub(crate) fn run<W: LaneWork>(isa: Isa, work: W) -> W::Output {
    isa.dispatch(OnLanes(work), ())
}

/// Work on the lanes of the instruction set that it is compiled for; on arrays in double precision.
struct OnLanes<W>(W);

impl<W: LaneWork> PerIsa for OnLanes<W> {
    const USES_AVX512: bool = true;
    type Input = ();
    type Output = W::Output;

    #[inline(always)]
    fn baseline(self, (): ()) -> Self::Output {
        self.0.run(Baseline)
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn avx2(self, avx2: Avx2, (): ()) -> Self::Output {
        #[cfg(feature = "f64")]
        let (avx2, _) = (Baseline, avx2);
        self.0.run(avx2)
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn avx512(self, avx512: Avx512, (): ()) -> Self::Output {
        #[cfg(feature = "f64")]
        let (avx512, _) = (Baseline, avx512);
        self.0.run(avx512)
    }
}
