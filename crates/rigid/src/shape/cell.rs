//! The part of a solid in a box: its volume and its convex hull, exact but for rounding.
//!
//! The hull of a mesh's solid within a box is that of the corners of its triangles clipped to the
//! box, and of the box's own corners that lie in the solid: every extreme point is one of these. A
//! triangle in a side of the box counts only for the box on the side of the solid that it bounds.
//! The volume is a sum over triangles, since along a line in x the length inside is the sum of
//! where the line leaves less that of where it enters, both clamped to the box:
//!   V = Σ ± ∫∫ (clamp(x(y, z), x₀, x₁) − x₀) dy dz
//! over each triangle clipped to the box in y and z.

use super::bounds::Bounds;
use super::convex_hull::ConvexHull;
use hashfall_geometry::{Interior, Point};

/// Corners nearer than this share of the box are one \[–\].
const SAME_CORNER: f64 = 1e-9;
/// Whether a corner of the box lies in the solid is asked as far from it as this share of the way
/// to
/// the middle: on the surface itself either answer may come \[–\].
const NUDGE: f64 = 1e-9;
/// A smaller share of a box is no solid in it \[–\].
const EMPTY: f64 = 1e-9;

/// A hull that exceeds its solid by a smaller share holds nothing beyond \[–\].
const CONVEX: f64 = 1e-9;

/// Places on each axis where a cell may be cut, as shares of its side \[–\].
const SHARES: [f64; 5] = [0.5, 0.25, 0.75, 0.375, 0.625];
/// As many corners of the solid are tried as places of a cut on an axis.
const MAX_CORNER_CUTS: usize = 8;

/// A convex polygon in space.
type Polygon = Vec<Point>;

/// The part of a solid in a box.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    bounds: Bounds,
    /// Triangles clipped to the box in y and z, and to its low side in x.
    column: Vec<Polygon>,
    /// Volume of the solid in the box \[m³\].
    pub(super) volume: f64,
    /// The hull of the solid in the box; none if that is flat, or empty.
    pub(super) hull: Option<ConvexHull>,
}

impl Cell {
    /// The whole solid of triangles.
    pub(super) fn whole(triangles: Vec<Polygon>, interior: &Interior) -> Self {
        let corners = triangles.iter().flatten();
        let bounds = corners.fold(Bounds::EMPTY, |around, p| around.with(p));
        Cell::new(bounds, triangles, interior)
    }

    fn new(bounds: Bounds, column: Vec<Polygon>, interior: &Interior) -> Self {
        let volume = column.iter().map(|polygon| volume_below(polygon, &bounds)).sum();
        let mut cell = Cell { bounds, column, volume, hull: None };
        cell.hull = ConvexHull::new(&cell.corners(interior)).ok();
        cell
    }

    /// What the hull holds beyond the solid, or lacks by rounding; without a hull, the solid that
    /// is
    /// lost \[m³\].
    pub(super) fn excess(&self) -> f64 {
        match &self.hull {
            Some(hull) => (hull.volume() - self.volume).abs(),
            None => self.volume.abs(),
        }
    }

    /// The same, but without a hull the whole box, if there is solid in it: such a cell is to be
    /// avoided, or cut on.
    pub(super) fn cost(&self) -> f64 {
        let whole = self.side(0) * self.side(1) * self.side(2);
        let is_lost = self.hull.is_none() && self.volume.abs() > EMPTY * whole;
        if is_lost { whole } else { self.excess() }
    }

    /// Whether its solid is its hull.
    pub(super) fn is_convex(&self) -> bool {
        self.hull.as_ref().is_some_and(|hull| self.excess() <= CONVEX * hull.volume())
    }

    /// Length of the box along an axis \[m\].
    pub(super) fn side(&self, axis: usize) -> f64 {
        self.bounds.max[axis] - self.bounds.min[axis]
    }

    /// The least cost of the cell, or of its halves across the middle of one axis.
    pub(super) fn cost_of_next(&self, interior: &Interior) -> f64 {
        let middle = |axis: usize| 0.5 * (self.bounds.min[axis] + self.bounds.max[axis]);
        let halves = (0..3).map(|axis| self.split(axis, middle(axis), interior));
        halves.map(|[a, b]| a.cost() + b.cost()).fold(self.cost(), f64::min)
    }

