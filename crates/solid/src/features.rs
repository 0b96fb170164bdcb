//! The convex features of the objects of solids.

use crate::convex_feature::ConvexFeature;
use crate::precision::to_point;
use crate::solids::Solids;
use crate::surfaces::SurfaceId;
use hashfall_geometry::Point;

impl Solids {
    /// The features to look at when the broad phase offers `objects`: walls first.
    pub(crate) fn features<'a>(
        &'a self,
        objects: &'a [u32],
    ) -> impl Iterator<Item = (SurfaceId, ConvexFeature)> + 'a {
        debug_assert!(objects.is_sorted(), "objects ascend, so that ties break the same way");
        let walls = self.walls().map(|wall| (SurfaceId::from_wall(wall), self.wall(wall)));
        walls.chain(objects.iter().map(|&id| (self.shapes.laws.surface_of(id), self.object(id))))
    }

    /// A wall of the domain: low x, high x, low y, …
    pub(crate) fn wall(&self, wall: usize) -> ConvexFeature {
        let (axis, high) = (wall / 2, wall % 2 == 1);
        let corner = to_point(if high { &self.domain.max } else { &self.domain.min });
        let mut normal = Point::zeros();
        normal[axis] = if high { -1.0 } else { 1.0 };
        ConvexFeature::Wall { normal, offset: normal[axis] * corner[axis] }
    }

    /// An object of the broad phase.
    pub(crate) fn object(&self, id: u32) -> ConvexFeature {
        let id = id as usize;
        if let Some(s) = self.spheres.get(id) {
            return ConvexFeature::Ball {
                centre: to_point(&s.centre),
                radius: f64::from(s.radius),
            };
        }
        let id = id - self.spheres.len();
        match self.rounds.get(id) {
            Some(round) => ConvexFeature::Round(*round),
            None => {
                let triangle = &self.triangles[id - self.rounds.len()];
                ConvexFeature::Triangle(triangle.map(|c| to_point(&c)))
            }
        }
    }
}
