//! Cells that hold points, as a sorted array of keys, and the nine rows around a cell.
//!
//! [`CellRows`] are those of one place after another, for crates that sort points by themselves.
//!
//! Keys count x lowest, so cells that are neighbours along x have consecutive keys and a row of
//! three cells is one run of places. `key + Δy·2²¹ + Δz·2⁴²` is the key of the cell beside: rows
//! are found by adding, without taking a key apart. Cells within [`CELL_LIMIT`] have no neighbour
//! for which that sum would carry.

use hashfall_core::cell::{CELL_LIMIT, Cell, cell_key, is_within_limit};
use hashfall_core::parallel;
use std::ops::Range;

/// Keys of the rows around a cell less its own, (Δy, Δz) ascending.
const ROWS: [u64; 9] = rows();

const fn rows() -> [u64; 9] {
    let mut rows = [0u64; 9];
    let mut row = 0i64;
    while row < 9 {
        let (dy, dz) = (row % 3 - 1, row / 3 - 1);
        rows[row as usize] = ((dy << 21) + (dz << 42)) as u64;
        row += 1;
    }
    rows
}

/// Cells in a row.
const ROW: usize = 3;

/// Consecutive places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Run {
    pub first: u32,
    pub end: u32,
}

/// The places of a cell and those around it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Around {
    runs: [Run; 9],
    points: usize,
}

impl Around {
    /// The runs of the nine rows; the fifth holds the cell itself.
    #[inline(always)]
    pub fn runs(&self) -> &[Run; 9] {
        &self.runs
    }

    /// How many places the runs have together.
    #[inline(always)]
    pub fn points(&self) -> usize {
        self.points
    }
}

/// The cells that hold points, which are in the order of their cells' keys.
///
/// ```
/// use hashfall_core::cell::key_of_point;
/// use hashfall_search::{CellRows, OccupiedCells, Vec3};
///
/// let points = [0.5, 1.5, 4.5].map(|x| Vec3::new(x, 0.5, 0.5));
/// let mut cells = OccupiedCells::default();
/// cells.rebuild(&points.map(|point| key_of_point(&point, 1.0)));
/// let mut rows = CellRows::default();
/// rows.update(&cells, [2, 0, 0]);
/// assert_eq!(rows.runs()[4], 1..2);
/// ```
#[derive(Clone, Debug)]
pub struct OccupiedCells {
    /// Their keys, ascending, and [`ROW`] that are beyond all.
    keys: Vec<u64>,
    /// The first place of each, and the end of the last.
    starts: Vec<u32>,
    /// How many begin in each part of the places.
    counts: Vec<usize>,
}

impl Default for OccupiedCells {
    fn default() -> Self {
        OccupiedCells { keys: vec![u64::MAX; ROW], starts: vec![0], counts: Vec::new() }
    }
}

/// Places that one task looks through for cells.
const PART: usize = 4096;

/// The places in a part at which a cell begins.
fn firsts(keys: &[u64], part: usize) -> impl Iterator<Item = usize> {
    let places = part * PART..keys.len().min((part + 1) * PART);
    places.filter(|&place| place == 0 || keys[place - 1] != keys[place])
}

/// Writes the cells that begin in the parts from `part` on, `counts` of them in each; halves the
/// parts until one is left, so that tasks share the arrays without locks or lists of pieces.
fn write_cells(keys: &[u64], part: usize, counts: &[usize], cells: &mut [u64], starts: &mut [u32]) {
    match counts {
        [] => {}
        [_] => {
            for ((cell, start), place) in cells.iter_mut().zip(starts).zip(firsts(keys, part)) {
                (*cell, *start) = (keys[place], place as u32);
            }
        }
        _ => {
            let (left, right) = counts.split_at(counts.len() / 2);
            let middle = left.iter().sum();
            let (left_cells, right_cells) = cells.split_at_mut(middle);
            let (left_starts, right_starts) = starts.split_at_mut(middle);
            parallel::join(
                || write_cells(keys, part, left, left_cells, left_starts),
                || write_cells(keys, part + left.len(), right, right_cells, right_starts),
            );
        }
    }
}

