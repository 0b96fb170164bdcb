//! Spatially uniform hashing: cells of the support radius in a hash table.
//!
//! A point lies in the cell `⌊x/h⌋`; its neighbours lie in that cell and the 26 around it (Teschner
//! et al. 2003; Ahmad, "Hash tables for physical based simulations"; Pouchol et al. 2009, §2.1 and
//! eq. 1). Deviations: the table is unbounded and compares the cells themselves, so no candidate
//! comes from a distant cell with the same hash, and none comes twice; it is built anew each time
//! by a counting sort instead of keeping time stamps.
//!
//! `h` support radius = cell size \[m\].

use super::buckets::Buckets;
use super::cell_range::CellRange;
use super::cell_table::{CellTable, hash};
use super::{NeighborSearch, assert_count, refuse};
use crate::base::cell::{Cell, NO_KEY, cell_of, key_of_point};
use crate::base::{Real, Vec3, parallel};
use rayon::prelude::*;

/// Points in hashed cells of one size.
#[derive(Clone, Debug, Default)]
pub struct UniformHash {
    cell_size: Real,
    table: CellTable,
    /// The cell of each number in the table.
    cells: Vec<Cell>,
    points: Buckets<u32>,
    cell_of_point: Vec<Cell>,
    labelled: Vec<(u32, u32)>,
}

impl NeighborSearch for UniformHash {
    fn rebuild(&mut self, points: &[Vec3], support_radius: Real) {
        assert_count(points.len());
        if points.par_iter().any(|p| key_of_point(p, support_radius) == NO_KEY) {
            refuse(points, support_radius);
        }
        self.cell_size = support_radius;
        self.cell_of_point.resize(points.len(), Cell::default());
        parallel::fill(&mut self.cell_of_point, |i, cell| {
            *cell = cell_of(&points[i], support_radius)
        });
        self.number_cells();
        self.points.rebuild(self.cells.len(), &self.labelled);
    }

    #[inline]
    fn candidates(&self, at: &Vec3, mut visit: impl FnMut(u32)) {
        self.visit_cells_around(at, |points| points.iter().for_each(|&point| visit(point)));
    }

    #[inline]
    fn candidate_runs(&self, _point: usize, at: &Vec3, visit: impl FnMut(&[u32])) {
        self.visit_cells_around(at, visit);
    }

    fn bytes(&self) -> usize {
        self.table.bytes()
            + size_of_val(&self.cells[..])
            + self.points.bytes()
            + size_of_val(&self.cell_of_point[..])
            + size_of_val(&self.labelled[..])
    }

    fn assert_well_formed(&self, points: &[Vec3]) {
        self.table.assert_well_formed();
        assert_eq!((self.table.len(), self.points.len()), (self.cells.len(), self.cells.len()));
        let mut held = vec![false; points.len()];
        for (number, &cell) in (0..).zip(&self.cells) {
            assert_eq!(self.find(cell), Some(number));
            assert!(!self.points.of(number).is_empty(), "cell {cell:?} is empty");
            for &point in self.points.of(number) {
                assert_eq!(cell_of(&points[point as usize], self.cell_size), cell);
                assert!(!std::mem::replace(&mut held[point as usize], true), "{point} twice");
            }
        }
        assert!(held.iter().all(|&held| held), "a point is missing");
    }
}

impl UniformHash {
    /// Gives each cell that holds a point a number, and each point the number of its cell.
    fn number_cells(&mut self) {
        self.table.clear();
        self.cells.clear();
        self.labelled.clear();
        for (point, &cell) in (0..).zip(&self.cell_of_point) {
            let cells = &self.cells;
            let is_it = |number: u32| cells[number as usize] == cell;
            let (number, is_new) = self.table.find_or_insert(hash(cell), is_it);
            if is_new {
                self.cells.push(cell);
            }
            self.labelled.push((number, point));
        }
    }

    #[inline(always)]
    fn visit_cells_around(&self, at: &Vec3, mut visit: impl FnMut(&[u32])) {
        CellRange::around(cell_of(at, self.cell_size)).for_each(|cell| {
            if let Some(number) = self.find(cell) {
                visit(self.points.of(number));
            }
        });
    }

    #[inline(always)]
    fn find(&self, cell: Cell) -> Option<u32> {
        self.table.find(hash(cell), |number| self.cells[number as usize] == cell)
    }
}
