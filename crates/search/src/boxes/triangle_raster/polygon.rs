//! A convex polygon that is cut by planes across the axes.

use hashfall_core::geometry::Point;

/// The most corners of a triangle that was cut four times.
const MAX_CORNERS: usize = 7;

/// A convex polygon in space.
#[derive(Clone, Copy)]
pub(super) struct Polygon {
    corners: [Point; MAX_CORNERS],
    count: usize,
}

impl Polygon {
    pub(super) fn new(triangle: [Point; 3]) -> Self {
        let mut corners = [Point::zeros(); MAX_CORNERS];
        corners[..3].copy_from_slice(&triangle);
        Polygon { corners, count: 3 }
    }

    /// Its least and greatest coordinate; the wrong way round if it has no corners.
    pub(super) fn range(&self, axis: usize) -> (f64, f64) {
        let coordinates = self.corners[..self.count].iter().map(|corner| corner[axis]);
        coordinates
            .fold((f64::INFINITY, -f64::INFINITY), |(low, high), x| (low.min(x), high.max(x)))
    }

    /// The part on one side of a plane: where `side` times the coordinate is not below `side` times
    /// `bound` (Sutherland & Hodgman 1974).
    pub(super) fn cut(&self, axis: usize, bound: f64, side: f64) -> Polygon {
        let inside = |corner: &Point| side * corner[axis] >= side * bound;
        let mut part = Polygon { corners: [Point::zeros(); MAX_CORNERS], count: 0 };
        for k in 0..self.count {
            let [a, b] = [self.corners[k], self.corners[(k + 1) % self.count]];
            if inside(&a) {
                part.push(a);
            }
            if inside(&a) != inside(&b) {
                let mut crossing = a + (b - a) * ((bound - a[axis]) / (b[axis] - a[axis]));
                crossing[axis] = bound;
                part.push(crossing);
            }
        }
        part
    }

    fn push(&mut self, corner: Point) {
        self.corners[self.count] = corner;
        self.count += 1;
    }
}
