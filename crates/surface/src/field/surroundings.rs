//! The particles around a block of the grid.
//!
//! All cells within h of the block are copied into columns relative to the block's lowest corner.
//! Rows of cells along x are padded to whole lanes, so that every load takes eight particles.

use crate::field::cells::{Cells, Cursor, ROUNDING};
use crate::field::grid::Grid;
use crate::field::lanes::{FAR, LANES, eight};
use crate::field::symmetric::Symmetric;
use hashfall_core::Real;
use hashfall_core::cell::{Cell, cell_of_key};
use hashfall_core::simd::Simd;
use std::ops::Range;

/// Consecutive particles of one cell in [`Surroundings`].
#[derive(Clone, Copy)]
pub(crate) struct Span {
    cell: Cell,
    /// Where they begin among those around the block.
    start: u32,
    /// Where they begin among all particles, and how many there are.
    first: u32,
    count: u32,
}

/// A row of cells along x.
#[derive(Clone, Copy)]
struct Row {
    y: i32,
    z: i32,
    /// Its spans.
    first: u32,
    last: u32,
    /// Where its particles end.
    end: u32,
}

/// The particles around a block, relative to its lowest corner; buffers are reused.
#[derive(Default)]
pub(crate) struct Surroundings {
    /// Coordinates \[h\]; rows are padded to whole lanes with particles that are far and weigh
    /// nothing.
    pub at: [Vec<Real>; 3],
    /// The weights of [`Cells`].
    pub weight: Vec<Real>,
    /// The matrices of anisotropic kernels; empty if all are round.
    pub metric: Symmetric<Vec<Real>>,
    spans: Vec<Span>,
    rows: Vec<Row>,
    cursors: Vec<Cursor>,
    /// The block, and its lowest corner in cells of size h.
    block: Option<u64>,
    corner: [f64; 3],
}

impl Surroundings {
    /// Collects the particles of all cells within h of a block, always of the same cells and grid.
    /// Fastest for ascending blocks.
    #[inline(always)]
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub fn gather(&mut self, cells: &Cells, grid: &Grid, block: u64) {
        if self.block.replace(block) == Some(block) {
            return;
        }
        let edge = grid.block_edge() / grid.h;
        self.corner = cell_of_key(block).map(|i| f64::from(i) * edge);
        let low = self.corner.map(|x| (x - 1.0 + ROUNDING).floor() as i32);
        let high = self.corner.map(|x| (x + edge + 1.0 - ROUNDING).floor() as i32);
        self.at.iter_mut().for_each(Vec::clear);
        self.weight.clear();
        self.metric.iter_mut().for_each(Vec::clear);
        self.spans.clear();
        self.rows.clear();
        let rows = (high[2] - low[2] + 1) * (high[1] - low[1] + 1);
        self.cursors.resize(rows as usize, Cursor::default());
        for z in low[2]..=high[2] {
            for y in low[1]..=high[1] {
                self.gather_row(cells, [low[0], y, z], high[0]);
            }
        }
    }

    #[inline(always)]
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    fn gather_row(&mut self, cells: &Cells, from: Cell, to: i32) {
        let row = self.rows.len();
        let first = self.spans.len() as u32;
        for k in cells.in_row(&mut self.cursors[row], from, to) {
            let (key, range) = cells.at(k);
            let cell = cell_of_key(key);
            let span = Span {
                cell,
                start: self.weight.len() as u32,
                first: range.start as u32,
                count: range.len() as u32,
            };
            self.spans.push(span);
            for (axis, to) in self.at.iter_mut().enumerate() {
                let shift = (f64::from(cell[axis]) - self.corner[axis]) as Real;
                to.extend(cells.local(axis)[range.clone()].iter().map(|x| x + shift));
            }
            self.weight.extend_from_slice(&cells.weights()[range.clone()]);
            if !cells.is_isotropic() {
                for (to, from) in self.metric.iter_mut().zip(cells.metric()) {
                    to.extend_from_slice(&from[range.clone()]);
                }
            }
        }
        self.pad_to(self.weight.len().next_multiple_of(LANES));
        let (last, end) = (self.spans.len() as u32, self.weight.len() as u32);
        self.rows.push(Row { y: from[1], z: from[2], first, last, end });
    }

