//! The scanline of the article as printed ("Polygons checking"), which misses cells.
//!
//! Deviations: its two cell sizes (`m_cell_size`, `m_cell_size_avg`) are one, `pStart`, which it
//! computes and never uses, is left out, and a step is at least its EPSILON, as it would stand
//! still on triangles of a million cells.

use hashfall_core::cell::Cell;
use hashfall_core::geometry::Point;

/// What steps are shortened by.
const EPSILON: f64 = 1e-6;

/// Visits the cells of the article's scanline for the corners p0, p1, p2 \[cells\], some of them
/// many times.
pub(super) fn for_each_cell([p0, p1, p2]: &[Point; 3], mut visit: impl FnMut(Cell)) {
    let [v1, v2, v3] = [p1 - p0, p2 - p0, p2 - p1];
    let step_u = step(&v1);
    let mut u = 0.0;
    while u <= 1.0 + step_u {
        let [pu, pv] = [p0 + v1 * u, p0 + v2 * u];
        let along = pv - pu;
        // As printed: the line then leads out of the triangle.
        let scan = if along.dot(&v3) < 0.0 { -along } else { along };
        let step_s = step(&scan);
        let mut s = 0.0;
        while s <= 1.0 {
            let at = pu + scan * s;
            visit([at.x, at.y, at.z].map(|x| x.floor() as i32));
            s += step_s;
        }
        u += step_u;
    }
}

/// The part of a line that is one cell long; the largest number where the line has no length, as
/// the loops would not end with an infinite one.
fn step(line: &Point) -> f64 {
    (1.0 / line.norm() - EPSILON).clamp(EPSILON, f64::MAX)
}
