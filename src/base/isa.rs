//! The widest instructions that a CPU has, chosen at run time: one portable program runs fast
//! everywhere.
//!
//! Hot loops are written once, over arrays of [`LANES`] numbers, and compiled for each instruction
//! set ([`Isa::run`]). They add, multiply, divide and take roots, each rounded on its own, and sum
//! lanes by one fixed tree: every instruction set gives the same bits. (Fused multiply-add would
//! round once less, but only on CPUs that have it; on others it is a call that takes as long as a
//! whole neighbour.)

use super::Real;
use std::sync::OnceLock;

/// Numbers that hot loops treat together.
pub const LANES: usize = 16;

/// Instructions beyond those of every CPU of the architecture; those include NEON on 64-bit ARM.
/// Each but the baseline holds a proof, made here alone, that this CPU has them.
#[derive(Clone, Copy, Debug)]
pub enum Isa {
    /// No more than the architecture promises.
    Baseline,
    /// AVX2, with BMI and POPCNT.
    #[cfg(target_arch = "x86_64")]
    Avx2(x86::Avx2),
    /// AVX-512 F, BW, DQ and VL.
    #[cfg(target_arch = "x86_64")]
    Avx512(x86::Avx512),
}

impl Isa {
    /// The best of this CPU.
    pub fn of_this_cpu() -> Isa {
        static BEST: OnceLock<Isa> = OnceLock::new();
        *BEST.get_or_init(|| *Isa::available().last().unwrap_or(&Isa::Baseline))
    }

    /// All that this CPU has, the best last.
    pub fn available() -> Vec<Isa> {
        #[allow(unused_mut, reason = "there are no others on this target")]
        let mut found = vec![Isa::Baseline];
        #[cfg(target_arch = "x86_64")]
        {
            found.extend(x86::Avx2::detect().map(Isa::Avx2));
            found.extend(x86::Avx512::detect().map(Isa::Avx512));
        }
        found
    }

    /// Runs a loop compiled for these instructions.
    #[inline]
    pub fn run<W: HotLoop>(self, work: W) -> W::Answer {
        match self {
            Isa::Baseline => work.run(Baseline),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2(avx2) => avx2.run(work),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512(avx512) => avx512.run(work),
        }
    }
}

/// A loop that is compiled for every instruction set.
pub trait HotLoop {
    /// What it gives back.
    type Answer;

    /// The loop, which must be `#[inline(always)]`, and so must be what it calls: only what is
    /// inlined is compiled for the instruction set.
    fn run<I: Instructions>(self, instructions: I) -> Self::Answer;
}

/// What compilers do not find by themselves. A value proves that the CPU has the instructions.
pub trait Instructions: Copy {
    /// Eight rows of eight, as columns.
    fn transpose(self, rows: [&[Real; 8]; 8]) -> [[Real; 8]; 8];
}

/// The instructions of every CPU of the architecture.
#[derive(Clone, Copy, Debug)]
pub struct Baseline;

impl Instructions for Baseline {
    #[inline(always)]
    fn transpose(self, rows: [&[Real; 8]; 8]) -> [[Real; 8]; 8] {
        std::array::from_fn(|column| rows.map(|row| row[column]))
    }
}

/// Adds a power of two of lanes as a fixed tree: halves onto each other.
#[inline(always)]
pub fn sum_lanes<const N: usize>(lanes: [Real; N]) -> Real {
    let mut sums = lanes;
    let mut half = N / 2;
    while half > 0 {
        for l in 0..half {
            sums[l] += sums[l + half];
        }
        half /= 2;
    }
    sums[0]
}

