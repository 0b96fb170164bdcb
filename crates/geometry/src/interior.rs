//! Is this point inside a closed mesh?
//!
//! A ray from the point along +x crosses the surface; crossings from inside count +1, from outside
//! −1, and the sum is the winding number: 0 outside. Which triangles the ray meets is decided in
//! the (y, z) plane. A ray that hits an edge or corner exactly is thought to be moved a little
//! towards +y and much less towards +z (Edelsbrunner & Mücke, Simulation of simplicity (1990)),
//! and an edge is always measured from the same end, so that triangles which share it agree: every
//! ray of a closed mesh meets each edge's two sides once.
//!
//! Triangles are kept in buckets over (y, z), about as many as there are triangles; fewer if many
//! triangles are long and oblique, so that memory stays in proportion to their number.

use std::ops::RangeInclusive;

use super::{Point, TriangleMesh};
use hashfall_core::{Vec3, to_f64};

/// Rays along each axis of the box around a mesh, in sums of its volume.
const RAYS: usize = 128;

/// More than rounding takes from the place of a ray among the others \[–\].
const ROUNDING: f64 = 1e-6;

/// A closed mesh, prepared for many questions.
#[derive(Clone, Debug)]
pub struct Interior {
    triangles: Vec<[Point; 3]>,
    buckets: Buckets,
}

impl Interior {
    /// Prepares a mesh that is closed; of an open one the answers mean nothing.
    pub fn new(mesh: &TriangleMesh) -> Self {
        Interior::from_triangles((0..mesh.triangles.len()).map(|t| mesh.corners(t)))
    }

    /// The same of some triangles that are closed together.
    pub(super) fn from_triangles(triangles: impl Iterator<Item = [Vec3; 3]>) -> Self {
        let exact = |v: Vec3| Point::from(to_f64(&v));
        Interior::from_points(triangles.map(|corners| corners.map(exact)).collect())
    }

    /// Prepares the triangles of closed meshes.
    pub fn from_points(triangles: Vec<[Point; 3]>) -> Self {
        Interior { buckets: Buckets::new(&triangles), triangles }
    }

    /// Whether the point lies inside; on the surface either answer may come.
    pub fn contains(&self, point: &Vec3) -> bool {
        self.winding_number(&Point::from(to_f64(point))) != 0
    }

    /// The volume of all that lies inside \[m³\]: that of [`enclosed_volume`].
    pub fn volume(&self) -> f64 {
        volume(&|t| self.triangles[t], self.triangles.len())
    }

    /// The triangles that the ray from `point` along +x crosses, each with +1 if it leaves there
    /// and −1 if it enters: their sum over a closed mesh is its winding number.
    pub fn crossings(&self, point: &Point) -> impl Iterator<Item = (usize, i32)> {
        let met = self.buckets.at(point).iter().map(|&t| t as usize);
        let crossed = met.map(move |t| (t, ray_crossing(point, &self.triangles[t])));
        crossed.filter(|(_, sign)| *sign != 0)
    }

    /// How often the surface goes around the point.
    pub(super) fn winding_number(&self, point: &Point) -> i32 {
        self.crossings(point).map(|(_, sign)| sign).sum()
    }
}

/// The volume of all that lies inside a closed mesh \[m³\].
///
/// Where the surface goes around each point of it once, that is the volume by the divergence
/// theorem, which is exact but for rounding. What parts that overlap, or face opposite ways, take
/// away or add is summed along `RAYS`² rays.
pub fn enclosed_volume(mesh: &TriangleMesh) -> f64 {
    volume(&|t| mesh.corners(t).map(|v| Point::from(to_f64(&v))), mesh.triangles.len())
}

/// Where a ray meets a triangle: the number of the ray, the place along it, and ±1.
type Met = (usize, f64, i32);