impl OccupiedCells {
    /// Finds the cells in the ascending keys of all places.
    pub fn rebuild(&mut self, keys: &[u64]) {
        let parts = keys.len().div_ceil(PART);
        self.counts.resize(parts, 0);
        parallel::fill_pieces(&mut self.counts, &|part, count| {
            *count = firsts(keys, part).count();
        });
        let cells = self.counts.iter().sum();
        self.keys.resize(cells + ROW, 0);
        self.starts.resize(cells + 1, 0);
        self.keys[cells..].fill(u64::MAX);
        self.starts[cells] = keys.len() as u32;
        write_cells(keys, 0, &self.counts, &mut self.keys[..cells], &mut self.starts[..cells]);
    }

    /// The number of cells.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.keys[..]) + size_of_val(&self.starts[..]) + size_of_val(&self.counts[..])
    }

    /// The runs of the rows around any cell, one by one.
    pub(crate) fn runs_around(&self, cell: Cell) -> impl Iterator<Item = Run> {
        let [x, y, z] = cell.map(|c| c.saturating_sub(1)..=c.saturating_add(1));
        let limit = -CELL_LIMIT..CELL_LIMIT;
        let (low, high) = (*x.start().max(&-CELL_LIMIT), *x.end().min(&(CELL_LIMIT - 1)));
        z.flat_map(move |z| y.clone().map(move |y| (y, z)))
            .filter(move |(y, z)| low <= high && limit.contains(y) && limit.contains(z))
            .map(move |(y, z)| {
                let first = self.keys.partition_point(|&key| key < cell_key([low, y, z]));
                let end = self.keys.partition_point(|&key| key <= cell_key([high, y, z]));
                Run { first: self.start(first), end: self.start(end) }
            })
    }

    /// The same of all nine rows, as ranges; at the end of all cells fewer, and then empty ones.
    fn rows(&self, cell: Cell) -> [Range<usize>; 9] {
        let range = |run: Run| run.first as usize..run.end as usize;
        if !is_within_limit(cell) {
            let mut runs = self.runs_around(cell);
            return std::array::from_fn(|_| runs.next().map_or(0..0, range));
        }
        let key = cell_key(cell);
        ROWS.map(|row| {
            let first = key.wrapping_add(row).wrapping_sub(1);
            let low = self.keys.partition_point(|&key| key < first);
            range(self.row(first, low))
        })
    }

    /// The run of the row whose first cell has this key; `low` is the first cell that is not before
    /// it.
    #[inline(always)]
    fn row(&self, first: u64, low: usize) -> Run {
        let keys = [self.keys[low], self.keys[low + 1], self.keys[low + 2]];
        let within = keys.map(|key| usize::from(key <= first + 2));
        let high = low + within[0] + within[1] + within[2];
        Run { first: self.starts[low], end: self.starts[high] }
    }

    fn start(&self, cell: usize) -> u32 {
        self.starts[cell.min(self.len())]
    }

    /// Panics unless the cells are those of the sorted keys.
    pub(crate) fn assert_well_formed(&self, keys: &[u64]) {
        assert!(keys.is_sorted(), "places are not in order");
        let (cells, beyond) = self.keys.split_at(self.len());
        assert!(cells.is_sorted_by(|a, b| a < b), "cells do not ascend");
        assert_eq!((beyond, self.starts.len()), (&[u64::MAX; ROW][..], self.len() + 1));
        assert_eq!(self.starts.last().map(|&end| end as usize), Some(keys.len()));
        for cell in 0..self.len() {
            let places = self.starts[cell] as usize..self.starts[cell + 1] as usize;
            assert!(!places.is_empty(), "cell {cell} is empty");
            assert!(keys[places].iter().all(|&key| key == self.keys[cell]));
        }
    }
}

