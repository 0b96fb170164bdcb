//! Whether walls and balls are too far from a particle to count, by comparisons that need no root.
//!
//! They are cautious: what is said to be clear is so by more than rounding.

use crate::precision::to_point;
use crate::solids::Solids;
use hashfall_core::{Real, Vec3};
use hashfall_geometry::Point;

/// What is farther than this multiple of the reach is too far without taking a root.
pub(super) const WALL_MARGIN: f64 = 1.001;

impl Solids {
    /// Whether no wall is closer than `reach` to `x` \[m\], by more than rounding.
    #[inline]
    pub fn is_far_from_walls(&self, x: &Vec3, reach: Real) -> bool {
        self.is_clear_of_walls(&to_point(x), WALL_MARGIN * f64::from(reach))
    }

    /// Whether no wall is within `reach` of `x`.
    #[inline]
    pub(super) fn is_clear_of_walls(&self, x: &Point, reach: f64) -> bool {
        let (min, max) = (to_point(&self.domain.min), to_point(&self.domain.max));
        (0..3).all(|axis| {
            self.open[axis] || (x[axis] - min[axis] > reach && max[axis] - x[axis] > reach)
        })
    }

    /// Whether this wall is not within `reach` of `x`.
    #[inline]
    pub(super) fn is_clear_of_wall(&self, wall: usize, x: &Point, reach: f64) -> bool {
        let axis = wall / 2;
        let gap = match wall % 2 {
            0 => x[axis] - f64::from(self.domain.min[axis]),
            _ => f64::from(self.domain.max[axis]) - x[axis],
        };
        gap > reach
    }

    /// Whether the surface of a ball is not within `reach` of `x`.
    #[inline]
    pub(super) fn is_clear_of_ball(&self, id: u32, x: &Point, reach: f64) -> bool {
        let ball = &self.spheres[id as usize];
        let limit = f64::from(ball.radius) + reach;
        (x - to_point(&ball.centre)).norm_squared() > limit * limit
    }
}