    fn pad_to(&mut self, length: usize) {
        self.at.iter_mut().for_each(|x| x.resize(length, FAR));
        self.weight.resize(length, 0.0);
        if !self.metric[0].is_empty() {
            self.metric.iter_mut().for_each(|x| x.resize(length, 0.0));
        }
    }

    /// Finds ranges of particles, each of a row of cells along x, that together hold all within
    /// `reach` \[h\] of the box from `low` to `high` \[h\], and others. A range begins at whole
    /// lanes and may be overrun to whole lanes: what follows are others of the row, or padding.
    #[inline(always)]
    pub fn near_box(
        &self,
        low: [Real; 3],
        high: [Real; 3],
        reach: Real,
        ranges: &mut Vec<Range<usize>>,
    ) {
        ranges.clear();
        let cell = |x: Real, a: usize| (f64::from(x) + self.corner[a]).floor() as i32;
        let margin = reach + ROUNDING as Real;
        let low: Cell = [0, 1, 2].map(|a| cell(low[a] - margin, a));
        let high: Cell = [0, 1, 2].map(|a| cell(high[a] + margin, a));
        for row in &self.rows {
            if row.y < low[1] || row.y > high[1] || row.z < low[2] || row.z > high[2] {
                continue;
            }
            let spans = &self.spans[row.first as usize..row.last as usize];
            let mut spans = spans.iter().filter(|s| low[0] <= s.cell[0] && s.cell[0] <= high[0]);
            if let Some(first) = spans.next() {
                let last = spans.next_back().unwrap_or(first);
                // Rows begin at whole lanes: so do ranges, lest a last load runs into the next row.
                let start = first.start as usize / LANES * LANES;
                ranges.push(start..(last.start + last.count) as usize);
            }
        }
    }

    /// All particles with padding, in whole lanes.
    pub fn all(&self) -> Range<usize> {
        0..self.rows.last().map_or(0, |row| row.end as usize)
    }

    /// Lists for each particle here its place among all particles; of padding, any.
    pub fn list_indices(&self, indices: &mut Vec<u32>) {
        indices.clear();
        indices.resize(self.weight.len(), 0);
        for span in &self.spans {
            let places = &mut indices[span.start as usize..][..span.count as usize];
            places.iter_mut().zip(span.first..).for_each(|(place, i)| *place = i);
        }
    }

    /// The place of each particle here among all particles; none of padding.
    pub fn places(&self) -> impl Iterator<Item = usize> + Clone {
        self.spans
            .iter()
            .flat_map(|span| (span.first..).take(span.count as usize))
            .map(|i| i as usize)
    }

    /// Eight particles from place `i` on: coordinates and weights.
    #[inline(always)]
    pub fn eight<I: Simd>(&self, on: I, i: usize) -> [I::F32x8; 4] {
        let [x, y, z] = &self.at;
        [
            on.load(eight(x, i)),
            on.load(eight(y, i)),
            on.load(eight(z, i)),
            on.load(eight(&self.weight, i)),
        ]
    }

    /// The matrices of eight anisotropic kernels from place `i` on.
    #[inline(always)]
    pub fn eight_metrics<I: Simd>(&self, on: I, i: usize) -> Symmetric<I::F32x8> {
        let [xx, yy, zz, xy, xz, yz] = &self.metric;
        [
            on.load(eight(xx, i)),
            on.load(eight(yy, i)),
            on.load(eight(zz, i)),
            on.load(eight(xy, i)),
            on.load(eight(xz, i)),
            on.load(eight(yz, i)),
        ]
    }

    /// One particle: coordinates and weight.
    #[inline(always)]
    pub fn one(&self, i: usize) -> [Real; 4] {
        let [x, y, z] = &self.at;
        [x[i], y[i], z[i], self.weight[i]]
    }
}
