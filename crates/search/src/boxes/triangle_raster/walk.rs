//! The way of a triangle through the cells within reach of it.

use super::polygon::Polygon;
use hashfall_core::cell::Cell;
use hashfall_core::geometry::Point;
use hashfall_core::{Real, Vec3};

/// A triangle on its way through the cells. Lengths are in cells.
pub(super) struct Walk {
    surface: Polygon,
    /// How far from the surface points count, rounding included.
    reach: f64,
    /// The axes u, v and w.
    axes: [usize; 3],
}

impl Walk {
    pub(super) fn new(corners: &[Vec3; 3], reach: Real, size: Real) -> Self {
        let corners = corners_in_cells(corners, size);
        let reach = f64::from(reach) / f64::from(size);
        let farthest = corners.iter().map(|corner| corner.amax()).fold(0.0, f64::max) + reach;
        let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
        let w = normal.map(f64::abs).imax();
        Walk {
            surface: Polygon::new(corners),
            reach: reach + slack(farthest),
            axes: [(w + 1) % 3, (w + 2) % 3, w],
        }
    }

    /// Whether it may visit more cells than these; also if coordinates are beyond all numbers.
    pub(super) fn is_longer_than(&self, cells: usize) -> bool {
        let [columns, rows] = [self.axes[0], self.axes[1]].map(|axis| {
            let (low, high) = self.surface.range(axis);
            high - low + 2.0 * self.reach + 2.0
        });
        let count = columns * rows * (4.0 + 6.0 * self.reach);
        !count.is_finite() || count > cells as f64
    }

    /// Visits the cells near the surface, each once.
    pub(super) fn for_each_cell(&self, mut visit: impl FnMut(Cell)) {
        let [u, v, w] = self.axes;
        let mut cell = Cell::default();
        for row in self.cells_near(&self.surface, v) {
            let strip = self.cut_to(&self.surface, v, row);
            for column in self.cells_near(&strip, u) {
                let rest = self.cut_to(&strip, u, column);
                [cell[u], cell[v]] = [column, row];
                for depth in self.cells_near(&rest, w) {
                    cell[w] = depth;
                    visit(cell);
                }
            }
        }
    }

    /// The positions on an axis of the cells within reach of a polygon; none if it has no corners.
    fn cells_near(&self, polygon: &Polygon, axis: usize) -> std::ops::RangeInclusive<i32> {
        let (low, high) = polygon.range(axis);
        let [low, high] = [low - self.reach, high + self.reach].map(f64::floor);
        // Saturates as cells of points do.
        low as i32..=high as i32
    }

    /// What of a polygon is within reach of the cells at `position` on an axis.
    fn cut_to(&self, polygon: &Polygon, axis: usize, position: i32) -> Polygon {
        // Cells at the ends hold all that is beyond.
        let low = if position == i32::MIN { -f64::INFINITY } else { f64::from(position) };
        let high = if position == i32::MAX { f64::INFINITY } else { f64::from(position) + 1.0 };
        polygon.cut(axis, low - self.reach, 1.0).cut(axis, high + self.reach, -1.0)
    }
}

/// Corners \[m\] in cells of edge `size` \[m\].
pub(super) fn corners_in_cells(corners: &[Vec3; 3], size: Real) -> [Point; 3] {
    corners.map(|corner| corner.map(|x| f64::from(x) / f64::from(size)))
}

/// The sum of rounding errors where coordinates are at most `farthest`, in cells.
fn slack(farthest: f64) -> f64 {
    (farthest + 1.0) * (4.0 * f64::from(Real::EPSILON) + 64.0 * f64::EPSILON)
}
