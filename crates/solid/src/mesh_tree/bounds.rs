//! How far places are from boxes, and balls around these.

use crate::precision::to_point;
use hashfall_core::Real;
use hashfall_geometry::{Aabb, Point};

/// The square of the distance of a place from a box \[m²\]; 0 in it.
#[inline]
pub(super) fn square_distance(bounds: &Aabb, x: &Point) -> f64 {
    let along = |low: Real, high: Real, x: f64| (f64::from(low) - x).max(x - f64::from(high));
    let (Aabb { min, max }, none) = (bounds, 0.0_f64);
    let a = along(min.x, max.x, x.x).max(none);
    let b = along(min.y, max.y, x.y).max(none);
    let c = along(min.z, max.z, x.z).max(none);
    a * a + b * b + c * c
}

/// The middle of a box.
#[inline]
pub(super) fn middle(bounds: &Aabb) -> Point {
    (to_point(&bounds.min) + to_point(&bounds.max)) * 0.5
}

/// The middle of a box, and how far its corners are from there \[m\].
#[inline]
pub(super) fn ball_around(bounds: &Aabb) -> (Point, f64) {
    (middle(bounds), 0.5 * (to_point(&bounds.max) - to_point(&bounds.min)).norm())
}
