//! Compiling a loop for the instruction sets of x86.

#[cfg(feature = "f64")]
use super::{ArrayF32x8, Baseline};
use super::{LANES, Simd, WithSimd};
use crate::Real;

/// Proof that this CPU has AVX2, with BMI and POPCNT.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

/// Proof that this CPU has AVX-512 F, BW, DQ and VL, and what [`Avx2`] proves.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

impl Avx2 {
    pub(super) fn detect() -> Option<Self> {
        let has_it = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has_it.then_some(Avx2(()))
    }

    /// Runs a loop compiled for these instructions.
    #[inline]
    pub fn run<W: WithSimd>(self, work: W) -> W::Output {
        // SAFETY: this value is only made where the CPU has AVX2.
        unsafe { run_avx2(self, work) }
    }
}

impl Avx512 {
    pub(super) fn detect() -> Option<Self> {
        let has_it = Avx2::detect().is_some()
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        has_it.then_some(Avx512(()))
    }

    /// AVX2, which CPUs with AVX-512 have, too.
    #[inline(always)]
    pub fn avx2(self) -> Avx2 {
        Avx2(())
    }

    /// Runs a loop compiled for these instructions.
    #[inline]
    pub fn run<W: WithSimd>(self, work: W) -> W::Output {
        // SAFETY: this value is only made where the CPU has AVX-512.
        unsafe { run_avx512(self, work) }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_avx2<W: WithSimd>(avx2: Avx2, work: W) -> W::Output {
    work.run(avx2)
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_avx512<W: WithSimd>(avx512: Avx512, work: W) -> W::Output {
    work.run(avx512)
}

impl Simd for Avx512 {
    type F32x8 = <Avx2 as Simd>::F32x8;

    #[inline(always)]
    fn splat(self, number: Real) -> Self::F32x8 {
        self.avx2().splat(number)
    }

    #[inline(always)]
    fn load(self, numbers: &[Real; 8]) -> Self::F32x8 {
        self.avx2().load(numbers)
    }

    #[inline(always)]
    fn load_partial(self, count: usize, numbers: &[Real; 8]) -> Self::F32x8 {
        self.avx2().load_partial(count, numbers)
    }

    #[inline(always)]
    fn transpose<const W: usize>(self, rows: [&[Real; W]; 8]) -> [Self::F32x8; W] {
        self.avx2().transpose(rows)
    }

    #[inline(always)]
    fn add_weighted(self, sums: &mut [u16; LANES], a: &[u16; LANES], b: &[u16; LANES], part: u16) {
        self.avx2().add_weighted(sums, a, b, part);
    }
}

/// Numbers of double precision are left to the compiler.
#[cfg(feature = "f64")]
impl Simd for Avx2 {
    type F32x8 = ArrayF32x8;

    #[inline(always)]
    fn splat(self, number: Real) -> ArrayF32x8 {
        Baseline.splat(number)
    }

    #[inline(always)]
    fn load(self, numbers: &[Real; 8]) -> ArrayF32x8 {
        Baseline.load(numbers)
    }

    #[inline(always)]
    fn load_partial(self, count: usize, numbers: &[Real; 8]) -> ArrayF32x8 {
        Baseline.load_partial(count, numbers)
    }

    #[inline(always)]
    fn transpose<const W: usize>(self, rows: [&[Real; W]; 8]) -> [ArrayF32x8; W] {
        Baseline.transpose(rows)
    }
}
