//! Smoothing kernels: a file each, with source, normalisation and moments.

mod cubic_spline;

pub use cubic_spline::CubicSpline;
