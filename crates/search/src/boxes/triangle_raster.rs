//! Points near triangles: points lie in a hash table, and triangles only look.
//!
//! Ahmad, "Hash tables for physical based simulations", "Polygons checking". Each point is entered
//! in its cell; a triangle is entered nowhere, but walks the cells that its surface passes and
//! those next to it ("rasterization"), which saves the memory that flat triangles would fill as
//! boxes. The edge of a cell is the mean edge of the triangles ([`mean_edge`]).
//!
//! "I personally use two hash tables": one with cells of the support radius for neighbours, which
//! is the scene's neighbour structure, and this one for collisions, because triangles know nothing
//! of the support radius.
//!
//! # The walk
//!
//! The article's scanline, as printed, misses cells, as it says itself: it steps by one cell along
//! one edge, so lines fan out where the other edge is longer, and it steps over the corners of
//! cells. Of the cells that hold a point of triangles some eight cells wide it misses two in five
//! (a test below). Here the surface is cut, not sampled. Let w be the axis on which the triangle's
//! normal is the longest, so that depth along w changes by at most one for each step on the others,
//! and u and v the other two. For each row of cells on v, cut the triangle to the row grown by the
//! reach; for each column of the row on u, cut what is left to the column grown by the reach. The
//! cells from the least depth of the rest to the greatest, both grown by the reach, are visited. No
//! point is missed: a point p within reach of the triangle has its nearest point q there within
//! reach on each axis. So q lies in the grown row and column of p's cell and survives the cuts, and
//! p's depth is within reach of q's.
//!
//! Nothing divides by the normal, so triangles without area and needles are no special case: w is
//! then some axis, and costs cells at worst.
//!
//! # Rounding
//!
//! All is in double precision, in units of cells, with M the largest coordinate around the grown
//! triangle. Cells of points come from rounded quotients, off by M·ε of [`Real`] at most; a cut
//! puts a corner by interpolation between two others, off by a few M·ε of f64. Cutting corners that
//! are off moves each point of the triangle as little, so with rows, columns and depths grown by
//! the sum of these errors ([`slack`]), the above holds for what is computed.
//!
//! Deviations, besides: a slot of the table keeps the cell of each of its points, so cells that
//! share a slot cost time and are never mixed up. The time stamp is that of the slot, not of each
//! point in it (as in Teschner et al. 2003), and its list keeps its memory. A triangle that would
//! walk more cells than there are slots goes through all points instead.

use crate::cells::cell_table::{hash, home};
use hashfall_core::cell::{Cell, cell_of};
use hashfall_core::geometry::{Aabb, Point};
use hashfall_core::{Real, Vec3};

/// The shortest table.
const MIN_SLOTS: usize = 16;

/// The most corners of a triangle that was cut four times.
const MAX_CORNERS: usize = 7;

/// Points in hashed cells, for triangles to look up.
#[derive(Clone, Debug, Default)]
pub struct TriangleRaster {
    /// Edge of a cell \[m\].
    size: Real,
    points: Vec<Vec3>,
    cells: TimestampedCells,
}

/// A table of fixed length that is emptied by counting on.
#[derive(Clone, Debug, Default)]
struct TimestampedCells {
    stamp: u32,
    /// A power of two of them, or none.
    slots: Vec<Slot>,
}

/// The points of some cells.
#[derive(Clone, Debug, Default)]
struct Slot {
    /// When the list was written; it counts only now.
    stamp: u32,
    points: Vec<(Cell, u32)>,
}

impl TimestampedCells {
    /// Empties the table, and lengthens it for more points than ever.
    fn begin(&mut self, points: usize) {
        let wanted = points.max(MIN_SLOTS).next_power_of_two();
        if wanted > self.slots.len() || self.stamp == u32::MAX {
            let slots = wanted.max(self.slots.len());
            self.slots.clear();
            self.slots.resize(slots, Slot::default());
            self.stamp = 0;
        }
        self.stamp += 1;
    }

    fn insert(&mut self, cell: Cell, point: u32) {
        let slot = home(hash(cell), self.slots.len());
        let slot = &mut self.slots[slot];
        if slot.stamp != self.stamp {
            slot.stamp = self.stamp;
            slot.points.clear();
        }
        slot.points.push((cell, point));
    }

