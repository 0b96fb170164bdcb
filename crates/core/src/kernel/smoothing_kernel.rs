//! The contract of kernels.

use crate::Real;

/// A kernel that a loop over pairs is compiled for.
pub trait SmoothingKernel: Copy + Send + Sync {
    /// The support radius h \[m\]: W is zero from there on.
    fn support_radius(&self) -> Real;

    /// W(r) for r ≥ 0 \[1/m³, in the plane 1/m²\].
    fn value(&self, r: Real) -> Real;

    /// W′(r)/r, so that ∇W = x · `slope_over_r(|x|)` for the vector x between two points
    /// \[1/m⁵, 1/m⁴\]. Bounded for r → 0, so that coincident points need no special case.
    fn slope_over_r(&self, r: Real) -> Real;
}