fn volume(corners: &dyn Fn(usize) -> [Point; 3], count: usize) -> f64 {
    if count == 0 {
        return 0.0;
    }
    let [origin, ..] = corners(0);
    let [mut low, mut high] = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
    let mut six_fold = 0.0;
    for t in 0..count {
        let corners = corners(t);
        let [a, b, c] = corners.map(|v| v - origin);
        six_fold += a.dot(&b.cross(&c));
        for axis in 0..2 {
            for corner in &corners {
                low[axis] = low[axis].min(corner[axis + 1]);
                high[axis] = high[axis].max(corner[axis + 1]);
            }
        }
    }
    let step = [0, 1].map(|a| (high[a] - low[a]) / RAYS as f64);
    let at = |a: usize, k: usize| low[a] + (k as f64 + 0.5) * step[a];
    let mut met: Vec<Met> = Vec::new();
    for t in 0..count {
        let [a, b, c] = corners(t);
        // The rays through its bounding rectangle, and maybe one more.
        let [rows, columns] = [0, 1].map(|axis| {
            let [x, y, z] = [&a, &b, &c].map(|corner| corner[axis + 1]);
            let place = |x: f64| (x - low[axis]) / step[axis] - 0.5;
            let first = (place(x.min(y).min(z)) - ROUNDING).ceil().max(0.0) as usize;
            let end = (place(x.max(y).max(z)) + ROUNDING).floor() + 1.0;
            first..(end.max(0.0) as usize).min(RAYS)
        });
        for j in rows {
            for k in columns.clone() {
                let [y, z] = [at(0, j), at(1, k)];
                let start = Point::new(f64::NEG_INFINITY, y, z);
                let side = side_of_edge(&start, &a, &b);
                let is_met = side != 0
                    && side_of_edge(&start, &b, &c) == side
                    && side_of_edge(&start, &c, &a) == side;
                if is_met {
                    let normal = (b - a).cross(&(c - a));
                    let across = normal.y * (y - a.y) + normal.z * (z - a.z);
                    met.push((j * RAYS + k, a.x - across / normal.x, side));
                }
            }
        }
    }
    met.sort_by(|e, f| e.0.cmp(&f.0).then(e.1.total_cmp(&f.1)));
    let excess: f64 = met.chunk_by(|e, f| e.0 == f.0).map(excess).sum();
    six_fold / 6.0 + excess * step[0] * step[1]
}

/// Along a ray: the length inside, less the integral of the winding number.
fn excess(met: &[Met]) -> f64 {
    let mut winding = 0;
    let pieces = met.windows(2).map(|pair| {
        winding -= pair[0].2;
        (pair[1].1 - pair[0].1) * f64::from(i32::from(winding != 0) - winding)
    });
    pieces.sum()
}

/// +1 if the ray from `p` along +x leaves through the triangle, −1 if it enters, 0 if it misses:
/// the sum over a closed mesh is its winding number.
#[inline]
pub fn ray_crossing(p: &Point, [a, b, c]: &[Point; 3]) -> i32 {
    let side = side_of_edge(p, a, b);
    if side == 0 || side_of_edge(p, b, c) != side || side_of_edge(p, c, a) != side {
        return 0;
    }
    // The plane is met ahead if p is behind it as seen from where the ray goes.
    let height = (b - a).cross(&(c - a)).dot(&(p - a));
    if height * f64::from(side) < 0.0 { side } else { 0 }
}

/// On which side of the edge from `a` to `b` the point lies, seen along x: +1 left, −1 right; 0 if
/// the edge is seen end on.
fn side_of_edge(p: &Point, a: &Point, b: &Point) -> i32 {
    if (a.y, a.z, a.x) > (b.y, b.z, b.x) {
        return -side_of_edge(p, b, a);
    }
    let (along_y, along_z) = (b.y - a.y, b.z - a.z);
    let area = along_y * (p.z - a.z) - along_z * (p.y - a.y);
    // On the line, the point counts as moved to +y, then to +z.
    [area, -along_z, along_y].into_iter().find(|&s| s != 0.0).map_or(0, |s| s.signum() as i32)
}

/// How many cells a triangle may lie in on average: its entries then take at most 64 bytes, less
/// than its corners do.
const MAX_CELLS_PER_TRIANGLE: usize = 16;

/// A grid over (y, z) with the triangles whose bounding rectangles reach into each cell.
#[derive(Clone, Debug)]
struct Buckets {
    low: [f64; 2],
    high: [f64; 2],
    cells: usize,
    starts: Vec<usize>,
    triangles: Vec<u32>,
}

impl Buckets {
    fn new(triangles: &[[Point; 3]]) -> Self {
        let corners = || triangles.iter().flatten();
        let [low, high]: [[f64; 2]; 2] = [
            [1, 2].map(|axis| corners().map(|c| c[axis]).fold(f64::INFINITY, f64::min)),
            [1, 2].map(|axis| corners().map(|c| c[axis]).fold(f64::NEG_INFINITY, f64::max)),
        ];
        let cells = ((triangles.len() as f64).sqrt() as usize).max(1);
        let mut grid = Buckets { low, high, cells, starts: vec![], triangles: vec![] };
        // A long oblique triangle bounds O(cells²). In a single cell each triangle is but once.
        while grid.entries(triangles) > MAX_CELLS_PER_TRIANGLE * triangles.len() {
            grid.cells /= 2;
        }
        // Counting sort: first the number in each cell, then the triangles in their places.
        let last = grid.cells * grid.cells;
        let mut starts = vec![0; last + 1];
        triangles.iter().for_each(|t| grid.cells_of(t, |cell| starts[cell + 1] += 1));
        (0..last).for_each(|cell| starts[cell + 1] += starts[cell]);
        let mut next = starts.clone();
        let mut sorted = vec![0; starts[last]];
        for (t, corners) in triangles.iter().enumerate() {
            grid.cells_of(corners, |cell| {
                sorted[next[cell]] = t as u32;
                next[cell] += 1;
            });
        }
        grid.starts = starts;
        grid.triangles = sorted;
        grid
    }

