//! The features that a sweep touches, and what they hide.
//!
//! Symbols: r particle radius \[m\].

use super::impact::MAX_CONTACTS;
use crate::convex_feature::ConvexFeature;
use crate::surfaces::SurfaceId;
use hashfall_geometry::Point;

/// A motion along a surface may sink by this share of its length before it counts as approach.
pub(crate) const GRAZING: f64 = 1e-9;
/// A feature may always stand this far in front of a plane that hides it, in skins: more than
/// rounding of a flat face, and over all segments of a motion less than the skin.
pub(crate) const MIN_ROOM: f64 = 0.1;
/// Touched features that are kept; in three dimensions three decide.
pub(crate) const MAX_TOUCHES: usize = MAX_CONTACTS - 1;
/// Planes whose normals have a larger cosine are parallel: 0.01°.
const SAME_PLANE: f64 = 1.0 - 1.5e-8;

/// A touched feature: the plane through its nearest point.
#[derive(Clone, Copy)]
pub(crate) struct Touch {
    pub surface: SurfaceId,
    pub normal: Point,
    /// Distance from the centre to the plane.
    pub distance: f64,
}

impl Touch {
    /// Fills places that are not taken.
    const NONE: Touch =
        Touch { surface: SurfaceId::WALL, normal: Point::new(0.0, 0.0, 1.0), distance: 0.0 };

    /// Whether the centre is in front of the plane: to one in a wall, where a body holds it, the
    /// wall hides nothing.
    fn is_in_front(&self) -> bool {
        self.distance >= 0.0
    }
}

/// The features touched at a point, nearest first.
pub(crate) struct Touching {
    touches: [Touch; MAX_TOUCHES],
    count: usize,
    /// The least gap to any feature, touched or not.
    pub least_gap: f64,
}

impl Touching {
    pub const NOTHING: Touching =
        Touching { touches: [Touch::NONE; MAX_TOUCHES], count: 0, least_gap: f64::INFINITY };

    pub fn list(&self) -> &[Touch] {
        &self.touches[..self.count]
    }

    /// Adds a touch in its place; of too many the farthest is lost.
    pub fn insert(&mut self, touch: Touch) {
        let place = self.list().partition_point(|t| t.distance <= touch.distance);
        if place == MAX_TOUCHES {
            return;
        }
        self.count = (self.count + 1).min(MAX_TOUCHES);
        self.touches[place..self.count].rotate_right(1);
        self.touches[place] = touch;
    }

    /// Drops touches whose nearest point is not in front of the plane of a nearer one. What lies in
    /// a wall, up to rounding, stands for it.
    pub fn drop_hidden(&mut self, tolerance: f64) {
        let mut kept = 0;
        for k in 0..self.count {
            let next = self.touches[k];
            let is_hidden = |t: &Touch| {
                let room = t.distance - next.distance * t.normal.dot(&next.normal);
                t.is_in_front() && room <= tolerance
            };
            match self.touches[..kept].iter().position(is_hidden) {
                None => {
                    self.touches[kept] = next;
                    kept += 1;
                }
                Some(first) => {
                    let nearer = &mut self.touches[first];
                    let is_same_plane = next.distance - nearer.distance <= MIN_ROOM * tolerance
                        && next.normal.dot(&nearer.normal) > SAME_PLANE;
                    if is_same_plane && nearer.surface.wall().is_some() {
                        nearer.surface = next.surface;
                    }
                }
            }
        }
        self.count = kept;
    }

    /// Whether, for a particle radius r and a skin \[m\], a touched plane that the motion does not
    /// approach keeps it from `feature`, which may
    /// stand so far in front of the plane that the centre is still at distance r from it.
    pub fn hides(
        &self,
        feature: &ConvexFeature,
        x: &Point,
        direction: &Point,
        [r, skin]: [f64; 2],
    ) -> bool {
        self.list().iter().any(|t| {
            let offset = t.normal.dot(x) - t.distance;
            let room = (t.distance - r).clamp(MIN_ROOM * skin, skin);
            t.is_in_front()
                && direction.dot(&t.normal) >= -GRAZING
                && feature.lies_behind(&t.normal, offset, room)
        })
    }
}
