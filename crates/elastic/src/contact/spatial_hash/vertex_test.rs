//! A vertex and a triangle: whether they collide where they came to.
//!
//! The vertex is at the distance d of its nearest point on the triangle, and they are to be at
//! least D apart, on the side where the vertex was before. In one step the vertex
//! - passed the triangle, if it changed sides and its way relative to the nearest point leads
//!   through: it is put back to the side that it came from, along the triangle's normal; one that
//!   went around an edge is left to the next step;
//! - else came too near, if d < D: both go apart along the offset.
//!
//! Within a body D is at most their distance at rest, as else neighbours would repel each other.

use super::contact::Contact;
use crate::contact::narrow::vertex_triangle;
use hashfall_core::geometry::triangle::{is_crossing, unit_normal};
use hashfall_geometry::Point;

/// Where points were and where they came to \[m\].
#[derive(Clone, Copy, Debug)]
pub(super) struct Ways<'a> {
    pub start: &'a [Point],
    pub end: &'a [Point],
}

impl Ways<'_> {
    /// Tests a vertex against a triangle. `distance` is D but for what `at_rest` leaves of it, and
    /// what passed is found up to `depth` behind the triangle \[m\]. Friction is none yet.
    pub fn test(
        &self,
        vertex: u32,
        triangle: &[u32; 3],
        distance: f64,
        depth: f64,
        at_rest: impl FnOnce() -> f64,
    ) -> Option<Contact> {
        let [a, b, c] = *triangle;
        let points = [vertex, a, b, c];
        let p = self.end[vertex as usize];
        let corners = triangle.map(|corner| self.end[corner as usize]);
        let [a, b, c] = corners;
        let nearest = vertex_triangle(&[p, a, b, c]);
        let d = nearest.distance();
        if d.is_nan() || d > distance.max(depth) {
            return None;
        }
        let normal = unit_normal(&corners)?;
        let height = normal.dot(&(p - corners[0]));
        let side = self.start_side(vertex, triangle, height);
        let has_passed = side * height < 0.0;
        if has_passed {
            let before = points.map(|k| self.start[k as usize]);
            let from = p - nearest.offset + nearest.relative(&before);
            // Beside it, where it may have passed another: that one puts it back.
            if !is_crossing(&from, &p, &corners) {
                return None;
            }
        }
        let is_near = has_passed || d < distance;
        let distance = if is_near { distance.min(at_rest()) } else { distance };
        let normal = if has_passed || (d == 0.0 && distance > 0.0) {
            normal * side
        } else if d < distance {
            nearest.offset / d
        } else {
            return None;
        };
        let weights = nearest.weights;
        let spin_velocity = Point::zeros();
        Some(Contact { points, weights, normal, distance, friction: 0.0, spin_velocity })
    }

    /// The side of the triangle on which the vertex was, by the sign of its normal; if it was on
    /// neither, or the triangle had no area, that of its height now.
    fn start_side(&self, vertex: u32, triangle: &[u32; 3], height: f64) -> f64 {
        let [a, b, c] = triangle.map(|corner| self.start[corner as usize]);
        let before = (b - a).cross(&(c - a)).dot(&(self.start[vertex as usize] - a));
        let decisive = if before == 0.0 { height } else { before };
        if decisive < 0.0 { -1.0 } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIANGLE: [u32; 3] = [1, 2, 3];

    /// Tests a vertex that goes from one place to another while the triangle goes by `shift`.
    fn test(
        from: [f64; 3],
        to: [f64; 3],
        shift: [f64; 3],
        [distance, depth]: [f64; 2],
    ) -> Option<Contact> {
        let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Point::from);
        let start = [Point::from(from), corners[0], corners[1], corners[2]];
        let moved = corners.map(|corner| corner + Point::from(shift));
        let end = [Point::from(to), moved[0], moved[1], moved[2]];
        Ways { start: &start, end: &end }.test(0, &TRIANGLE, distance, depth, || f64::INFINITY)
    }

    #[test]
    fn a_vertex_that_comes_near_or_passes_is_put_to_its_side() {
        let normal = |contact: Option<Contact>| contact.map(|contact| contact.normal);
        let (above, below) = ([0.25, 0.25, 0.3], [0.25, 0.25, -0.3]);
        let near = [0.25, 0.25, 0.05];
        assert_eq!(normal(test(above, near, [0.0; 3], [0.1, 0.0])), Some(Point::z()));
        assert_eq!(normal(test(above, near, [0.0; 3], [0.01, 1.0])), None, "apart");
        assert_eq!(normal(test(above, below, [0.0; 3], [0.1, 0.5])), Some(Point::z()));
        assert_eq!(normal(test(below, above, [0.0; 3], [0.0, 0.5])), Some(-Point::z()));
        assert_eq!(normal(test(above, below, [0.0; 3], [0.1, 0.2])), None, "too deep: missed");
        // Both move, the triangle the faster: the vertex is left behind, below it.
        let up = [0.0, 0.0, 0.5];
        assert_eq!(normal(test(above, near, up, [0.1, 0.5])), None.or(Some(Point::z())));
        // Around the edge it changes sides without passing.
        assert_eq!(normal(test([-0.2, 0.2, 0.1], [-0.2, 0.2, -0.1], [0.0; 3], [0.1, 0.5])), None);
        let beside = normal(test([-0.2, 0.2, 0.1], [-0.05, 0.2, 0.0], [0.0; 3], [0.1, 0.5]));
        assert!((beside.unwrap() + Point::x()).norm() < 1e-12);
        let weights = test(above, near, [0.0; 3], [0.1, 0.0]).unwrap().weights;
        assert!(
            (Point::from([weights[1], weights[2], weights[3]]) + Point::new(0.5, 0.25, 0.25))
                .norm()
                < 1e-12
        );
    }
}