    /// Places where the cell may be cut across an axis, at least `margin` from its sides \[m\]: at
    /// corners of the solid, evenly chosen among theirs, and at shares of the side. Of cuts that
    /// are
    /// as good the first is taken, so that faces come before places in the air.
    pub(super) fn cuts(&self, axis: usize, margin: f64) -> Vec<f64> {
        let (low, high) = (self.bounds.min[axis], self.bounds.max[axis]);
        let mut corners: Vec<f64> = self.column.iter().flatten().map(|p| p[axis]).collect();
        let is_within = |at: &f64| low + margin <= *at && *at <= high - margin;
        corners.retain(is_within);
        corners.sort_by(f64::total_cmp);
        corners.dedup();
        let count = corners.len().min(MAX_CORNER_CUTS);
        let chosen = (0..count).map(|k| corners[(2 * k + 1) * corners.len() / (2 * count)]);
        let shares = SHARES.iter().map(|share| low + share * (high - low)).filter(is_within);
        chosen.chain(shares).collect()
    }

    /// The two parts of the cell below and above a place on an axis.
    pub(super) fn split(&self, axis: usize, at: f64, interior: &Interior) -> [Cell; 2] {
        let (mut low, mut high) = (self.bounds, self.bounds);
        (low.max[axis], high.min[axis]) = (at, at);
        let clip = |is_upper: bool| {
            let clipped = self.column.iter().map(|polygon| clipped(polygon, axis, at, is_upper));
            clipped.filter(|polygon| polygon.len() > 2).collect()
        };
        // What is above in x bounds what is below.
        let below = if axis == 0 { self.column.clone() } else { clip(false) };
        [Cell::new(low, below, interior), Cell::new(high, clip(true), interior)]
    }

    /// Whether a polygon lies in a side of the box, and the solid that it bounds is on the other
    /// side.
    fn has_solid_beyond(&self, polygon: &[Point]) -> bool {
        let Bounds { min, max } = self.bounds;
        (0..3).any(|axis| {
            let lies_at = |at: f64| polygon.iter().all(|p| p[axis] == at);
            let faces = || area_and_moment(polygon, axis, 0.0)[0];
            lies_at(min[axis]) && faces() > 0.0 || lies_at(max[axis]) && faces() < 0.0
        })
    }

    /// Points whose hull is that of the solid in the box.
    fn corners(&self, interior: &Interior) -> Vec<Point> {
        let Bounds { min, max } = self.bounds;
        let polygons = self.column.iter().map(|polygon| clipped(polygon, 0, max.x, false));
        let bounding =
            polygons.filter(|polygon| polygon.len() > 2 && !self.has_solid_beyond(polygon));
        let mut corners: Vec<Point> = bounding.flatten().collect();
        let middle = 0.5 * (min + max);
        for number in 0..8 {
            let end = |axis: usize| if number >> axis & 1 == 0 { min[axis] } else { max[axis] };
            let corner = Point::from_fn(|axis, _| end(axis));
            let within = corner.lerp(&middle, NUDGE);
            if interior.crossings(&within).map(|(_, sign)| sign).sum::<i32>() != 0 {
                corners.push(corner);
            }
        }
        let grid = SAME_CORNER * (max - min).max();
        // The corners of neighbouring triangles differ by rounding.
        let key = |p: &Point| (p - min).map(|x| (x / grid).round() as i64);
        corners.sort_by(|p, q| {
            let (p, q) = (key(p), key(q));
            p.x.cmp(&q.x).then(p.y.cmp(&q.y)).then(p.z.cmp(&q.z))
        });
        corners.dedup_by(|p, q| key(p) == key(q));
        corners
    }
}

/// The part of a polygon at or above a place on an axis, or at or below it (Sutherland & Hodgman
/// 1974).
fn clipped(polygon: &[Point], axis: usize, at: f64, is_upper: bool) -> Polygon {
    let height = |p: &Point| if is_upper { p[axis] - at } else { at - p[axis] };
    let mut out = Vec::with_capacity(polygon.len() + 1);
    let next = polygon.iter().cycle().skip(1);
    for (a, b) in polygon.iter().zip(next) {
        let (from, to) = (height(a), height(b));
        if from >= 0.0 {
            out.push(*a);
        }
        if (from < 0.0) != (to < 0.0) && from != 0.0 && to != 0.0 {
            let mut crossing = a + (b - a) * (from / (from - to));
            crossing[axis] = at;
            out.push(crossing);
        }
    }
    out
}

/// What a polygon adds to the volume of a box \[m³\]: below it, within the box's span in x.
fn volume_below(polygon: &[Point], bounds: &Bounds) -> f64 {
    let (low, high) = (bounds.min.x, bounds.max.x);
    let inside = clipped(&clipped(polygon, 0, low, true), 0, high, false);
    let beyond = clipped(polygon, 0, high, true);
    let [_, height] = area_and_moment(&inside, 0, low);
    // One that lies in the high side is inside.
    let is_beyond = polygon.iter().any(|p| p.x > high);
    let [area, _] = if is_beyond { area_and_moment(&beyond, 0, low) } else { [0.0; 2] };
    height + area * (high - low)
}

