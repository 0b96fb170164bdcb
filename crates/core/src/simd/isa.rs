//! The instruction set of a process, and the dispatcher that runs loops on it.

use super::baseline::Baseline;
#[cfg(target_arch = "x86_64")]
use super::proof::{Avx2, Avx512};
use super::with_simd::{PerIsa, WithSimd};
#[cfg(target_arch = "x86_64")]
use super::x86::{run_avx2, run_avx512};
use std::error::Error;
use std::fmt;
use std::sync::OnceLock;

/// Instructions beyond those of every CPU of the architecture; those include NEON on 64-bit ARM.
/// Each but the baseline holds a proof, made here alone, that this CPU has them.
#[derive(Clone, Copy, Debug)]
pub enum Isa {
    /// No more than the architecture promises.
    Baseline,
    /// AVX2, with BMI and POPCNT.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// AVX-512 F, BW, DQ and VL.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

/// What [`Isa::current`] gives, once it has been asked or limited.
static CURRENT: OnceLock<Isa> = OnceLock::new();

/// Why the instruction set cannot be limited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LimitError {
    /// No instruction set of this CPU has that name.
    Unavailable {
        /// The name as given.
        name: String,
        /// The names of those that there are.
        available: String,
    },
    /// A loop has run already.
    InUse,
}

impl fmt::Display for LimitError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            LimitError::Unavailable { name, available } => {
                write!(f, "this CPU has no instruction set `{name}`: it has {available}")
            }
            LimitError::InUse => f.write_str("the instruction set is in use already"),
        }
    }
}

impl Error for LimitError {}

impl Isa {
    /// The best of this CPU, unless [`Isa::limit_to`] chose another.
    pub fn current() -> Isa {
        *CURRENT.get_or_init(|| *Isa::available().last().unwrap_or(&Isa::Baseline))
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
        CURRENT.set(*isa).map_err(|_| LimitError::InUse)
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
            found.extend(Avx2::detect().map(Isa::Avx2));
            found.extend(Avx512::detect().map(Isa::Avx512));
        }
        found
    }

    /// Runs a loop compiled for these instructions.
    #[inline]
    pub fn run<W: WithSimd>(self, work: W) -> W::Output {
        self.dispatch(Portable(work), ())
    }

    /// Runs the part of the work that is compiled for these instructions: the one choice that all
    /// others go through.
    #[inline]
    pub fn dispatch<W: PerIsa>(self, work: W, input: W::Input) -> W::Output {
        match self {
            Isa::Baseline => work.baseline(input),
            // SAFETY: `Avx2::detect` alone makes an `Avx2`, where the CPU has all that
            // `run_avx2` enables.
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2(avx2) => unsafe { run_avx2(avx2, work, input) },
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512(avx512) => {
                if W::USES_AVX512 {
                    // SAFETY: `Avx512::detect` alone makes an `Avx512`, where the CPU has all that
                    // `run_avx512` enables.
                    unsafe { run_avx512(avx512, work, input) }
                } else {
                    // SAFETY: an `Avx512` proves an `Avx2`: the CPU has all that `run_avx2`
                    // enables.
                    unsafe { run_avx2(avx512.avx2(), work, input) }
                }
            }
        }
    }
}

/// A loop that needs no more of an instruction set than [`Simd`](super::Simd) has.
struct Portable<W>(W);

impl<W: WithSimd> PerIsa for Portable<W> {
    type Input = ();
    type Output = W::Output;

    #[inline(always)]
    fn baseline(self, (): ()) -> W::Output {
        self.0.run(Baseline)
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn avx2(self, avx2: Avx2, (): ()) -> W::Output {
        self.0.run(avx2)
    }
}
