//! The part of a solid in a box: its volume and its convex hull, exact but for rounding.
//!
//! The hull of a mesh's solid within a box is that of the corners of its triangles clipped to the
//! box, and of the box's own corners that lie in the solid: every extreme point is one of these.
//! The volume is a sum over triangles, since along a line in x the length inside is the sum of
//! where the line leaves less that of where it enters, both clamped to the box:
//!   V = Σ ± ∫∫ (clamp(x(y, z), x₀, x₁) − x₀) dy dz
//! over each triangle clipped to the box in y and z.

use super::bounds::Bounds;
use super::convex_hull::ConvexHull;
use hashfall_geometry::{Interior, Point};

/// Corners nearer than this share of the box are one \[–\].
const SAME_CORNER: f64 = 1e-9;
/// A smaller share of a box is no solid in it \[–\].
const EMPTY: f64 = 1e-9;

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

    /// What the hull holds beyond the solid; without a hull, the solid that is lost \[m³\].
    pub(super) fn excess(&self) -> f64 {
        match &self.hull {
            Some(hull) => (hull.volume() - self.volume).max(0.0),
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
    /// shares of the side, and at corners of the solid, evenly chosen among theirs.
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
        shares.chain(chosen).collect()
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

    /// Points whose hull is that of the solid in the box.
    fn corners(&self, interior: &Interior) -> Vec<Point> {
        let Bounds { min, max } = self.bounds;
        let polygons = self.column.iter().map(|polygon| clipped(polygon, 0, max.x, false));
        let mut corners: Vec<Point> = polygons.flatten().collect();
        for number in 0..8 {
            let end = |axis: usize| if number >> axis & 1 == 0 { min[axis] } else { max[axis] };
            let corner = Point::from_fn(|axis, _| end(axis));
            if interior.crossings(&corner).map(|(_, sign)| sign).sum::<i32>() != 0 {
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
    let [_, height] = area_and_moment(&inside, low);
    // One that lies in the high side is inside.
    let is_beyond = polygon.iter().any(|p| p.x > high);
    let [area, _] = if is_beyond { area_and_moment(&beyond, low) } else { [0.0; 2] };
    height + area * (high - low)
}

/// The area of a polygon seen along x, positive if it faces +x, and the integral of x − `low` over
/// it.
fn area_and_moment(polygon: &[Point], low: f64) -> [f64; 2] {
    let Some((first, rest)) = polygon.split_first() else { return [0.0; 2] };
    rest.windows(2).fold([0.0; 2], |[area, moment], ends| {
        let [u, v] = [ends[0] - first, ends[1] - first];
        let part = 0.5 * (u.y * v.z - u.z * v.y);
        let mean = (first.x - low) + (u.x + v.x) / 3.0;
        [area + part, moment + part * mean]
    })
}