    #[inline]
    fn for_each(&self, cell: Cell, mut visit: impl FnMut(u32)) {
        let slot = &self.slots[home(hash(cell), self.slots.len())];
        if slot.stamp == self.stamp {
            let here = slot.points.iter().filter(|&&(other, _)| other == cell);
            here.for_each(|&(_, point)| visit(point));
        }
    }
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
    /// Enters `points` in cells of edge `size` \[m\].
    ///
    /// # Panics
    /// If a point is not finite, or the size not above zero.
    pub fn rebuild(&mut self, points: &[Vec3], size: Real) {
        assert!(size > 0.0 && size.is_finite(), "cells of {size} m");
        crate::contract::assert_count(points.len());
        self.size = size;
        self.points.clear();
        self.points.extend_from_slice(points);
        self.cells.begin(points.len());
        for (number, point) in (0..).zip(points) {
            let is_sound = point.iter().all(|x| x.is_finite());
            assert!(is_sound, "point {number} is not finite: {point:?}");
            self.cells.insert(cell_of(point, size), number);
        }
    }

    /// Visits a superset of the points that are not farther than `reach` \[m\] from a triangle,
    /// each once, in any order. No point is near a triangle that is not finite.
    pub fn near(&self, corners: &[Vec3; 3], reach: Real, mut visit: impl FnMut(u32)) {
        let around = Aabb::around(corners);
        let is_finite = corners.iter().all(|corner| corner.iter().all(|x| x.is_finite()));
        if self.points.is_empty() || !is_finite || reach < 0.0 || !reach.is_finite() {
            return;
        }
        let walk = Walk::new(corners, reach, self.size);
        if walk.is_longer_than(self.cells.slots.len()) {
            let wide = around.grown(reach);
            // Twice what growing may be off by.
            let wide = wide.grown(wide.min.amax().max(wide.max.amax()) * (2.0 * Real::EPSILON));
            let near = (0..).zip(&self.points).filter(|(_, point)| wide.contains(point));
            near.for_each(|(number, _)| visit(number));
        } else {
            walk.for_each_cell(|cell| self.cells.for_each(cell, &mut visit));
        }
    }

    /// Bytes that the structure holds, all in all.
    pub fn bytes(&self) -> usize {
        let lists = self.cells.slots.iter().map(|slot| size_of_val(&slot.points[..]));
        size_of_val(&self.points[..]) + size_of_val(&self.cells.slots[..]) + lists.sum::<usize>()
    }
}

/// A triangle on its way through the cells. Lengths are in cells.
struct Walk {
    surface: Polygon,
    /// How far from the surface points count, rounding included.
    reach: f64,
    /// The axes u, v and w.
    axes: [usize; 3],
}

