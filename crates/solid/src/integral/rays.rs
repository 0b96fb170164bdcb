//! Rays from a place, with which tests see triangles.

use hashfall_geometry::Point;

/// A triangle as it is seen from the place that rays start at.
pub(super) struct SeenTriangle {
    /// Inwards from each edge: the planes through the place.
    edges: [Point; 3],
    normal: Point,
    /// Along the normal, in its lengths.
    height: f64,
}

impl SeenTriangle {
    /// Of corners relative to the place.
    pub fn new([a, b, c]: &[Point; 3]) -> Self {
        let normal = (b - a).cross(&(c - a));
        let edges = [a.cross(b), b.cross(c), c.cross(a)];
        SeenTriangle { edges, normal, height: normal.dot(a) }
    }

    /// How far along a ray it is met, if it is, and whether the ray enters there.
    pub fn hit(&self, ray: &Point) -> Option<(f64, bool)> {
        let sides = self.edges.each_ref().map(|edge| edge.dot(ray));
        let is_met = sides.iter().all(|s| *s > 0.0) || sides.iter().all(|s| *s < 0.0);
        let rise = self.normal.dot(ray);
        let far = self.height / rise;
        (is_met && far > 0.0).then_some((far, rise < 0.0))
    }
}
