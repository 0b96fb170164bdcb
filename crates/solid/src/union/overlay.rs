//! Where a triangle meets another: the segments along which the state of its two sides may change.
//!
//! A second triangle changes what lies beside the first where it crosses its plane, and over the
//! area that both share where they lie in one plane. Corners within a tolerance of a plane lie in
//! it, so that faces which touch up to rounding count as touching.

use super::polygon::{Segment, centroid, runs_through, split_along};
use hashfall_core::Real;
use hashfall_geometry::Point;

/// Part of the largest coordinate of a triangle that rounding may take from it: 2·10⁻⁶ in single
/// precision, which holds seven digits, while files hold six.
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
pub const ROUNDING: f64 = 16.777_216 * Real::EPSILON as f64;

/// A triangle of a mesh.
#[derive(Clone, Copy, Debug)]
pub struct Facet {
    pub corners: [Point; 3],
    /// Unit normal; zero without area.
    pub normal: Point,
    /// The mesh that it belongs to.
    pub mesh: u32,
    /// More than what rounding takes from its place \[m\].
    pub rounding: f64,
    /// The most that may count as rounding: less than the thickness of its shell \[m\].
    pub limit: f64,
}

/// More than what rounding takes from the place of a triangle \[m\].
pub fn rounding_of(corners: &[Point; 3]) -> f64 {
    ROUNDING * corners.iter().map(Point::amax).fold(0.0, f64::max)
}

/// How a triangle meets another.
#[derive(Clone, Debug, Default)]
pub struct Meeting {
    /// Segments in its plane that run through it.
    pub segments: Vec<Segment>,
    /// Whether both lie in one plane.
    pub is_coplanar: bool,
}

impl Facet {
    pub fn new(corners: [Point; 3], mesh: u32) -> Self {
        let [a, b, c] = corners;
        let (normal, longest) = ((b - a).cross(&(c - a)), (b - a).norm().max((c - a).norm()));
        let has_area = normal.norm() > 1e-12 * longest * longest;
        let normal = if has_area { normal.normalize() } else { Point::zeros() };
        Facet { corners, normal, mesh, rounding: rounding_of(&corners), limit: f64::INFINITY }
    }

    /// The same with a [limit](Facet::limit) to what counts as rounding.
    pub fn limited(self, limit: f64) -> Self {
        Facet { limit, ..self }
    }

    /// Whether it has an area.
    pub fn has_area(&self) -> bool {
        self.normal != Point::zeros()
    }

    /// So near to each other two triangles touch \[m\].
    pub fn tolerance(&self, other: &Facet) -> f64 {
        2.0 * self.rounding.max(other.rounding).min(self.limit).min(other.limit)
    }

    /// The height of a point above its plane \[m\].
    pub fn height(&self, p: &Point) -> f64 {
        self.normal.dot(&(p - self.corners[0]))
    }

    /// Whether a point of its plane lies in it.
    pub fn covers(&self, p: &Point) -> bool {
        let [a, b, c] = &self.corners;
        let is_inside =
            |from: &Point, to: &Point| self.normal.cross(&(to - from)).dot(&(p - from)) >= 0.0;
        is_inside(a, b) && is_inside(b, c) && is_inside(c, a)
    }

    /// How `other`, which has an area as well, meets it.
    pub fn meet(&self, other: &Facet) -> Meeting {
        self.meet_at(other, &self.heights(other), &other.heights(self))
    }

    /// Whether one of both, which have areas, cuts or covers the other.
    pub fn cuts_or_covers(&self, other: &Facet) -> bool {
        let (heights, own_heights) = (self.heights(other), other.heights(self));
        let meets = |a: &Facet, b: &Facet, heights: &[f64; 3], own_heights: &[f64; 3]| {
            let meeting = a.meet_at(b, heights, own_heights);
            let covers = || b.covers(&centroid(&a.corners));
            !meeting.segments.is_empty() || (meeting.is_coplanar && covers())
        };
        meets(self, other, &heights, &own_heights) || meets(other, self, &own_heights, &heights)
    }

    /// The heights of another's corners above the plane; of those that touch it 0 \[m\].
    fn heights(&self, other: &Facet) -> [f64; 3] {
        let tolerance = self.tolerance(other);
        other.corners.map(|p| {
            let height = self.height(&p);
            if height.abs() <= tolerance { 0.0 } else { height }
        })
    }

