//! Conservative advancement: how far a centre may go before it meets a feature.
//!
//! Source: Mirtich, Impulse-based dynamic simulation (1996), §2.3. Along a line the distance to a
//! convex feature is a convex function, and the supporting plane at the nearest point bounds it
//! from below. So Newton's steps from before the impact come down to it and never pass it.

use super::swept_motion::{Path, Sweep};
use crate::contact::touching::GRAZING;
use crate::convex_feature::ConvexFeature;
use crate::surfaces::SurfaceId;
use hashfall_geometry::Point;

/// Newton steps to an impact; each at least halves what is left.
const MAX_ADVANCES: usize = 48;

/// Where a motion meets a feature.
pub(super) struct Impact {
    /// The way there \[m\].
    pub way: f64,
    pub normal: Point,
    pub surface: SurfaceId,
}

impl Sweep<'_> {
    /// The nearest impact, within `length`.
    pub(super) fn first_impact(
        &self,
        path: &Path,
        direction: &Point,
        length: f64,
    ) -> Option<Impact> {
        let mut first = None;
        let mut limit = length;
        for (surface, feature) in self.features() {
            if path.touching.hides(feature, &path.x, direction, [self.r, self.skin]) {
                continue;
            }
            let impact = self.impact(feature, &path.x, direction, limit);
            if let Some((way, normal)) = impact
                && (first.is_none() || way < limit)
            {
                limit = way;
                first = Some(Impact { way, normal, surface: *surface });
            }
        }
        first
    }

    /// The way from `x` along `direction` to the impact on one feature, within `limit`.
    fn impact(
        &self,
        feature: &ConvexFeature,
        x: &Point,
        u: &Point,
        limit: f64,
    ) -> Option<(f64, Point)> {
        let mut way = 0.0;
        let mut normal = *u;
        for _ in 0..MAX_ADVANCES {
            let nearest = feature.nearest(&(x + u * way));
            normal = nearest.normal;
            let approach = -u.dot(&normal);
            let gap = nearest.distance - self.r;
            if approach <= GRAZING || gap - self.skin > limit - way {
                return None;
            }
            if gap <= self.skin {
                return Some((way, normal));
            }
            way += (gap - 0.5 * self.skin) / approach;
            if way > limit {
                return None;
            }
        }
        Some((way, normal))
    }
}
