//! Smoothing kernels: a file each, with source and normalisation.
//!
//! A kernel has a support radius h and is made for two or three dimensions. Loops over pairs are
//! compiled for each ([`SmoothingKernel`]); [`Kernel`] is the choice of one, for what is asked now
//! and then.

mod choice;
mod cubic_spline;
mod mueller;
mod profile;
mod smoothing_kernel;
#[cfg(test)]
mod tests;
mod wendland;

pub use choice::{Kernel, KernelKind, Shape};
pub use cubic_spline::CubicSpline;
pub use mueller::Mueller;
pub use smoothing_kernel::SmoothingKernel;
pub use wendland::WendlandC2;
