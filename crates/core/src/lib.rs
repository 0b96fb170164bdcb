//! The lowest layer of Hashfall: numbers, SIMD, cells of space, random numbers, parallel loops,
//! fixed-point sums, digests, stage timers, smoothing kernels and simple geometry.
//!
//! It knows nothing of fluids, solids or files; every other crate may depend on it. What it
//! computes has the same bits on every CPU and for any number of threads:
//!
//! ```
//! use hashfall_core::kernel::{Kernel, KernelKind};
//! use hashfall_core::{Dimension, Real, parallel, vec3};
//!
//! // The cubic spline over a lattice of spacing d sums up to the number density 1/d³.
//! let d = 0.01;
//! let kernel = Kernel::new(KernelKind::CubicSpline, Dimension::Three, 2.0 * d as Real);
//! let [sum] = parallel::sum(125, |i| {
//!     let point = vec3([i % 5, i / 5 % 5, i / 25].map(|k| (k as f64 - 2.0) * d));
//!     [f64::from(kernel.value(point.norm()))]
//! });
//! assert!((sum * d * d * d - 1.0).abs() < 1e-3);
//! ```

#[cfg(any(test, feature = "testing"))]
pub mod allocations;
pub mod attribute;
pub mod cell;
pub mod digest;
mod dimension;
pub mod file_kind;
pub mod fixed_sum;
pub mod geometry;
pub mod kernel;
pub mod magnitude;
mod numbers;
pub mod parallel;
pub mod program;
pub mod rng;
pub mod shell;
pub mod simd;
pub mod similar_names;
pub mod timer;
pub mod units;

pub use attribute::{Attribute, Values};
pub use dimension::Dimension;
pub use numbers::{Length, PI, Real, Vec3, has_real_square, power, to_f64, to_real, vec3};
pub use units::format_significant;
