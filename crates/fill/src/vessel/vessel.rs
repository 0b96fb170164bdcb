//! The space between solids, on a grid, and the place that a vessel is filled from.
//!
//! A cell is *open* if a particle fits there: if its middle is about a particle radius or more
//! from every solid. Open cells that share a face are connected: fluid flows from one to the
//! other, and not through a wall however thin, nor through a gap narrower than a particle.

use crate::packing::{Cells, Grid, SignedDistance};
use std::ops::Range;

/// The six neighbours of a cell.
pub const FACES: [[isize; 3]; 6] =
    [[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]];

/// A cell is open whose middle has this depth or more in free space, in spacings.
pub const OPEN: f32 = -0.45;

/// Around a place an open cell is looked for so many cells away.
pub const MAX_CELLS_TO_OPEN: isize = 2;

/// The space between solids, and a place in it.
pub struct Vessel<'a> {
    /// Distance into free space: negative between the solids, within the walls of the domain.
    pub free: &'a SignedDistance<'a>,
    /// The free space on a grid.
    pub cells: Cells,
    /// Axes along which the grid begins again where it ends.
    pub periodic: [bool; 3],
    /// The open cell that is filled first.
    pub seed: [usize; 3],
    /// The cells along each axis that lie in the domain.
    pub(super) within: [Range<usize>; 3],
}

impl Vessel<'_> {
    /// The layers of cells whose middles lie below a height.
    pub(super) fn layers_below(&self, level: f64) -> usize {
        let Grid { low, step, counts, .. } = self.cells.grid;
        (((level - low[2]) / step[2] - 0.5).ceil().max(0.0) as usize).min(counts[2])
    }

    /// Whether a particle fits at a cell.
    pub(super) fn is_open(&self, cell: [usize; 3]) -> bool {
        self.cells.depth(cell.map(|c| c as isize)) <= OPEN
    }

    /// The number of a cell, x fastest, then y, then z.
    pub(super) fn number(&self, [i, j, k]: [usize; 3]) -> usize {
        let [nx, ny, _] = self.cells.grid.counts;
        i + nx * (j + ny * k)
    }

    /// The cell of a number.
    pub(super) fn cell(&self, number: usize) -> [usize; 3] {
        let [nx, ny, _] = self.cells.grid.counts;
        [number % nx, number / nx % ny, number / nx / ny]
    }

    /// The open cells in the lowest `layers` that share a face with one and are not among `seen`,
    /// which they join.
    pub(super) fn for_each_new(
        &self,
        cell: [usize; 3],
        seen: &mut [bool],
        layers: usize,
        mut visit: impl FnMut([usize; 3]),
    ) {
        for face in FACES {
            if let Some(next) = self.shifted(cell, face) {
                let number = self.number(next);
                if next[2] < layers && !seen[number] && self.is_open(next) {
                    seen[number] = true;
                    visit(next);
                }
            }
        }
    }

    /// The cell at an offset from another, round the ends of the domain where it is periodic;
    /// `None` beyond the domain.
    pub(super) fn shifted(&self, cell: [usize; 3], offset: [isize; 3]) -> Option<[usize; 3]> {
        let mut shifted = [0; 3];
        for a in 0..3 {
            let within = &self.within[a];
            let mut at = cell[a].wrapping_add_signed(offset[a]);
            if !within.contains(&at) {
                if !self.periodic[a] || within.len() == 1 {
                    return None;
                }
                at = if offset[a] < 0 { at + within.len() } else { at - within.len() };
            }
            shifted[a] = at;
        }
        Some(shifted)
    }

    /// How far beyond the ends of a periodic axis the middle of a cell lies, negative between
    /// them, in spacings.
    pub(super) fn beyond_ends(&self, cell: [usize; 3]) -> f32 {
        let grid = &self.cells.grid;
        let beyond = (0..3).filter(|&a| self.periodic[a]).map(|a| {
            let Range { start, end } = self.within[a];
            let middle = cell[a] as f64 + 0.5;
            (start as f64 - middle).max(middle - end as f64) * grid.step[a] / grid.d
        });
        beyond.fold(f64::NEG_INFINITY, f64::max) as f32
    }

    /// Whether no solid stands between two places \[m\]: what is free around the first, then
    /// around where that ends, and so on, reaches the second (sphere tracing, Hart 1996).
    pub(super) fn sees(&self, from: &[f64; 3], to: &[f64; 3]) -> bool {
        const STEPS: usize = 64;
        let d = self.cells.grid.d;
        let way = [0, 1, 2].map(|a| to[a] - from[a]);
        let length = way.iter().map(|x| x * x).sum::<f64>().sqrt();
        let mut gone = 0.0;
        for _ in 0..STEPS {
            if gone >= length {
                return true;
            }
            let at = [0, 1, 2].map(|a| from[a] + way[a] * (gone / length));
            let room = -(self.free)(&at, 2.0 * d);
            if room < 1e-3 * d {
                return false;
            }
            gone += room;
        }
        gone >= length
    }
}
