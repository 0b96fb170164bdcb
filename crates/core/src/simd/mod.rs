//! The widest instructions that a CPU has, chosen at run time: one portable program runs fast
//! everywhere.
//!
//! Hot loops are written once, over arrays of [`LANES`] numbers or over [`F32x8`] in a register,
//! and compiled for each instruction set ([`Isa::run`]). They add, multiply, divide and take roots,
//! each rounded on its own, and sum lanes by one fixed tree: every instruction set gives the same
//! bits. (Fused multiply-add would round once less, but only on CPUs that have it; on others it is
//! a call that takes as long as a whole neighbour.)

#[cfg(all(target_arch = "x86_64", not(feature = "f64")))]
mod avx2;
mod f32x8;
#[cfg(target_arch = "x86_64")]
pub mod x86;

use super::Real;
pub use f32x8::{ArrayF32x8, F32x8};
use std::sync::OnceLock;
use thiserror::Error;

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

/// What [`Isa::current`] gives, once it has been asked or limited.
static CHOSEN: OnceLock<Isa> = OnceLock::new();

/// Why the instruction set cannot be limited.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LimitError {
    /// No instruction set of this CPU has that name.
    #[error("this CPU has no instruction set `{name}`: it has {available}")]
    Unavailable {
        /// The name as given.
        name: String,
        /// The names of those that there are.
        available: String,
    },
    /// A loop has run already.
    #[error("the instruction set is in use already")]
    InUse,
}

impl Isa {
    /// The best of this CPU, unless [`Isa::limit_to`] chose another.
    pub fn current() -> Isa {
        *CHOSEN.get_or_init(|| *Isa::available().last().unwrap_or(&Isa::Baseline))
    }

    /// Makes this process use the instruction set of this name, as a CPU without better ones would.
    ///
    /// # Errors
    /// If this CPU does not have it, or [`Isa::current`] has been called before.
    pub fn limit_to(name: &str) -> Result<(), LimitError> {
        let available = Isa::available();
        let Some(isa) = available.iter().find(|isa| isa.name() == name) else {
            let names: Vec<_> = available.iter().map(|isa| isa.name()).collect();
            let available = names.join(", ");
            return Err(LimitError::Unavailable { name: name.to_owned(), available });
        };
        CHOSEN.set(*isa).map_err(|_| LimitError::InUse)
    }

