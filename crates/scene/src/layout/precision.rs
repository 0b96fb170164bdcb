//! Rounding from the model's double precision to the precision of the state.

use hashfall_core::Real;

/// Rounds to the state's precision.
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
pub fn to_real(x: f64) -> Real {
    x as Real
}
