//! The contracts of the dispatcher: loops that are compiled for every instruction set, and what
//! they may ask of it.

use super::f32x8::F32x8;
use super::lanes::LANES;
#[cfg(target_arch = "x86_64")]
use super::proof::{Avx2, Avx512};
use crate::Real;

/// A loop that is compiled for every instruction set.
pub trait WithSimd {
    /// What it gives back.
    type Output;

    /// The loop, which must be `#[inline(always)]`, and so must be what it calls: only what is
    /// inlined is compiled for the instruction set.
    fn run<I: Simd>(self, simd: I) -> Self::Output;
}

/// What compilers do not find by themselves. A value proves that the CPU has the instructions.
pub trait Simd: Copy {
    /// Eight numbers in a register.
    type F32x8: F32x8;

    /// The same number eight times.
    fn splat(self, number: Real) -> Self::F32x8;

    /// Eight numbers from memory.
    fn load(self, numbers: &[Real; 8]) -> Self::F32x8;

    /// The first `count` of eight numbers from memory, at most all, and zeros.
    fn load_partial(self, count: usize, numbers: &[Real; 8]) -> Self::F32x8;

    /// Two rows of four numbers from memory, side by side.
    fn rows(self, first: &[Real; 4], second: &[Real; 4]) -> Self::F32x8;

    /// Two rows of four whole numbers from memory, side by side.
    fn whole_rows(self, rows: &[[i16; 4]; 2]) -> Self::F32x8;

    /// One number four times, then the other four times.
    fn splat_rows(self, first: Real, second: Real) -> Self::F32x8;

    /// Eight rows of `W`, a multiple of four, as columns.
    fn transpose<const W: usize>(self, rows: [&[Real; W]; 8]) -> [Self::F32x8; W];

    /// Adds (a + b) · part / 2¹⁶, rounded down, to each of sixteen sums. What is too large for a
    /// number becomes the largest.
    #[inline(always)]
    fn add_weighted(self, sums: &mut [u16; LANES], a: &[u16; LANES], b: &[u16; LANES], part: u16) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            let parts = (u32::from(a.saturating_add(*b)) * u32::from(part)) >> 16;
            *sum = sum.saturating_add(parts as u16);
        }
    }
}

/// Work that is compiled for every instruction set and is told which by the type of the proof: the
/// form of [`WithSimd`] for crates that bring instructions of their own. All functions must be
/// `#[inline(always)]`.
pub trait PerIsa: Sized {
    /// Whether the work has a form for AVX-512. Loops that only compilers widen gain nothing from a
    /// copy of their own: they run as on AVX2.
    const USES_AVX512: bool = false;

    /// What is handed over beside the work: two words each go in registers, more through memory.
    type Input;

    /// What it gives back.
    type Output;

    /// The work, for any CPU of the architecture.
    fn baseline(self, input: Self::Input) -> Self::Output;

    /// The work, compiled for AVX2.
    #[cfg(target_arch = "x86_64")]
    fn avx2(self, avx2: Avx2, input: Self::Input) -> Self::Output;

    /// The work, compiled for AVX-512, if it [has such a form](PerIsa::USES_AVX512).
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn avx512(self, avx512: Avx512, input: Self::Input) -> Self::Output {
        self.avx2(avx512.avx2(), input)
    }
}
