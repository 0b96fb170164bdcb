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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isa {
    /// No more than the architecture promises.
    Baseline,
    /// AVX2, with BMI and POPCNT.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX-512 F, BW, DQ and VL.
    #[cfg(target_arch = "x86_64")]
    Avx512,
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
        if x86::has_avx2() {
            found.push(Isa::Avx2);
            if x86::has_avx512() {
                found.push(Isa::Avx512);
            }
        }
        found
    }

    /// Runs a loop compiled for these instructions, which this CPU has.
    #[inline]
    pub fn run<W: HotLoop>(self, work: W) -> W::Answer {
        match self {
            Isa::Baseline => work.run(),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: no Isa is made but for this CPU.
            Isa::Avx2 => unsafe { x86::run_avx2(work) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Isa::Avx512 => unsafe { x86::run_avx512(work) },
        }
    }
}

/// A loop that is compiled for every instruction set.
pub trait HotLoop {
    /// What it gives back.
    type Answer;

    /// The loop, which must be `#[inline(always)]`, and so must be what it calls: only what is
    /// inlined is compiled for the instruction set.
    fn run(self) -> Self::Answer;
}

/// Adds lanes as a fixed tree: halves onto each other.
#[inline(always)]
pub fn sum_lanes(lanes: [Real; LANES]) -> Real {
    let mut sums = lanes;
    let mut half = LANES / 2;
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
    use super::HotLoop;

    pub(super) fn has_avx2() -> bool {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    }

    pub(super) fn has_avx512() -> bool {
        is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
    }

    /// Runs a loop compiled for [`super::Isa::Avx2`].
    ///
    /// # Safety
    /// The CPU has these features.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub unsafe fn run_avx2<W: HotLoop>(work: W) -> W::Answer {
        work.run()
    }

    /// Runs a loop compiled for [`super::Isa::Avx512`].
    ///
    /// # Safety
    /// The CPU has these features.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub unsafe fn run_avx512<W: HotLoop>(work: W) -> W::Answer {
        work.run()
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
        fn run(self) -> Real {
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
        let wanted = roots.run().to_bits();
        for isa in Isa::available() {
            assert_eq!(isa.run(roots).to_bits(), wanted, "{isa:?}");
        }
    }

    #[test]
    fn lanes_add_up() {
        assert_eq!(sum_lanes(std::array::from_fn(|l| l as Real)), 120.0);
    }
}
