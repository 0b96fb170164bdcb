//! Sixteen tests of distances or boxes at a time, on the widest registers that the CPU has.
//!
//! One contract, [`Lanes`], and three bodies: AVX-512, AVX2, and plain Rust for every other CPU,
//! which compilers turn into what the target has (NEON on 64-bit ARM).
//!
//! All bodies compute `((Δx² + Δy²) + Δz²) < h²` with a rounding after every operation, as
//! `(a − b).norm_squared()` does: the answer has the same bits on every CPU.

mod baseline;
mod contract;
mod dispatch;
mod positions;
#[cfg(test)]
mod tests;
#[cfg(all(target_arch = "x86_64", not(feature = "f64")))]
mod x86;

pub(crate) use contract::{BoxLanes, LaneWork, Lanes};
pub(crate) use dispatch::run;
pub(crate) use hashfall_core::simd::{Isa, LANES};
pub(crate) use positions::Positions;
