//! How points push each other apart: by a kernel of this range, whatever the kernel of the scene.
//! Lengths are in spacings.

use hashfall_core::kernel::CubicSpline;
use hashfall_core::{Dimension, Real};

/// The range of the repulsion.
pub const RANGE: f64 = 2.0;
/// Half a spacing, and a little, so that rounding takes no point too near the boundary.
pub const GAP: Real = 0.5002;

/// The repulsion of a point.
pub fn repulsion(dimension: Dimension) -> CubicSpline {
    CubicSpline::new(dimension, RANGE as Real)
}
