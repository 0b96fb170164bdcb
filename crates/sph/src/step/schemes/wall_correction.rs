//! The wall correction E of weakly compressible schemes.
//!
//! Near a solid a part λ of those that would share in a pressure gradient *along* it is missing:
//! for a plane at distance d, ∫ −W′/r t² over the half space behind it is 2π (M₂ − d M₁) = λ, with
//! t a coordinate along the plane. So E gives a force along the solid 1/(1 − λ) of its effect.
//! *Across* the solid contact does the rest. It is not free: with E, pressure keeps an energy in
//! which motion along a solid counts 1 − λ. A particle that goes to the wall, shares its noise
//! there and comes back has gained λ²/2 of it. With a wide kernel, and λ = 0.35 at a wall for h =
//! 4d, the energy of an inviscid wave in the plane doubles in a second. So E has (2d/h)² of λ where
//! h is larger than 2d.

use crate::step::boundary::boundary_terms::BoundaryTerms;
use hashfall_core::{Real, Vec3};

/// The largest part of the kernel in solids that is made good along them.
const MAX_FRACTION: Real = 0.75;

/// E times a force on particle `i`.
#[inline(always)]
pub fn wall_correction(solids: &BoundaryTerms, i: usize, force: Vec3) -> Vec3 {
    wall_correction_by(solids, i, force, solids.wall_correction_ratio())
}

/// The same, with this part of λ.
#[inline(always)]
pub fn wall_correction_by(solids: &BoundaryTerms, i: usize, force: Vec3, part: Real) -> Vec3 {
    match across(solids, i, force, part) {
        Some((across, left)) => across + (force - across) / left,
        None => force,
    }
}

/// The part of a force on particle `i` across the solids, and 1 − λ for this part of λ; `None` far
/// from all.
#[inline(always)]
fn across(solids: &BoundaryTerms, i: usize, force: Vec3, part: Real) -> Option<(Vec3, Real)> {
    let fraction = part * solids.fraction[i].min(MAX_FRACTION);
    let normal = solids.gradient[i];
    let square = normal.norm_squared();
    let is_near = fraction > 0.0 && square > 0.0;
    is_near.then(|| (normal * (normal.dot(&force) / square), 1.0 - fraction))
}
