//! A smooth step.

use hashfall_core::Real;

/// Rises smoothly from 0 to 1 between two numbers.
#[inline(always)]
pub fn smooth_step(x: Real, [from, to]: [Real; 2]) -> Real {
    // The factor is known when this is compiled; a quotient takes as long as all else.
    let t = ((x - from) * (1.0 / (to - from))).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
