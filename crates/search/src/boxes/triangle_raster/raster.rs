//! Points in cells, and how triangles look them up.

use super::scanline;
use super::table::CellLists;
use super::walk::{Walk, corners_in_cells};
use hashfall_core::cell::cell_of;
use hashfall_core::geometry::Aabb;
use hashfall_core::{Real, Vec3};

/// The shortest table that is made by itself.
const MIN_SLOTS: usize = 16;

/// Points in hashed cells, for triangles to look up.
#[derive(Clone, Debug, Default)]
pub struct TriangleRaster {
    /// Edge of a cell \[m\].
    pub(super) size: Real,
    pub(super) lists: CellLists,
}

/// The mean edge of some triangles \[m\]: the edge of a cell that the article advises; none if they
/// have none.
pub fn mean_edge<'a>(triangles: impl IntoIterator<Item = &'a [Vec3; 3]>) -> Option<Real> {
    let [mut sum, mut count] = [0.0, 0.0];
    for corners in triangles {
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            sum += f64::from((corners[b] - corners[a]).norm());
            count += 1.0;
        }
    }
    let mean = (sum / count) as Real;
    (mean > 0.0).then_some(mean)
}

impl TriangleRaster {
    /// Enters `points` in cells of edge `size` \[m\], in a table of at least as many slots.
    ///
    /// # Panics
    /// If a point is not finite, or the size not above zero.
    pub fn rebuild(&mut self, points: &[Vec3], size: Real) {
        for (number, point) in points.iter().enumerate() {
            let is_sound = point.iter().all(|x| x.is_finite());
            assert!(is_sound, "point {number} is not finite: {point:?}");
        }
        let slots = points.len().max(MIN_SLOTS).next_power_of_two().max(self.lists.slots());
        // Items without a size of their own: only their numbers count.
        self.rebuild_by(&mut vec![(); points.len()], size, slots, |number, ()| points[number]);
    }

    /// Enters items in cells of edge `size` \[m\], in a table of `slots`, each where `place` says,
    /// which is called once for each item, side by side: so what moves items can enter them. An
    /// item that is nowhere finite is near nothing.
    ///
    /// # Panics
    /// If the size is not above zero, or there is no slot.
    pub fn rebuild_by<T: Send>(
        &mut self,
        items: &mut [T],
        size: Real,
        slots: usize,
        place: impl Fn(usize, &mut T) -> Vec3 + Sync,
    ) {
        assert!(size > 0.0 && size.is_finite(), "cells of {size} m");
        assert!(slots > 0, "a table without slots");
        crate::contract::assert_count(items.len());
        self.size = size;
        self.lists.rebuild(items, size, slots, place);
    }

    /// Visits a superset of the points that are not farther than `reach` \[m\] from a triangle,
    /// each once, in any order. No point is near a triangle that is not finite.
    pub fn near(&self, corners: &[Vec3; 3], reach: Real, mut visit: impl FnMut(u32)) {
        if self.is_nothing_near(corners) || reach < 0.0 || !reach.is_finite() {
            return;
        }
        let wide = Aabb::around(corners).grown(reach);
        // Twice what growing may be off by.
        let wide = wide.grown(wide.min.amax().max(wide.max.amax()) * (2.0 * Real::EPSILON));
        let walk = Walk::new(corners, reach, self.size);
        if walk.is_longer_than(self.lists.entries().len()) {
            self.filter(&wide, visit);
        } else {
            walk.for_each_cell(|cell| {
                self.lists.for_each(cell, |number, point| {
                    if wide.contains(point) {
                        visit(number);
                    }
                });
            });
        }
    }

    /// Visits points of the cells that the article's scanline passes,
    /// some of them many times; it misses some cells. A triangle of more cells than there are
    /// points sees those in its box.
    pub fn scan(&self, corners: &[Vec3; 3], mut visit: impl FnMut(u32)) {
        if self.is_nothing_near(corners) {
            return;
        }
        if Walk::new(corners, 0.0, self.size).is_longer_than(self.lists.entries().len()) {
            return self.filter(&Aabb::around(corners), visit);
        }
        let scaled = corners_in_cells(corners, self.size);
        scanline::for_each_cell(&scaled, |cell| {
            self.lists.for_each(cell, |number, _| visit(number));
        });
    }

    /// Visits the points in a box, each once, in any order.
    pub fn inside(&self, bounds: &Aabb, mut visit: impl FnMut(u32)) {
        let corners = [bounds.min, bounds.max];
        if bounds.is_empty() || self.lists.entries().is_empty() {
            return;
        }
        // Quotients are rounded, and stay in order: a point inside is in none but these cells.
        let [low, high] = corners.map(|corner| cell_of(&corner, self.size));
        let counts = [0, 1, 2].map(|a| (i64::from(high[a]) - i64::from(low[a]) + 1) as f64);
        if counts.iter().product::<f64>() > self.lists.entries().len() as f64 {
            return self.filter(bounds, visit);
        }
        for z in low[2]..=high[2] {
            for y in low[1]..=high[1] {
                for x in low[0]..=high[0] {
                    self.lists.for_each([x, y, z], |number, point| {
                        if bounds.contains(point) {
                            visit(number);
                        }
                    });
                }
            }
        }
    }

    /// Bytes that the structure holds, all in all.
    pub fn bytes(&self) -> usize {
        self.lists.bytes()
    }

    /// Whether no point can be near a triangle.
    fn is_nothing_near(&self, corners: &[Vec3; 3]) -> bool {
        let is_finite = corners.iter().all(|corner| corner.iter().all(|x| x.is_finite()));
        self.lists.entries().is_empty() || !is_finite
    }

    /// Visits the points in a box by looking at all.
    fn filter(&self, bounds: &Aabb, mut visit: impl FnMut(u32)) {
        let all = (0..).zip(self.lists.entries());
        let inside = all.filter(|(_, entry)| bounds.contains(&entry.point));
        inside.for_each(|(number, _)| visit(number));
    }
}
