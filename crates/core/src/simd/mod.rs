//! The widest instructions that a CPU has, chosen at run time: one portable program runs fast
//! everywhere.
//!
//! Hot loops are written once, over arrays of [`LANES`] numbers or over [`F32x8`] in a register,
//! and compiled for each instruction set. [`Isa::dispatch`] is the one
//! place that chooses; [`Isa::run`] goes through it, and so do crates that bring instructions of
//! their own ([`PerIsa`]). They add, multiply, divide and take roots,
//! each rounded on its own, and sum lanes by one fixed tree: every instruction set gives the same
//! bits. (Fused multiply-add would round once less, but only on CPUs that have it; on others it is
//! a call that takes as long as a whole neighbour.)

#[cfg(all(target_arch = "x86_64", not(feature = "f64")))]
mod avx2;
mod baseline;
mod f32x8;
mod isa;
mod lanes;
#[cfg(target_arch = "x86_64")]
mod proof;
#[cfg(test)]
mod tests;
mod with_simd;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use baseline::{ArrayF32x8, Baseline};
pub use f32x8::F32x8;
pub use isa::{Isa, LimitError};
pub use lanes::{LANES, prefetch, sum_lanes};
#[cfg(target_arch = "x86_64")]
pub use proof::{Avx2, Avx512};
pub use with_simd::{PerIsa, Simd, WithSimd};