    /// `baseline`, `avx2` or `avx512`.
    pub fn name(self) -> &'static str {
        match self {
            Isa::Baseline => "baseline",
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512(_) => "avx512",
        }
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
    pub fn run<W: WithSimd>(self, work: W) -> W::Output {
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

/// The instructions of every CPU of the architecture.
#[derive(Clone, Copy, Debug)]
pub struct Baseline;

impl Simd for Baseline {
    type F32x8 = ArrayF32x8;

    #[inline(always)]
    fn splat(self, number: Real) -> ArrayF32x8 {
        ArrayF32x8([number; 8])
    }

    #[inline(always)]
    fn load(self, numbers: &[Real; 8]) -> ArrayF32x8 {
        ArrayF32x8(*numbers)
    }

    #[inline(always)]
    fn load_partial(self, count: usize, numbers: &[Real; 8]) -> ArrayF32x8 {
        ArrayF32x8(std::array::from_fn(|l| if l < count { numbers[l] } else { 0.0 }))
    }

    #[inline(always)]
    fn transpose<const W: usize>(self, rows: [&[Real; W]; 8]) -> [ArrayF32x8; W] {
        std::array::from_fn(|column| ArrayF32x8(rows.map(|row| row[column])))
    }
}

/// Asks for an item before it is read, if there is one.
#[inline(always)]
pub fn prefetch<T>(items: &[T], place: usize) {
    if let Some(item) = items.get(place) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: nothing is read, and every CPU of this architecture has the instruction.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = item;
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums, products, quotients and roots that need every bit.
    #[derive(Clone, Copy)]
    struct Roots([Real; LANES]);

    impl WithSimd for Roots {
        type Output = Real;

        #[inline(always)]
        fn run<I: Simd>(self, _: I) -> Real {
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

    struct Transpose<const W: usize>([[Real; W]; 8]);

    impl<const W: usize> WithSimd for Transpose<W> {
        type Output = [[Real; 8]; W];

        #[inline(always)]
        fn run<I: Simd>(self, simd: I) -> [[Real; 8]; W] {
            simd.transpose(self.0.each_ref()).map(F32x8::to_array)
        }
    }

    fn assert_transposes<const W: usize>() {
        for isa in Isa::available() {
            let rows = std::array::from_fn(|r| std::array::from_fn(|c| (10 * r + c) as Real));
            let columns = isa.run(Transpose::<W>(rows));
            for (r, c) in (0..8 * W).map(|k| (k / W, k % W)) {
                assert_eq!(columns[c][r], rows[r][c], "{isa:?}");
            }
        }
    }

    #[test]
    fn every_instruction_set_turns_rows_into_columns() {
        assert_transposes::<4>();
        assert_transposes::<8>();
    }

    /// What can be done with eight numbers.
    #[derive(Clone, Copy)]
    struct Sums([Real; 8]);

    impl WithSimd for Sums {
        type Output = [[Real; 8]; 12];

        #[inline(always)]
        fn run<I: Simd>(self, simd: I) -> [[Real; 8]; 12] {
            let (x, two) = (simd.load(&self.0), simd.splat(2.0));
            let all = [
                x + two,
                x - two,
                x * x,
                two / x,
                x * 3.0,
                x.select_negative(two),
                x.map(|x| x.abs().sqrt()),
                x.splat(5.0),
                simd.load_partial(5, &self.0),
                (x * x).sqrt(),
                x.max(two),
                two.splat(x.mask_above(two * 0.0).into()),
            ];
            all.map(F32x8::to_array)
        }
    }

    #[test]
    fn every_instruction_set_computes_with_eight_numbers() {
        let x: [Real; 8] = [-3.5, -0.0, 0.0, 1e-7, 2.0, Real::MAX, -1e30, 7.1];
        let wanted = [
            x.map(|x| x + 2.0),
            x.map(|x| x - 2.0),
            x.map(|x| x * x),
            x.map(|x| 2.0 / x),
            x.map(|x| x * 3.0),
            x.map(|x| if x < 0.0 { 2.0 } else { 0.0 }),
            x.map(|x| x.abs().sqrt()),
            [5.0; 8],
            std::array::from_fn(|l| if l < 5 { x[l] } else { 0.0 }),
            x.map(|x| (x * x).sqrt()),
            x.map(|x| x.max(2.0)),
            [0b1011_1000 as Real; 8],
        ];
        let bits = |all: [[Real; 8]; 12]| all.map(|eight| eight.map(Real::to_bits));
        for isa in Isa::available() {
            assert_eq!(bits(isa.run(Sums(x))), bits(wanted), "{isa:?}");
        }
    }

    struct AddWeighted([u16; LANES], [u16; LANES], u16);

    impl WithSimd for AddWeighted {
        type Output = [u16; LANES];

        #[inline(always)]
        fn run<I: Simd>(self, on: I) -> [u16; LANES] {
            let AddWeighted(a, b, part) = self;
            let mut sums = a;
            on.add_weighted(&mut sums, &a, &b, part);
            sums
        }
    }

    #[test]
    fn every_instruction_set_adds_parts_and_stops_at_the_largest_number() {
        let a = std::array::from_fn(|l| (l * 4001) as u16);
        let b = std::array::from_fn(|l| (u16::MAX as usize - l * l * 31) as u16);
        for part in [0, 1, 777, 0x8000, u16::MAX] {
            let wanted: [u16; LANES] = std::array::from_fn(|l| {
                let sum = (u64::from(a[l]) + u64::from(b[l])).min(0xffff);
                (u64::from(a[l]) + sum * u64::from(part) / 0x1_0000).min(0xffff) as u16
            });
            for isa in Isa::available() {
                assert_eq!(isa.run(AddWeighted(a, b, part)), wanted, "{isa:?}");
            }
        }
    }

    #[test]
    fn lanes_add_up() {
        assert_eq!(sum_lanes::<LANES>(std::array::from_fn(|l| l as Real)), 120.0);
    }
}