    /// The column of cells that holds a coordinate; monotonous, so a triangle misses no point.
    fn column(&self, axis: usize, coordinate: f64) -> usize {
        let width = (self.high[axis] - self.low[axis]) / self.cells as f64;
        // A flat mesh has width 0; the cast takes NaN to 0.
        (((coordinate - self.low[axis]) / width) as usize).min(self.cells - 1)
    }

    /// The columns along y and along z that the triangle's bounding rectangle reaches into.
    fn columns_of(&self, corners: &[Point; 3]) -> [RangeInclusive<usize>; 2] {
        [0, 1].map(|axis| {
            let [a, b, c] = corners.map(|c| self.column(axis, c[axis + 1]));
            a.min(b).min(c)..=a.max(b).max(c)
        })
    }

    fn cells_of(&self, corners: &[Point; 3], mut visit: impl FnMut(usize)) {
        let [columns_y, columns_z] = self.columns_of(corners);
        for z in columns_z {
            columns_y.clone().for_each(|y| visit(z * self.cells + y));
        }
    }

    /// In how many cells the triangles lie, all together; counted without a visit to each cell.
    fn entries(&self, triangles: &[[Point; 3]]) -> usize {
        let length = |columns: RangeInclusive<usize>| columns.end() - columns.start() + 1;
        let in_cells = |t| self.columns_of(t).map(length).iter().product::<usize>();
        triangles.iter().map(in_cells).sum()
    }

