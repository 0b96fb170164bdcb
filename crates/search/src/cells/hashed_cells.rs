//! Points by cell, and the cells in an unbounded hash table: what the uniform and the extended
//! hash have in common.
//!
//! Cells that hold points are numbered as they come; the table finds a cell's number by comparing
//! the cell itself, so no two cells are ever mixed up.

use crate::cells::buckets::Buckets;
use crate::cells::cell_range::CellRange;
use crate::cells::cell_table::{CellTable, hash};
use hashfall_core::cell::Cell;

/// The points of each cell that holds any.
#[derive(Clone, Debug, Default)]
pub(crate) struct HashedCells {
    table: CellTable,
    /// The cell of each number in the table.
    cells: Vec<Cell>,
    /// The range of them: where space is flat, so is what is searched.
    range: CellRange,
    points: Buckets<u32>,
    /// Each point with the number of its cell, before they are sorted.
    labelled: Vec<(u32, u32)>,
}

impl HashedCells {
    /// Takes the points `0, 1, 2, …`, each in its cell.
    pub fn rebuild(&mut self, cell_of_point: &[Cell]) {
        self.table.clear();
        self.cells.clear();
        self.labelled.clear();
        self.range = CellRange::NONE;
        for (point, &cell) in (0..).zip(cell_of_point) {
            let cells = &self.cells;
            let is_it = |number: u32| cells[number as usize] == cell;
            let (number, is_new) = self.table.find_or_insert(hash(cell), is_it);
            if is_new {
                self.cells.push(cell);
                self.range.include(cell);
            }
            self.labelled.push((number, point));
        }
        self.points.rebuild(self.cells.len(), &self.labelled);
    }

    /// The points of a cell.
    #[inline(always)]
    pub fn of(&self, cell: Cell) -> &[u32] {
        self.find(cell).map_or(&[], |number| self.points.of(number))
    }

    /// Visits the points of each cell next to one, and of itself.
    #[inline(always)]
    pub fn around(&self, cell: Cell, mut visit: impl FnMut(&[u32])) {
        let near = CellRange::around(cell).intersection(&self.range);
        near.for_each(|cell| visit(self.of(cell)));
    }

    /// The cells that hold points, and their points.
    pub fn iter(&self) -> impl Iterator<Item = (Cell, &[u32])> {
        (0..).zip(&self.cells).map(|(number, &cell)| (cell, self.points.of(number)))
    }

    /// The number of cells that hold points.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.table.bytes()
            + size_of_val(&self.cells[..])
            + self.points.bytes()
            + size_of_val(&self.labelled[..])
    }

    /// Panics unless each of `0..count` is in the cell that `cell_of` gives, once.
    pub fn assert_well_formed(&self, count: usize, cell_of: impl Fn(usize) -> Cell) {
        self.table.assert_well_formed();
        assert_eq!((self.table.len(), self.points.len()), (self.cells.len(), self.cells.len()));
        let mut held = vec![false; count];
        for (number, &cell) in (0..).zip(&self.cells) {
            assert_eq!(self.find(cell), Some(number));
            assert!(!self.points.of(number).is_empty(), "cell {cell:?} is empty");
            for &point in self.points.of(number) {
                assert_eq!(cell_of(point as usize), cell);
                assert!(!std::mem::replace(&mut held[point as usize], true), "{point} twice");
            }
        }
        assert!(held.iter().all(|&held| held), "a point is missing");
    }

    #[inline(always)]
    fn find(&self, cell: Cell) -> Option<u32> {
        self.table.find(hash(cell), |number| self.cells[number as usize] == cell)
    }
}
