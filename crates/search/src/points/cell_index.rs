//! Cell indexing: points sorted by cell, and an index of the cells that are not empty.
//!
//! Onderik & Ďurikovič 2008, §4.2: give each point a key made of its cell (eq. 17), sort the keys
//! by radix sort, note where each cell begins, and walk the cells with a pointer for each cell of
//! the mask. Keys ascend in the walk, so pointers only move forwards.
//!
//! Deviations: x is lowest in a key, so the mask is a few *rows*, each a run of consecutive keys
//! and so of consecutive points: for 27 cells nine pointers do instead of 27, for H = 3 201 instead
//! of 2399. The runs that hold points are kept for each cell, to be read by every sum of the step.
//! Keys have 21 bits an axis from a fixed origin instead of the bounding box; only the sort counts
//! cells from the least coordinate that occurs, in as few bits as do. Points that come sorted, as
//! the world keeps them, are not sorted again. The mask is that of
//! [`h_mask`](crate::cells::h_mask), eq.
//! 16 corrected; unless the settings give a subdivision, H is 0: the cell is h, the mask all 27
//! cells.
//!
//! `h` support radius, `h′` cell size \[m\].

use crate::cells::cell_sort::CellSort;
use crate::cells::h_mask::{Row, SmallCells, mask};
use crate::choice::settings::SearchSettings;
use crate::contract::{NeighborSearch, assert_count};
use hashfall_core::cell::{CELL_LIMIT, Cell, NO_KEY, cell_key, cell_of_key};
use hashfall_core::parallel::{self, CHUNK, chunks, for_parts, items_mut};
use hashfall_core::{Real, Vec3};

/// Places `first..end` in the sorted order: the points of a row of cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Run {
    first: u32,
    end: u32,
}

/// The runs around each of [`CHUNK`] cells that hold points.
#[derive(Clone, Debug, Default)]
struct ChunkRuns {
    /// Where those of each cell begin, and the end of the last.
    starts: Vec<u32>,
    runs: Vec<Run>,
}

impl ChunkRuns {
    #[inline(always)]
    fn of(&self, k: usize) -> &[Run] {
        &self.runs[self.starts[k] as usize..self.starts[k + 1] as usize]
    }
}

/// Points sorted by cell.
#[derive(Debug, Default)]
pub struct CellIndex {
    subdivision: u32,
    small: SmallCells,
    /// The mask, by ascending key.
    rows: Vec<Row>,
    key_of_point: Vec<u64>,
    sorter: CellSort,
    /// The points, by ascending key, ties by index.
    order: Vec<u32>,
    /// Keys of the cells that hold points, ascending.
    cells: Vec<u64>,
    /// Where each cell starts in `order`; one entry more than cells.
    starts: Vec<u32>,
    /// For each chunk of cells the points around them.
    runs: Vec<ChunkRuns>,
    /// For each point its place in `cells`.
    cell_of_point: Vec<u32>,
}

impl NeighborSearch for CellIndex {
    fn configure(&mut self, settings: &SearchSettings) {
        self.subdivision = settings.subdivision;
    }

    fn rebuild(&mut self, points: &[Vec3], support_radius: Real) {
        assert_count(points.len());
        let small = SmallCells::new(support_radius, self.subdivision);
        self.key_of_point.resize(points.len(), 0);
        parallel::fill(&mut self.key_of_point, |i, key| *key = small.key_of(&points[i]));
        if parallel::any(points.len(), |i| self.key_of_point[i] == NO_KEY) {
            small.assert_hold(points);
        }
        if self.rows.is_empty() || small.reach() != self.small.reach() {
            self.rows = mask(small.reach());
        }
        self.small = small;
        self.sort();
        self.index_cells();
        self.link_rows();
    }

    #[inline]
    fn candidates(&self, at: &Vec3, mut visit: impl FnMut(u32)) {
        let cell = self.small.of(at);
        let mut cursor = 0;
        for row in &self.rows {
            let run = self.run(cell, row, &mut cursor);
            self.points_in(run).iter().for_each(|&point| visit(point));
        }
    }

    #[inline]
    fn candidate_runs(&self, point: usize, _at: &Vec3, mut visit: impl FnMut(&[u32])) {
        let cell = self.cell_of_point[point] as usize;
        for &run in self.runs[cell / CHUNK].of(cell % CHUNK) {
            visit(self.points_in(run));
        }
    }

    fn bytes(&self) -> usize {
        let of_chunk = |c: &ChunkRuns| size_of_val(&c.starts[..]) + size_of_val(&c.runs[..]);
        size_of_val(&self.key_of_point[..])
            + size_of_val(&self.rows[..])
            + self.sorter.bytes()
            + size_of_val(&self.order[..])
            + size_of_val(&self.cells[..])
            + size_of_val(&self.starts[..])
            + size_of_val(&self.runs[..])
            + self.runs.iter().map(of_chunk).sum::<usize>()
            + size_of_val(&self.cell_of_point[..])
    }