impl Walk {
    fn new(corners: &[Vec3; 3], reach: Real, size: Real) -> Self {
        let in_cells = |x: Real| f64::from(x) / f64::from(size);
        let corners = corners.map(|corner| corner.map(in_cells));
        let reach = in_cells(reach);
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
    fn is_longer_than(&self, cells: usize) -> bool {
        let [columns, rows] = [self.axes[0], self.axes[1]].map(|axis| {
            let (low, high) = self.surface.range(axis);
            high - low + 2.0 * self.reach + 2.0
        });
        let count = columns * rows * (4.0 + 6.0 * self.reach);
        !count.is_finite() || count > cells as f64
    }

    /// Visits the cells near the surface, each once.
    fn for_each_cell(&self, mut visit: impl FnMut(Cell)) {
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

/// The sum of rounding errors where coordinates are at most `farthest`, in cells.
fn slack(farthest: f64) -> f64 {
    (farthest + 1.0) * (4.0 * f64::from(Real::EPSILON) + 64.0 * f64::EPSILON)
}

/// A convex polygon in space.
#[derive(Clone, Copy)]
struct Polygon {
    corners: [Point; MAX_CORNERS],
    count: usize,
}

impl Polygon {
    fn new(triangle: [Point; 3]) -> Self {
        let mut corners = [Point::zeros(); MAX_CORNERS];
        corners[..3].copy_from_slice(&triangle);
        Polygon { corners, count: 3 }
    }

    /// Its least and greatest coordinate; the wrong way round if it has no corners.
    fn range(&self, axis: usize) -> (f64, f64) {
        let coordinates = self.corners[..self.count].iter().map(|corner| corner[axis]);
        coordinates
            .fold((f64::INFINITY, -f64::INFINITY), |(low, high), x| (low.min(x), high.max(x)))
    }

    /// The part on one side of a plane: where `side` times the coordinate is not below `side` times
    /// `bound` (Sutherland & Hodgman 1974).
    fn cut(&self, axis: usize, bound: f64, side: f64) -> Polygon {
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

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::random::Random;
    use hashfall_core::geometry::triangle::offset_to_triangle;
    use std::collections::BTreeSet;

    /// No power of two, so that cell faces are rounded.
    const SIZE: Real = 0.1;

    fn exact(v: &Vec3) -> Point {
        v.map(f64::from)
    }

    /// Fails unless all points within reach are visited, and none twice, by the walk and by what
    /// may stand in for it; returns how many were.
    fn check(raster: &TriangleRaster, corners: &[Vec3; 3], reach: Real) -> usize {
        let [mut seen, mut walked] = [vec![], vec![]];
        raster.near(corners, reach, |point| seen.push(point));
        let walk = Walk::new(corners, reach, raster.size);
        walk.for_each_cell(|cell| raster.cells.for_each(cell, |point| walked.push(point)));
        for seen in [&mut seen, &mut walked] {
            seen.sort_unstable();
            assert!(seen.is_sorted_by(|a, b| a < b), "repeated for {corners:?}");
        }
        for (number, point) in (0..).zip(&raster.points) {
            let distance = offset_to_triangle(&exact(point), &corners.map(|c| exact(&c))).norm();
            if distance <= f64::from(reach) {
                let is_seen = [&seen, &walked].map(|seen| seen.binary_search(&number).is_ok());
                assert_eq!(is_seen, [true; 2], "{point:?} at {distance} of {corners:?}, {reach}");
            }
        }
        seen.len()
    }

    /// Points at random, on lattices of cell faces, and about a triangle at about the reach.
    fn points_near(random: &mut Random, corners: &[Vec3; 3], reach: Real) -> Vec<Vec3> {
        let around = Aabb::around(corners).grown(2.0 * reach + 2.0 * SIZE);
        let anywhere = |random: &mut Random| {
            let at = random.vec3(0.0, 1.0);
            around.min + at.component_mul(&around.extent())
        };
        let mut points: Vec<Vec3> = (0..150).map(|_| anywhere(random)).collect();
        points.extend((0..50).map(|_| anywhere(random).map(|x| (x / SIZE).round() * SIZE)));
        for _ in 0..150 {
            let [mut s, mut t] = [random.real(0.0, 1.0), random.real(0.0, 1.0)];
            if s + t > 1.0 {
                [s, t] = [1.0 - s, 1.0 - t];
            }
            let [a, b, c] = corners;
            let on = a + (b - a) * s + (c - a) * t;
            let direction = random.direction().map(|x| x as Real);
            points.extend([on, on + direction * reach, a + direction * reach]);
        }
        points
    }

    #[test]
    fn triangles_of_all_sizes_see_what_is_near() {
        let mut random = Random::new(1);
        let mut raster = TriangleRaster::default();
        for cells in [0.01, 0.3, 1.0, 4.0, 20.0, 100.0] {
            for reach in [0.0, 0.01, 0.5, 1.0, 2.5] {
                for _ in 0..6 {
                    let [edge, reach] = [cells * SIZE, reach * SIZE];
                    let place = random.vec3(-3.0, 3.0);
                    let corners = [(); 3].map(|()| place + random.vec3(-edge, edge));
                    raster.rebuild(&points_near(&mut random, &corners, reach), SIZE);
                    check(&raster, &corners, reach);
                }
            }
        }
    }

    #[test]
    fn flat_needle_and_point_triangles_see_what_is_near() {
        let mut random = Random::new(2);
        let mut raster = TriangleRaster::default();
        let face = |n: i32| n as Real * SIZE;
        let [o, x, y] = [[0, 0, 3], [7, 0, 3], [0, 5, 3]].map(|c| Vec3::from(c.map(face)));
        let off = Vec3::new(1e-7, 0.0, 1e-6);
        let turned = |v: Vec3, axis: usize| Vec3::from_fn(|a, _| v[(a + axis) % 3]);
        let triangles =
            [[o, x, y], [y, x, o], [o, x, x], [o, o, o], [o, x, x + off], [o, x * 0.5, x]];
        for corners in triangles {
            for axis in 0..3 {
                let corners = corners.map(|corner| turned(corner, axis));
                for reach in [0.0, SIZE, SIZE.next_down(), 0.37 * SIZE] {
                    let mut points = points_near(&mut random, &corners, reach);
                    // Exactly at the reach of the corners along each axis.
                    for corner in corners {
                        for a in 0..3 {
                            let step = Vec3::from_fn(|b, _| if a == b { reach } else { 0.0 });
                            points.extend([corner + step, corner - step]);
                        }
                    }
                    raster.rebuild(&points, SIZE);
                    check(&raster, &corners, reach);
                }
            }
        }
    }

    #[test]
    fn it_looks_along_the_surface_only() {
        let mut random = Random::new(3);
        let points: Vec<Vec3> = (0..60_000).map(|_| random.vec3(-1.0, 1.0)).collect();
        let mut raster = TriangleRaster::default();
        raster.rebuild(&points, SIZE);
        let corners = [[-1.0, -1.0, -1.0], [1.0, -1.0, 0.8], [-1.0, 1.0, 0.9]].map(Vec3::from);
        let seen = check(&raster, &corners, 0.1 * SIZE);
        assert!(seen < points.len() / 8, "{seen} of {}", points.len());
    }

    #[test]
    fn a_table_is_used_again_without_what_it_held() {
        let mut raster = TriangleRaster::default();
        let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Vec3::from);
        let points = vec![Vec3::new(0.2, 0.2, 0.01); 500];
        for count in [500, 3, 0, 77] {
            raster.rebuild(&points[..count], SIZE);
            assert_eq!(check(&raster, &corners, 0.05), count);
        }
        raster.cells.stamp = u32::MAX;
        raster.rebuild(&points[..5], SIZE);
        assert_eq!(check(&raster, &corners, 0.05), 5);
        raster.near(&[corners[0].map(|_| Real::NAN); 3], 1.0, |_| panic!("near a NaN"));
    }

    #[test]
    fn the_cell_is_the_mean_edge() {
        let corners = [[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 4.0, 0.0]].map(Vec3::from);
        assert_eq!(mean_edge([&corners]), Some(4.0));
        assert_eq!(mean_edge([]), None);
        assert_eq!(mean_edge([&[corners[0]; 3]]), None);
    }

    /// The cells of the article's scanline as printed, with its cell sizes taken for one.
    fn scanline([p0, p1, p2]: [Point; 3], size: f64) -> BTreeSet<Cell> {
        const EPSILON: f64 = 1e-6;
        let [v1, v2, v3] = [p1 - p0, p2 - p0, p2 - p1];
        let step_u = size / v1.norm() - EPSILON;
        let mut cells = BTreeSet::new();
        let mut u = 0.0;
        while u <= 1.0 + step_u {
            let [pu, pv] = [p0 + v1 * u, p0 + v2 * u];
            let scan = if (pv - pu).dot(&v3) < 0.0 { pu - pv } else { pv - pu };
            // The first line has no length, and so an endless step: one point.
            let step = size / scan.norm() - EPSILON;
            let mut s = 0.0;
            while s <= 1.0 {
                let at = (pu + scan * s) / size;
                cells.insert([at.x, at.y, at.z].map(|x| x.floor() as i32));
                s += step;
            }
            u += step_u;
        }
        cells
    }

    #[test]
    fn the_scanline_of_the_article_misses_cells() {
        let mut random = Random::new(4);
        let [mut passed, mut missed] = [0, 0];
        for _ in 0..100 {
            let corners = [(); 3].map(|()| random.point(-0.4, 0.4));
            let scanned = scanline(corners, 0.1);
            // Cells that hold a point of the surface for sure.
            let mut sampled = BTreeSet::new();
            for i in 0..=80 {
                for j in 0..=80 - i {
                    let [s, t] = [i, j].map(|n| f64::from(n) / 80.0);
                    let [a, b, c] = corners;
                    let at = (a + (b - a) * s + (c - a) * t) / 0.1;
                    sampled.insert([at.x, at.y, at.z].map(|x| x.floor() as i32));
                }
            }
            passed += sampled.len();
            missed += sampled.difference(&scanned).count();
            let ours = corners.map(|corner| corner.map(|x| x as Real));
            let mut walked = BTreeSet::new();
            Walk::new(&ours, 0.0, SIZE).for_each_cell(|cell| assert!(walked.insert(cell)));
            assert!(sampled.difference(&walked).count() * 1000 <= sampled.len());
        }
        // 1109 of 2750.
        assert!(missed * 3 > passed, "{missed} of {passed} missed");
    }
}