/// The places in the cells around a place, as nine runs; places in the same cell share them.
#[derive(Clone, Debug, Default)]
pub struct CellRows {
    /// The cell, if any was looked up.
    cell: Option<Cell>,
    runs: [Range<usize>; 9],
}

impl CellRows {
    /// Looks the rows around a cell up, unless it is the cell before or none holds anything.
    #[inline]
    pub fn update(&mut self, cells: &OccupiedCells, cell: Cell) {
        if self.cell != Some(cell) && cells.len() > 0 {
            self.cell = Some(cell);
            self.runs = cells.rows(cell);
        }
    }

    /// The runs of the rows, those with the lowest (z, y) first; fewer, and then empty ones, at the
    /// end of all cells.
    pub fn runs(&self) -> &[Range<usize>; 9] {
        &self.runs
    }
}

/// Walks the cells in order and keeps the ends of the nine rows, which only move forwards.
pub(crate) struct Sweep<'a> {
    cells: &'a OccupiedCells,
    /// The next cell.
    cell: usize,
    /// The first place not yet walked.
    place: u32,
    /// For each row the first cell that is not before it.
    low: [usize; 9],
}

impl<'a> Sweep<'a> {
    /// Starts at the cell of a place.
    pub fn from(cells: &'a OccupiedCells, place: u32) -> Self {
        let cell = cells.starts.partition_point(|&start| start <= place) - 1;
        let key = cells.keys[cell];
        let low = ROWS.map(|row| {
            let first = key.wrapping_add(row).wrapping_sub(1);
            cells.keys.partition_point(|&key| key < first)
        });
        Sweep { cells, cell, place, low }
    }

    /// The places of the next cell that lie between the place of the start and `end`, and what is
    /// around the cell.
    #[inline(always)]
    pub fn next_cell(&mut self, end: u32) -> Option<(Range<u32>, Around)> {
        if self.place >= end {
            return None;
        }
        let (keys, starts) = (&self.cells.keys[..], &self.cells.starts[..]);
        let key = keys[self.cell];
        let mut around = Around::default();
        for ((offset, low_of_row), run) in ROWS.iter().zip(&mut self.low).zip(&mut around.runs) {
            let first = key.wrapping_add(*offset).wrapping_sub(1);
            let mut low = *low_of_row;
            // Mostly no more than two steps, taken or not at random: without branches.
            low += usize::from(keys[low] < first);
            low += usize::from(keys[low] < first);
            while keys[low] < first {
                low += 1;
            }
            *low_of_row = low;
            *run = self.cells.row(first, low);
            around.points += (run.end - run.first) as usize;
        }
        let places = self.place..starts[self.cell + 1].min(end);
        self.cell += 1;
        self.place = places.end;
        Some((places, around))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::random::Random;

    #[test]
    fn rows_are_the_runs_around_a_cell_up_to_the_end_of_all_cells() {
        let mut random = Random::new(23);
        let ends = [-CELL_LIMIT, -CELL_LIMIT + 3, -1, 0, CELL_LIMIT - 4, CELL_LIMIT - 1];
        for corner in ends.iter().flat_map(|x| ends.iter().map(move |z| [*x, 0, *z])) {
            let mut cell = || corner.map(|c| c + random.number(-2.0, 3.0).floor() as i32);
            let mut keys: Vec<u64> =
                (0..40).map(|_| cell()).filter(|it| is_within_limit(*it)).map(cell_key).collect();
            keys.sort_unstable();
            let mut cells = OccupiedCells::default();
            cells.rebuild(&keys);
            let mut rows = CellRows::default();
            for _ in 0..40 {
                let cell = cell();
                rows.update(&cells, cell);
                let filled = |run: &Range<usize>| !run.is_empty();
                let found: Vec<_> = rows.runs().iter().filter(|run| filled(run)).cloned().collect();
                let runs = cells.runs_around(cell).map(|run| run.first as usize..run.end as usize);
                assert_eq!(found, runs.filter(filled).collect::<Vec<_>>(), "{cell:?}");
            }
        }
    }
}