/// The area of a polygon seen along an axis, positive if it faces its way, and the integral over it
/// of the height above `low` along that axis.
fn area_and_moment(polygon: &[Point], axis: usize, low: f64) -> [f64; 2] {
    let Some((first, rest)) = polygon.split_first() else { return [0.0; 2] };
    let (right, up) = ((axis + 1) % 3, (axis + 2) % 3);
    rest.windows(2).fold([0.0; 2], |[area, moment], ends| {
        let [u, v] = [ends[0] - first, ends[1] - first];
        let part = 0.5 * (u[right] * v[up] - u[up] * v[right]);
        let mean = (first[axis] - low) + (u[axis] + v[axis]) / 3.0;
        [area + part, moment + part * mean]
    })
}

#[cfg(test)]
mod tests {
    use super::super::test_meshes::{cup, glass, l_prism, turned};
    use super::*;
    use hashfall_core::geometry::random::Random;
    use hashfall_core::{Real, to_f64};
    use hashfall_geometry::TriangleMesh;

    fn whole(mesh: &TriangleMesh) -> (Cell, Interior) {
        let corners = |t: usize| mesh.corners(t).map(|v| Point::from(to_f64(&v)));
        let triangles: Vec<[Point; 3]> = (0..mesh.triangles.len()).map(corners).collect();
        let interior = Interior::from_points(triangles.clone());
        (Cell::whole(triangles.iter().map(|t| t.to_vec()).collect(), &interior), interior)
    }

    #[test]
    fn faces_in_a_side_of_a_cell_count_once_and_for_the_cell_of_their_solid() {
        let (cell, interior) = whole(&l_prism());
        // Where the face of one block is: that bounds the lower cell, and is none of the other's.
        let depth = cell.side(1);
        for (axis, at, volumes) in
            [(0, 0.3125, [0.3125 * 1.5, 0.6875 * 0.25]), (2, 0.25, [1.0 * 0.25, 0.3125 * 1.25])]
        {
            for (half, area) in cell.split(axis, at, &interior).iter().zip(volumes) {
                let hull = half.hull.as_ref().unwrap();
                assert_eq!([half.volume, hull.volume()], [area * depth; 2], "across {axis}");
                assert_eq!(hull.vertices.len(), 8);
            }
        }
    }

    #[test]
    fn a_corner_of_a_cell_on_a_reflex_edge_is_a_corner_of_its_hull() {
        // On a surface either answer may come whether a point is inside, by where the surface
        // faces.
        for mirrored in 0..8 {
            let is_mirrored = |axis: usize| mirrored >> axis & 1 == 1;
            let sign = |axis: usize| if is_mirrored(axis) { -1.0 } else { 1.0 };
            let mut mesh = l_prism();
            mesh.vertices.iter_mut().for_each(|v| (0..3).for_each(|a| v[a] *= sign(a) as Real));
            if (0..3).filter(|&axis| is_mirrored(axis)).count() % 2 == 1 {
                mesh = mesh.flipped();
            }
            let (mut cell, interior) = whole(&mesh);
            // The edge is at x = 0.3125, z = 0.25, and the cell ends in its middle: no face is
            // near.
            let middle = 0.5 * (cell.bounds.min.y + cell.bounds.max.y);
            for (axis, at) in [(0, sign(0) * 0.3125), (1, middle), (2, sign(2) * 0.25)] {
                let [low, high] = cell.split(axis, at, &interior);
                cell = if is_mirrored(axis) { high } else { low };
            }
            let hull = cell.hull.as_ref().unwrap();
            assert_eq!(hull.volume(), cell.volume, "{mirrored}");
        }
    }

    #[test]
    fn cells_of_any_cuts_have_the_volume_of_the_solid_and_hulls_that_hold_theirs() {
        let mut random = Random::new(12);
        let glass = glass(12, 0.1);
        for mesh in [l_prism(), cup(), turned(glass.clone(), [0.4, -0.2, 0.9]), glass] {
            let (cell, interior) = whole(&mesh);
            let mut cells = vec![cell];
            for _ in 0..60 {
                let cell = cells.swap_remove(random.number(0.0, cells.len() as f64) as usize);
                let axis = random.number(0.0, 3.0) as usize;
                let cuts = cell.cuts(axis, 1e-3);
                let Some(&at) = cuts.get(random.number(0.0, cuts.len() as f64) as usize) else {
                    cells.push(cell);
                    continue;
                };
                cells.extend(cell.split(axis, at, &interior));
            }
            let sum: f64 = cells.iter().map(|cell| cell.volume).sum();
            let volume = mesh.signed_volume();
            assert!((sum - volume).abs() < 1e-14 * volume, "{sum} {volume}");
            for cell in &cells {
                let hull = cell.hull.as_ref().map_or(0.0, ConvexHull::volume);
                assert!(hull > cell.volume - 1e-9 * volume, "{hull} {}", cell.volume);
            }
        }
    }
}