    /// The triangles that a ray from `point` along x may meet.
    fn at(&self, point: &Point) -> &[u32] {
        let [y, z] = [point.y, point.z];
        if !(self.low[0]..=self.high[0]).contains(&y) || !(self.low[1]..=self.high[1]).contains(&z)
        {
            return &[];
        }
        let cell = self.column(1, z) * self.cells + self.column(0, y);
        &self.triangles[self.starts[cell]..self.starts[cell + 1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::shape::sphere_mesh;
    use hashfall_core::{Real, vec3};

    /// The winding number as a sum of solid angles (Van Oosterom & Strackee 1983).
    fn by_solid_angles(mesh: &TriangleMesh, p: &Point) -> f64 {
        let angle = |t: usize| {
            let [a, b, c] = mesh.corners(t).map(|v| Point::from(to_f64(&v)) - p);
            let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
            let triple = a.dot(&b.cross(&c));
            let rest = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
            2.0 * triple.atan2(rest)
        };
        (0..mesh.triangles.len()).map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
    }

    /// Two spheres that overlap, with a bubble (a sphere facing inwards) in one.
    fn foam() -> TriangleMesh {
        let mut foam = sphere_mesh(&Vec3::zeros(), 0.5, 3);
        foam.append(&sphere_mesh(&Vec3::new(0.6, 0.1, 0.0), 0.4, 2));
        foam.append(&sphere_mesh(&Vec3::new(-0.1, 0.0, 0.0), 0.2, 2).flipped());
        foam
    }

    /// A closed pipe of `4 * sides` triangles, oblique in y and z, `length` long and 0.1 thick.
    fn oblique_pipe(sides: u32, length: f64) -> TriangleMesh {
        let along = Point::new(0.0, 1.0, 1.0).normalize();
        let [across, upright] = [Point::x(), along.cross(&Point::x())];
        let end = [Point::zeros(), along * length];
        let rim = (0..sides).flat_map(|side| {
            let (sin, cos) = (std::f64::consts::TAU * f64::from(side) / f64::from(sides)).sin_cos();
            end.map(|centre| centre + (across * cos + upright * sin) * 0.05)
        });
        // The centres of the ends, then a corner at the near and at the far end for each side.
        let vertices = end.into_iter().chain(rim).map(|v| vec3(v.into())).collect();
        let triangles = (0..sides).flat_map(|side| {
            let [near, far] = [2 + 2 * side, 3 + 2 * side];
            let [next_near, next_far] = [near, far].map(|v| 2 + (v - 2 + 2) % (2 * sides));
            [
                [near, next_near, far],
                [next_near, next_far, far],
                [0, next_near, near],
                [1, far, next_far],
            ]
        });
        TriangleMesh { vertices, triangles: triangles.collect() }
    }

    #[test]
    fn it_agrees_with_solid_angles() {
        let mesh = foam();
        let interior = Interior::new(&mesh);
        let mut random = Random::new(8);
        let mut inside = 0;
        for _ in 0..3000 {
            let p = Point::from(to_f64(&vec3(random.point(-0.7, 1.1).into())));
            let expected = by_solid_angles(&mesh, &p).round() as i32;
            assert_eq!(interior.winding_number(&p), expected, "{p}");
            assert_eq!(interior.contains(&vec3(p.into())), expected != 0);
            inside += usize::from(expected != 0);
        }
        assert!((100..2900).contains(&inside));
    }

    #[test]
    fn rays_through_corners_and_edges_are_no_special_case() {
        // Each point is level with vertices of the mesh, so that rays hit corners and edges.
        let mesh = foam();
        let interior = Interior::new(&mesh);
        for v in &mesh.vertices {
            for x in [-0.66, -0.31, -0.05, 0.27, 0.44, 0.72, 1.2] {
                let p = Point::new(x, f64::from(v.y), f64::from(v.z));
                let expected = by_solid_angles(&mesh, &p);
                // Leave out points on the surface itself.
                if (expected - expected.round()).abs() < 1e-6 {
                    assert_eq!(interior.winding_number(&p), expected.round() as i32, "{p}");
                }
            }
        }
    }

    #[test]
    fn long_oblique_triangles_lie_in_few_buckets() {
        let mesh = oblique_pipe(3000, 40.0);
        let interior = Interior::new(&mesh);
        let buckets = &interior.buckets;
        assert!(buckets.triangles.len() <= MAX_CELLS_PER_TRIANGLE * mesh.triangles.len());
        assert_eq!(buckets.starts.len(), buckets.cells * buckets.cells + 1);
        assert_eq!(buckets.starts.last(), Some(&buckets.triangles.len()));
        let mut random = Random::new(3);
        let inside = (0..200).filter(|_| {
            let (x, height) = (random.number(-0.06, 0.06), random.number(0.0, 28.0));
            let p = Point::new(x, height, height + random.number(-0.06, 0.06));
            let expected = by_solid_angles(&mesh, &p).round() as i32;
            assert_eq!(interior.winding_number(&p), expected, "{p}");
            expected != 0
        });
        assert!((50..200).contains(&inside.count()));
    }

    #[test]
    fn compact_meshes_keep_a_bucket_for_each_triangle() {
        for subdivisions in 0..6 {
            let mesh = sphere_mesh(&Vec3::zeros(), 1.0, subdivisions);
            let buckets = Interior::new(&mesh).buckets;
            assert_eq!(buckets.cells, mesh.triangles.len().isqrt());
        }
    }

    #[test]
    fn the_volume_is_that_of_a_union() {
        let ball = |x: Real, subdivisions| sphere_mesh(&Vec3::new(x, 0.0, 0.0), 0.5, subdivisions);
        let one = ball(0.0, 3);
        assert!((Interior::new(&one).volume() - one.signed_volume()).abs() < 1e-12);
        let with = |other: TriangleMesh| {
            let mut both = one.clone();
            both.append(&other);
            Interior::new(&both).volume() / one.signed_volume()
        };
        assert!((with(ball(2.0, 3)) - 2.0).abs() < 1e-6);
        assert!((with(ball(2.0, 3).flipped()) - 2.0).abs() < 0.01);
        assert!((with(one.clone()) - 1.0).abs() < 0.01);
        // Two balls a radius apart share 5/16 of the volume of one.
        assert!((with(ball(0.5, 3)) - (2.0 - 5.0 / 16.0)).abs() < 0.01);
        assert!(with(one.clone().flipped()).abs() < 1e-9);
    }

    #[test]
    fn flat_and_empty_meshes_have_no_inside() {
        let flat = TriangleMesh {
            vertices: vec![Vec3::zeros(), Vec3::x(), Vec3::y()],
            triangles: vec![[0, 1, 2], [2, 1, 0]],
        };
        for mesh in [flat, TriangleMesh::default()] {
            let interior = Interior::new(&mesh);
            let mut random = Random::new(1);
            assert!((0..500).all(|_| !interior.contains(&vec3(random.point(-1.0, 1.0).into()))));
        }
    }
}
