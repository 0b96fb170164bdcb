//! A swept motion under way, and what it may meet.

use crate::contact::step_acceleration::StepAcceleration;
use crate::contact::sweep_buffer::SweepBuffer;
use crate::contact::sweep_filter::SweepFilter;
use crate::contact::touching::Touching;
use crate::convex_feature::ConvexFeature;
use crate::solids::Solids;
use crate::surfaces::SurfaceId;
use hashfall_geometry::Point;

/// A motion under way.
pub(crate) struct Path {
    /// Where the centre is.
    pub x: Point,
    /// What is left of the motion.
    pub rest: Point,
    /// The velocity.
    pub v: Point,
    /// What is touched at `x`.
    pub touching: Touching,
    /// The part of the time that is over.
    pub time: f64,
    /// How long the rest may be.
    pub room: f64,
    pub hits: u32,
}

impl Path {
    /// The last point: the rest is walked only if nothing stands in the way.
    pub fn end(&self, arrived: bool) -> Point {
        if arrived { self.x + self.rest } else { self.x }
    }

    /// Whether all of the way from `start` was free.
    pub fn is_free(&self, arrived: bool, start: &Point) -> bool {
        arrived && self.hits == 0 && self.x == *start
    }
}

/// What a sweep looks at.
pub(crate) struct Sweep<'a> {
    pub solids: &'a Solids,
    pub objects: &'a [u32],
    /// Which solids count.
    pub filter: SweepFilter,
    /// Holds, of all features, those that the motion can touch.
    pub buffer: &'a mut SweepBuffer,
    /// Length of the whole motion at the most.
    pub length: f64,
    /// What bounces go by; none if they go by the mean velocity.
    pub acceleration: StepAcceleration,
    pub r: f64,
    pub skin: f64,
}

impl Sweep<'_> {
    pub fn features(&self) -> &[(SurfaceId, ConvexFeature)] {
        &self.buffer.reached
    }
}
