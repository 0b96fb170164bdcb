//! Grid-cell-based spatial hashing: buckets of cells of points.
//!
//! The hash of Teschner et al. 2003 with one layer more (the excerpt, §6.4.2). A bucket of the
//! table holds not points but *grid cells*, each with its coordinates and its points. A query thus
//! compares coordinates once for each cell in a bucket, not once for each point, and walks over no
//! point of a cell elsewhere that shares the bucket.
//!
//! The three layers are flat arrays here: the first cell of each bucket; the cells, each with the
//! next in its bucket; the points by cell, from a counting sort. Deviation: all is made anew in
//! each rebuild, in the same memory, so that there are never empty cells to clear away. The text
//! breaks off before it tells of insertion; a new cell becomes the first of its bucket.
//!
//! Insertion is sequential. `h` support radius = cell size \[m\], `n` buckets.

use crate::cells::buckets::Buckets;
use crate::cells::cell_range::CellRange;
use crate::choice::settings::SearchSettings;
use crate::contract::{NeighborSearch, assert_cells, assert_count};
use hashfall_core::cell::{Cell, cell_of};
use hashfall_core::{Real, Vec3};

/// No cell.
const NONE: u32 = u32::MAX;

/// Points in grid cells in hashed buckets.
#[derive(Clone, Debug, Default)]
pub struct GridCellHash {
    settings: SearchSettings,
    cell_size: Real,
    /// The first cell of each bucket.
    buckets: Vec<u32>,
    cells: Vec<GridCell>,
    /// The range of them.
    range: CellRange,
    /// The points of each cell.
    points: Buckets<u32>,
    /// Each point with its cell, before they are sorted.
    labelled: Vec<(u32, u32)>,
}

/// A cell that holds points.
#[derive(Clone, Copy, Debug)]
struct GridCell {
    position: Cell,
    /// The next cell of its bucket.
    next: u32,
}

impl NeighborSearch for GridCellHash {
    fn configure(&mut self, settings: &SearchSettings) {
        self.settings = *settings;
    }

    fn rebuild(&mut self, points: &[Vec3], support_radius: Real) {
        assert_count(points.len());
        assert_cells(points, support_radius);
        self.cell_size = support_radius;
        self.buckets.clear();
        self.buckets.resize(self.settings.slots(points.len()), NONE);
        self.cells.clear();
        self.range = CellRange::NONE;
        self.labelled.clear();
        for (point, at) in (0..).zip(points) {
            let cell = self.find_or_insert(cell_of(at, support_radius));
            self.labelled.push((cell, point));
        }
        self.points.rebuild(self.cells.len(), &self.labelled);
    }

    #[inline]
    fn candidates(&self, at: &Vec3, mut visit: impl FnMut(u32)) {
        self.candidate_runs(0, at, |points| points.iter().for_each(|&point| visit(point)));
    }

    #[inline]
    fn candidate_runs(&self, _point: usize, at: &Vec3, mut visit: impl FnMut(&[u32])) {
        let near = CellRange::around(cell_of(at, self.cell_size)).intersection(&self.range);
        near.for_each(|position| {
            if let Some(cell) = self.find(position) {
                visit(self.points.of(cell));
            }
        });
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.buckets[..])
            + size_of_val(&self.cells[..])
            + self.points.bytes()
            + size_of_val(&self.labelled[..])
    }

    fn assert_well_formed(&self, points: &[Vec3]) {
        assert_eq!(self.cells.len(), self.points.len());
        let mut held = vec![false; points.len()];
        for (number, cell) in (0..).zip(&self.cells) {
            assert_eq!(self.find(cell.position), Some(number));
            assert!(!self.points.of(number).is_empty(), "cell {number} is empty");
            for &point in self.points.of(number) {
                assert_eq!(cell_of(&points[point as usize], self.cell_size), cell.position);
                assert!(!std::mem::replace(&mut held[point as usize], true), "{point} twice");
            }
        }
        assert!(held.iter().all(|&held| held), "a point is missing");
    }
}

impl GridCellHash {
    #[inline(always)]
    fn find(&self, position: Cell) -> Option<u32> {
        if self.buckets.is_empty() {
            return None;
        }
        let slot = self.settings.hash_function.slot(position, self.buckets.len());
        self.find_in(slot, position)
    }

    #[inline(always)]
    fn find_in(&self, slot: usize, position: Cell) -> Option<u32> {
        let mut cell = self.buckets[slot];
        while cell != NONE && self.cells[cell as usize].position != position {
            cell = self.cells[cell as usize].next;
        }
        (cell != NONE).then_some(cell)
    }

    fn find_or_insert(&mut self, position: Cell) -> u32 {
        let slot = self.settings.hash_function.slot(position, self.buckets.len());
        self.find_in(slot, position).unwrap_or_else(|| {
            let cell = self.cells.len() as u32;
            let next = std::mem::replace(&mut self.buckets[slot], cell);
            self.cells.push(GridCell { position, next });
            self.range.include(position);
            cell
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_meets_no_point_of_another_cell_in_the_bucket() {
        let settings = SearchSettings { table_size: Some(1), ..SearchSettings::default() };
        let mut hash = GridCellHash::default();
        hash.configure(&settings);
        let points: Vec<Vec3> = (0..10).map(|n| Vec3::new(n as Real, 0.0, 0.0)).collect();
        hash.rebuild(&points, 1.0);
        assert_eq!((hash.buckets.len(), hash.cells.len()), (1, 10));
        let mut seen = vec![];
        hash.candidates(&points[4], |point| seen.push(point));
        assert_eq!(seen, [3, 4, 5]);
    }
}
