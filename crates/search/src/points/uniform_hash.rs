//! Spatially uniform hashing: cells of the support radius in a hash table.
//!
//! A point lies in the cell `⌊x/h⌋`; its neighbours lie in that cell and the 26 around it, or the 8
//! where all points lie in a plane of cells (Teschner
//! et al. 2003; Ahmad, "Hash tables for physical based simulations"; Pouchol et al. 2009, §2.1 and
//! eq. 1). Deviations: the table is unbounded and compares the cells themselves, so no candidate
//! comes from a distant cell with the same hash, and none comes twice; it is built anew each time
//! by a counting sort instead of keeping time stamps.
//!
//! `h` support radius = cell size \[m\].

use crate::cells::hashed_cells::HashedCells;
use crate::contract::{NeighborSearch, assert_cells, assert_count};
use hashfall_core::cell::{Cell, cell_of};
use hashfall_core::{Real, Vec3, parallel};

/// Points in hashed cells of one size.
#[derive(Clone, Debug, Default)]
pub struct UniformHash {
    cell_size: Real,
    cells: HashedCells,
    cell_of_point: Vec<Cell>,
}

impl NeighborSearch for UniformHash {
    fn rebuild(&mut self, points: &[Vec3], support_radius: Real) {
        assert_count(points.len());
        assert_cells(points, support_radius);
        self.cell_size = support_radius;
        self.cell_of_point.resize(points.len(), Cell::default());
        parallel::fill(&mut self.cell_of_point, |i, cell| {
            *cell = cell_of(&points[i], support_radius)
        });
        self.cells.rebuild(&self.cell_of_point);
    }

    #[inline]
    fn candidates(&self, at: &Vec3, mut visit: impl FnMut(u32)) {
        self.candidate_runs(0, at, |points| points.iter().for_each(|&point| visit(point)));
    }

    #[inline]
    fn candidate_runs(&self, _point: usize, at: &Vec3, visit: impl FnMut(&[u32])) {
        self.cells.around(cell_of(at, self.cell_size), visit);
    }

    fn bytes(&self) -> usize {
        self.cells.bytes() + size_of_val(&self.cell_of_point[..])
    }

    fn assert_well_formed(&self, points: &[Vec3]) {
        let cell = |point: usize| cell_of(&points[point], self.cell_size);
        self.cells.assert_well_formed(points.len(), cell);
    }
}
