//! Work compiled for the instruction sets of x86. No other functions of the workspace enable target
//! features.

#[cfg(feature = "f64")]
use super::baseline::{ArrayF32x8, Baseline};
use super::proof::{Avx2, Avx512};
use super::with_simd::PerIsa;
#[cfg(feature = "f64")]
use super::with_simd::Simd;
#[cfg(feature = "f64")]
use crate::Real;

/// Runs work, compiled for what [`Avx2`] proves.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn run_avx2<W: PerIsa>(avx2: Avx2, work: W, input: W::Input) -> W::Output {
    work.avx2(avx2, input)
}

/// Runs work, compiled for what [`Avx512`] proves.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn run_avx512<W: PerIsa>(avx512: Avx512, work: W, input: W::Input) -> W::Output {
    work.avx512(avx512, input)
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
    fn rows(self, first: &[Real; 4], second: &[Real; 4]) -> ArrayF32x8 {
        Baseline.rows(first, second)
    }

    #[inline(always)]
    fn whole_rows(self, rows: &[[i16; 4]; 2]) -> ArrayF32x8 {
        Baseline.whole_rows(rows)
    }

    #[inline(always)]
    fn splat_rows(self, first: Real, second: Real) -> ArrayF32x8 {
        Baseline.splat_rows(first, second)
    }

    #[inline(always)]
    fn transpose<const W: usize>(self, rows: [&[Real; W]; 8]) -> [ArrayF32x8; W] {
        Baseline.transpose(rows)
    }
}