/// Compiling a loop for the instruction sets of x86.
#[cfg(target_arch = "x86_64")]
pub mod x86 {
    use super::{HotLoop, Instructions};
    use crate::base::Real;
    #[cfg(not(feature = "f64"))]
    use std::arch::x86_64::*;

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
        pub fn run<W: HotLoop>(self, work: W) -> W::Answer {
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
        pub fn run<W: HotLoop>(self, work: W) -> W::Answer {
            // SAFETY: this value is only made where the CPU has AVX-512.
            unsafe { run_avx512(self, work) }
        }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn run_avx2<W: HotLoop>(avx2: Avx2, work: W) -> W::Answer {
        work.run(avx2)
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn run_avx512<W: HotLoop>(avx512: Avx512, work: W) -> W::Answer {
        work.run(avx512)
    }

    impl Instructions for Avx512 {
        #[inline(always)]
        fn transpose(self, rows: [&[Real; 8]; 8]) -> [[Real; 8]; 8] {
            self.avx2().transpose(rows)
        }
    }

    impl Instructions for Avx2 {
        #[cfg(feature = "f64")]
        #[inline(always)]
        fn transpose(self, rows: [&[Real; 8]; 8]) -> [[Real; 8]; 8] {
            super::Baseline.transpose(rows)
        }

        #[cfg(not(feature = "f64"))]
        #[inline(always)]
        fn transpose(self, rows: [&[Real; 8]; 8]) -> [[Real; 8]; 8] {
            let [a, b, c, d, e, f, g, h] = rows;
            let mut columns = [[0.0; 8]; 8];
            // SAFETY: this value is only made where the CPU has AVX2.
            unsafe {
                let upper = fours(a, b, c, d);
                let lower = fours(e, f, g, h);
                for k in 0..4 {
                    let low = _mm256_permute2f128_ps::<0x20>(upper[k], lower[k]);
                    let high = _mm256_permute2f128_ps::<0x31>(upper[k], lower[k]);
                    _mm256_storeu_ps(columns[k].as_mut_ptr(), low);
                    _mm256_storeu_ps(columns[k + 4].as_mut_ptr(), high);
                }
            }
            columns
        }
    }

    /// Four rows of eight, as columns: 0 to 3 in the lower halves, 4 to 7 in the upper.
    #[cfg(not(feature = "f64"))]
    #[inline(always)]
    unsafe fn fours(a: &[f32; 8], b: &[f32; 8], c: &[f32; 8], d: &[f32; 8]) -> [__m256; 4] {
        // SAFETY: rows are eight numbers; the caller has AVX2.
        unsafe {
            let (a, b) = (_mm256_loadu_ps(a.as_ptr()), _mm256_loadu_ps(b.as_ptr()));
            let (c, d) = (_mm256_loadu_ps(c.as_ptr()), _mm256_loadu_ps(d.as_ptr()));
            let (ab, cd) = (_mm256_unpacklo_ps(a, b), _mm256_unpacklo_ps(c, d));
            let (ab_high, cd_high) = (_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d));
            [
                _mm256_shuffle_ps::<0b01_00_01_00>(ab, cd),
                _mm256_shuffle_ps::<0b11_10_11_10>(ab, cd),
                _mm256_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
                _mm256_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
            ]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums, products, quotients and roots that need every bit.
    #[derive(Clone, Copy)]
    struct Roots([Real; LANES]);

    impl HotLoop for Roots {
        type Answer = Real;

        #[inline(always)]
        fn run<I: Instructions>(self, _: I) -> Real {
            let Roots(x) = self;
            let mut sums = [0.0; LANES];
            for _ in 0..100 {
                for l in 0..LANES {
                    sums[l] += (x[l] * x[l] + sums[l]).sqrt() / (1.0 + x[l]);
                }
            }
            sum_lanes(sums)
        }
    }

    #[test]
    fn every_instruction_set_gives_the_same_bits() {
        let roots = Roots(std::array::from_fn(|l| 1.0 / (l as Real + 1.0)));
        let wanted = roots.run(Baseline).to_bits();
        for isa in Isa::available() {
            assert_eq!(isa.run(roots).to_bits(), wanted, "{isa:?}");
        }
    }

    struct Transpose([[Real; 8]; 8]);

    impl HotLoop for Transpose {
        type Answer = [[Real; 8]; 8];

        #[inline(always)]
        fn run<I: Instructions>(self, instructions: I) -> [[Real; 8]; 8] {
            instructions.transpose(self.0.each_ref())
        }
    }

    #[test]
    fn every_instruction_set_turns_rows_into_columns() {
        for isa in Isa::available() {
            let rows = std::array::from_fn(|r| std::array::from_fn(|c| (10 * r + c) as Real));
            let columns = isa.run(Transpose(rows));
            for (r, c) in (0..64).map(|k| (k / 8, k % 8)) {
                assert_eq!(columns[c][r], rows[r][c], "{isa:?}");
            }
        }
    }

    #[test]
    fn lanes_add_up() {
        assert_eq!(sum_lanes::<LANES>(std::array::from_fn(|l| l as Real)), 120.0);
    }
}