    fn assert_well_formed(&self, points: &[Vec3]) {
        assert_eq!((self.order.len(), self.cell_of_point.len()), (points.len(), points.len()));
        assert_eq!(self.starts.len(), self.cells.len() + 1);
        assert_eq!(self.runs.len(), self.cells.len().div_ceil(CHUNK));
        assert!(self.cells.is_sorted_by(|a, b| a < b), "cells do not ascend");
        let mut held = vec![false; points.len()];
        for (c, &key) in self.cells.iter().enumerate() {
            let inside = &self.order[self.starts[c] as usize..self.starts[c + 1] as usize];
            assert!(!inside.is_empty() && inside.is_sorted(), "cell {c} holds {inside:?}");
            for &point in inside.iter() {
                let cell = self.small.of(&points[point as usize]);
                assert_eq!((cell_key(cell), self.cell_of_point[point as usize]), (key, c as u32));
                assert!(!std::mem::replace(&mut held[point as usize], true), "{point} twice");
            }
            let alone = self.rows.iter().map(|row| self.run(cell_of_key(key), row, &mut 0));
            let alone: Vec<Run> = alone.filter(|run| run.first < run.end).collect();
            assert_eq!(self.runs[c / CHUNK].of(c % CHUNK), alone, "rows around cell {c}");
        }
        assert!(held.iter().all(|&held| held), "a point is missing");
    }
}

impl CellIndex {
    /// Orders the points by key.
    fn sort(&mut self) {
        if self.key_of_point.is_sorted() {
            self.order.resize(self.key_of_point.len(), 0);
            parallel::fill(&mut self.order, |i, point| *point = i as u32);
        } else {
            self.sorter.sort(&self.key_of_point);
            self.order.resize(self.key_of_point.len(), 0);
            parallel::fill(&mut self.order, |place, point| *point = self.sorter.at(place).1);
        }
    }

    /// Notes each cell that holds points, and where it starts.
    fn index_cells(&mut self) {
        self.cells.clear();
        self.starts.clear();
        self.cell_of_point.resize(self.order.len(), 0);
        for (place, &point) in (0..).zip(&self.order) {
            let key = self.key_of_point[point as usize];
            if self.cells.last() != Some(&key) {
                self.cells.push(key);
                self.starts.push(place);
            }
            self.cell_of_point[point as usize] = self.cells.len() as u32 - 1;
        }
        self.starts.push(self.order.len() as u32);
    }

    /// Finds the runs of each cell, with a pointer for each row.
    fn link_rows(&mut self) {
        let mut runs = std::mem::take(&mut self.runs);
        runs.resize_with(self.cells.len().div_ceil(CHUNK), ChunkRuns::default);
        let parts = (items_mut(&mut runs), chunks(&self.cells, CHUNK));
        for_parts(parts, |_, (chunk, cells)| {
            chunk.runs.clear();
            chunk.starts.clear();
            chunk.starts.push(0);
            let mut cursors = vec![0; self.rows.len()];
            for &key in cells {
                let cell = cell_of_key(key);
                for (row, cursor) in self.rows.iter().zip(&mut cursors) {
                    let run = self.run(cell, row, cursor);
                    if run.first < run.end {
                        chunk.runs.push(run);
                    }
                }
                chunk.starts.push(chunk.runs.len() as u32);
            }
        });
        self.runs = runs;
    }

    /// The points in a row of cells around `cell`. `cursor`, which no key of the row may precede,
    /// moves on to the row's first cell.
    fn run(&self, [x, y, z]: Cell, row: &Row, cursor: &mut usize) -> Run {
        const LAST: i32 = CELL_LIMIT - 1;
        let [y, z] = [y.saturating_add(row.dy), z.saturating_add(row.dz)];
        let low = x.saturating_sub(row.half).max(-CELL_LIMIT);
        let high = x.saturating_add(row.half).min(LAST);
        let is_row = |c: i32| (-CELL_LIMIT..=LAST).contains(&c);
        if low > high || !is_row(y) || !is_row(z) {
            return Run::default();
        }
        *cursor = seek(&self.cells, *cursor, cell_key([low, y, z]));
        let end = seek(&self.cells, *cursor, cell_key([high, y, z]) + 1);
        self.starts.get(end).map_or(Run::default(), |&end| Run { first: self.starts[*cursor], end })
    }

    #[inline(always)]
    fn points_in(&self, run: Run) -> &[u32] {
        &self.order[run.first as usize..run.end as usize]
    }
}

/// The first place from `from` on whose key is not below `key`, found by steps that double, then
/// by halving: quick when it is near.
fn seek(keys: &[u64], from: usize, key: u64) -> usize {
    let mut low = from;
    let mut step = 1;
    while low + step <= keys.len() && keys[low + step - 1] < key {
        low += step;
        step *= 2;
    }
    let high = keys.len().min(low + step);
    low + keys[low..high].partition_point(|&k| k < key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seek_finds_the_first_key_that_is_not_below() {
        let keys: Vec<u64> = (0..50).map(|k| 2 * k).collect();
        for from in 0..=keys.len() {
            for key in 0..105 {
                let want = keys.partition_point(|&k| k < key).max(from);
                assert_eq!(seek(&keys, from, key), want, "from {from} key {key}");
            }
        }
    }

    #[test]
    fn rows_stop_at_the_limit_of_cells() {
        let edge = (CELL_LIMIT - 1) as Real;
        let corner = Vec3::from_element(-edge);
        let points = [corner, corner.add_scalar(1.0), Vec3::from_element(edge - 1.0)];
        let mut index = CellIndex::default();
        index.rebuild(&points, 1.0);
        index.assert_well_formed(&points);
        let seen = |at: Vec3| {
            let mut seen = vec![];
            index.candidates(&at, |point| seen.push(point));
            seen
        };
        assert_eq!(seen(corner), [0, 1]);
        assert_eq!(seen(corner.add_scalar(-1.0)), [0]);
        assert_eq!(seen(Vec3::from_element(edge)), [2]);
        assert_eq!(seen(Vec3::from_element(Real::MAX)), [] as [u32; 0]);
    }
}