    /// How `other` meets it: with the heights of its corners above this one's plane, and of these
    /// above its own.
    fn meet_at(&self, other: &Facet, heights: &[f64; 3], own_heights: &[f64; 3]) -> Meeting {
        let is_beside = |h: &[f64; 3]| h.iter().all(|h| *h > 0.0) || h.iter().all(|h| *h < 0.0);
        if is_beside(heights)
            || is_beside(own_heights)
            || self.is_neighbor_on_one_side(other, heights)
        {
            return Meeting::default();
        }
        let tolerance = self.tolerance(other);
        let is_flat = |h: &[f64; 3]| h.iter().all(|h| *h == 0.0);
        let is_coplanar = is_flat(heights) || is_flat(own_heights);
        let onto_plane = |p: Point| p - self.normal * self.height(&p);
        let [a, b, c] = other.corners;
        let own = |segment: &Segment| {
            runs_through(&self.corners, &self.normal, segment, tolerance)
                && split_along(&self.corners, &self.normal, segment, tolerance).is_some()
        };
        let on_plane = |ends: Segment| Some(ends.map(onto_plane)).filter(own);
        let segments = if is_coplanar {
            [[a, b], [b, c], [c, a]].into_iter().filter_map(on_plane).collect()
        } else {
            crossing(&other.corners, heights).and_then(on_plane).into_iter().collect()
        };
        Meeting { segments, is_coplanar }
    }
}

impl Facet {
    /// Whether all that another triangle, whose corners are at these heights, has in this one's
    /// plane are corners that both share: so it is with most neighbors.
    fn is_neighbor_on_one_side(&self, other: &Facet, heights: &[f64; 3]) -> bool {
        let count = |is: fn(f64) -> bool| heights.iter().filter(|h| is(**h)).count();
        let (above, below) = (count(|h| h > 0.0), count(|h| h < 0.0));
        let level = 3 - above - below;
        let shared = || other.corners.iter().filter(|p| self.corners.contains(p)).count();
        (above == 0 || below == 0) && (1..3).contains(&level) && shared() == level
    }
}

/// Where a triangle with corners at these heights above a plane crosses it.
fn crossing(corners: &[Point; 3], heights: &[f64; 3]) -> Option<Segment> {
    let mut ends = (0..3).flat_map(|k| {
        let (next, h) = ((k + 1) % 3, heights[k]);
        let [p, q] = [corners[k], corners[next]];
        let is_crossed = h * heights[next] < 0.0;
        let between = is_crossed.then(|| p + (q - p) * (h / (h - heights[next])));
        (h == 0.0).then_some(p).into_iter().chain(between)
    });
    Some([ends.next()?, ends.next()?])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facet(corners: [[f64; 3]; 3]) -> Facet {
        Facet::new(corners.map(Point::from), 0)
    }

    const FLAT: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

    fn segments(other: [[f64; 3]; 3]) -> usize {
        facet(FLAT).meet(&facet(other)).segments.len()
    }

    #[test]
    fn triangles_that_cross_or_stand_with_an_edge_on_it_cut_it() {
        assert_eq!(segments([[0.2, 0.2, -1.0], [0.3, 0.2, 1.0], [0.2, 0.4, 1.0]]), 1);
        assert_eq!(segments([[0.2, 0.2, 0.0], [0.4, 0.2, 1e-7], [0.2, 0.4, 1.0]]), 1, "an edge");
        assert_eq!(segments([[0.2, 0.2, 0.0], [0.4, 0.2, -1.0], [0.2, 0.4, 1.0]]), 1, "a corner");
        assert_eq!(segments([[0.2, 0.2, 0.0], [0.4, 0.2, 1.0], [0.2, 0.4, 1.0]]), 0, "a point");
        assert_eq!(segments([[0.2, 0.2, 0.1], [0.4, 0.2, 1.0], [0.2, 0.4, 1.0]]), 0, "above");
        assert_eq!(segments([[2.2, 0.2, -1.0], [2.3, 0.2, 1.0], [2.2, 0.4, 1.0]]), 0, "beside");
        assert_eq!(segments([[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.3, 0.3, 1.0]]), 0, "neighbors");
    }

    #[test]
    fn in_one_plane_edges_cut_that_run_through_it() {
        let inside = facet(FLAT).meet(&facet([[0.1, 0.1, 0.0], [0.1, 0.2, 1e-7], [0.2, 0.1, 0.0]]));
        assert!(inside.is_coplanar && inside.segments.len() == 3, "{inside:?}");
        let neighbor = facet([[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, -1.0, 0.0]]);
        let beside = facet(FLAT).meet(&neighbor);
        assert!(beside.is_coplanar && beside.segments.is_empty(), "{beside:?}");
    }
}
