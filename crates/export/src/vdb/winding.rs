//! Which voxels are inside a closed mesh: rows along x and where they cross it.
//!
//! Idea: the winding number of a point is the sum over all triangles that a ray in +x from it
//! crosses, +1 where the ray leaves and −1 where it enters. Points with a number above 0 are
//! inside: cavities, whose triangles face inwards, are not. Rows through voxels are the rays.
//!
//! Whether a row crosses a triangle is decided by exact predicates; a row that meets an edge or a
//! corner is taken as shifted by (ε, ε²), so that it crosses exactly one of the triangles there.
//! The sums of a closed mesh are therefore exact.
//!
//! Sources: F. P. Preparata, M. I. Shamos, *Computational Geometry* (1985), 2.2; for ties H.
//! Edelsbrunner, E. P. Mücke, *Simulation of Simplicity* (1990). Lengths are in voxels.

use hashfall_core::parallel::{chunks, map_parts};
use rayon::slice::ParallelSliceMut;
use robust::{Coord, orient2d};

/// Triangles that a thread takes at a time.
const CHUNK: usize = 4096;

/// Rows of voxels along x, with the places where each crosses the mesh.
pub struct Rows {
    /// The first row, in y and z, and how many there are.
    first: [i64; 2],
    counts: [usize; 2],
    /// Where the crossings of each row begin.
    starts: Vec<usize>,
    /// Crossings in ascending order: where, and the sum from here on.
    crossings: Vec<(f64, i32)>,
}

/// A mesh that is not closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotClosed;

impl Rows {
    /// The rows of a mesh.
    ///
    /// # Errors
    /// If a ray enters it more often than it leaves, or less often.
    pub fn new(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<Rows, NotClosed> {
        let bound = |k: usize, start: f64, best: fn(f64, f64) -> f64| {
            vertices.iter().map(|x| x[k]).fold(start, best)
        };
        let first = [1, 2].map(|k| bound(k, f64::INFINITY, f64::min).floor());
        let last = [1, 2].map(|k| bound(k, f64::NEG_INFINITY, f64::max).ceil());
        let counts = [0, 1].map(|k| (last[k] - first[k] + 1.0).max(0.0) as usize);
        let first = first.map(|x| x as i64);
        let mut rows = Rows { first, counts, starts: Vec::new(), crossings: Vec::new() };
        let cross_all = |_, triangles: &[[u32; 3]]| {
            let mut found: Vec<(usize, f64, i32)> = Vec::new();
            for triangle in triangles {
                rows.cross(&triangle.map(|v| vertices[v as usize]), &mut found);
            }
            found
        };
        let mut all = map_parts(chunks(triangles, CHUNK), cross_all).concat();
        all.par_sort_unstable_by(|a, b| {
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2))
        });
        let count = counts[0] * counts[1];
        let mut crossings: Vec<(f64, i32)> = vec![(0.0, 0); all.len()];
        let mut starts = vec![0; count + 1];
        all.iter().for_each(|(row, ..)| starts[row + 1] += 1);
        (0..count).for_each(|row| starts[row + 1] += starts[row]);
        for row in 0..count {
            let mut sum = 0;
            for k in (starts[row]..starts[row + 1]).rev() {
                sum += all[k].2;
                crossings[k] = (all[k].1, sum);
            }
            if sum != 0 {
                return Err(NotClosed);
            }
        }
        (rows.starts, rows.crossings) = (starts, crossings);
        Ok(rows)
    }

    /// Whether a voxel is inside.
    pub fn is_inside(&self, [x, y, z]: [i64; 3]) -> bool {
        let (y, z) = (y - self.first[0], z - self.first[1]);
        if y < 0 || z < 0 || y as usize >= self.counts[0] || z as usize >= self.counts[1] {
            return false;
        }
        let row = y as usize * self.counts[1] + z as usize;
        let row = &self.crossings[self.starts[row]..self.starts[row + 1]];
        let beyond = row.partition_point(|(at, _)| *at <= x as f64);
        row.get(beyond).is_some_and(|(_, sum)| *sum > 0)
    }

    /// Adds where rows cross a triangle: the row, the place, and +1 or −1.
    fn cross(&self, corners: &[[f64; 3]; 3], found: &mut Vec<(usize, f64, i32)>) {
        let flat = corners.map(|x| Coord { x: x[1], y: x[2] });
        let area = orient2d(flat[0], flat[1], flat[2]);
        if area == 0.0 {
            return;
        }
        let direction = if area > 0.0 { 1 } else { -1 };
        let span = |k: usize| {
            let axis = corners.map(|x| x[k]);
            let low = axis.iter().copied().fold(f64::INFINITY, f64::min).floor() as i64;
            let high = axis.iter().copied().fold(f64::NEG_INFINITY, f64::max).ceil() as i64;
            low..=high
        };
        for y in span(1) {
            for z in span(2) {
                let point = Coord { x: y as f64, y: z as f64 };
                let sides = [0, 1, 2].map(|k| {
                    let (a, b) = (flat[(k + 1) % 3], flat[(k + 2) % 3]);
                    (orient2d(a, b, point), side(a, b, point))
                });
                if sides.iter().any(|(_, side)| *side != direction) {
                    continue;
                }
                let sum: f64 = sides.iter().map(|(weight, _)| weight).sum();
                let x: f64 =
                    sides.iter().zip(corners).map(|((weight, _), corner)| weight * corner[0]).sum();
                // On a triangle as thin as its rounding, weights may all be 0.
                let x = if sum == 0.0 { corners[0][0] } else { x / sum };
                let row =
                    (y - self.first[0]) as usize * self.counts[1] + (z - self.first[1]) as usize;
                found.push((row, x, direction));
            }
        }
    }
}

/// On which side of a line from one point to another a third is, shifted by (ε, ε²): +1 or −1.
fn side(from: Coord<f64>, to: Coord<f64>, point: Coord<f64>) -> i32 {
    let signs = [orient2d(from, to, point), from.y - to.y, to.x - from.x];
    let first = signs.into_iter().find(|sign| *sign != 0.0);
    if first.is_some_and(|sign| sign < 0.0) { -1 } else { 1 }
}
