//! Boxes of cells.

use hashfall_core::cell::Cell;

/// Cells from `low` to `high`, both included; none if `low` exceeds `high` on an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CellRange {
    pub low: Cell,
    pub high: Cell,
}

impl Default for CellRange {
    fn default() -> Self {
        CellRange::NONE
    }
}

impl CellRange {
    /// No cell.
    pub const NONE: CellRange = CellRange { low: [i32::MAX; 3], high: [i32::MIN; 3] };

    /// Grows so that it holds a cell.
    #[inline(always)]
    pub fn include(&mut self, cell: Cell) {
        *self = CellRange {
            low: std::array::from_fn(|a| self.low[a].min(cell[a])),
            high: std::array::from_fn(|a| self.high[a].max(cell[a])),
        };
    }

    /// The 27 cells around and with `centre`.
    #[inline(always)]
    pub fn around(centre: Cell) -> Self {
        CellRange {
            low: centre.map(|c| c.saturating_sub(1)),
            high: centre.map(|c| c.saturating_add(1)),
        }
    }

    /// The cells inside `cell` that are smaller by `doublings`, which is in 1..32.
    #[inline(always)]
    pub fn inside(cell: Cell, doublings: u32) -> Self {
        CellRange {
            low: cell.map(|c| c << doublings),
            high: cell.map(|c| (c << doublings) | !(-1 << doublings)),
        }
    }

    /// The larger cells that hold these; `doublings` is in 0..32.
    #[inline(always)]
    pub fn coarsened(&self, doublings: u32) -> Self {
        CellRange { low: coarsened(self.low, doublings), high: coarsened(self.high, doublings) }
    }

    /// The cells in both.
    #[inline(always)]
    pub fn intersection(&self, other: &CellRange) -> Self {
        let [low, high] = [
            std::array::from_fn(|a| self.low[a].max(other.low[a])),
            std::array::from_fn(|a| self.high[a].min(other.high[a])),
        ];
        CellRange { low, high }
    }

    /// The number of cells; saturates.
    #[inline(always)]
    pub fn count(&self) -> u64 {
        let edge = |a: usize| (i64::from(self.high[a]) - i64::from(self.low[a]) + 1).max(0) as u64;
        edge(0).saturating_mul(edge(1)).saturating_mul(edge(2))
    }

    #[inline(always)]
    pub fn contains(&self, cell: Cell) -> bool {
        (0..3).all(|a| self.low[a] <= cell[a] && cell[a] <= self.high[a])
    }

    /// Visits the cells by z, then y, then x.
    #[inline(always)]
    pub fn for_each(&self, mut visit: impl FnMut(Cell)) {
        for z in self.low[2]..=self.high[2] {
            for y in self.low[1]..=self.high[1] {
                for x in self.low[0]..=self.high[0] {
                    visit([x, y, z]);
                }
            }
        }
    }
}

/// The cell larger by `doublings`, in 0..32, that holds `cell`.
#[inline(always)]
pub(crate) fn coarsened(cell: Cell, doublings: u32) -> Cell {
    cell.map(|c| c >> doublings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inside_undoes_coarsened() {
        let cell = [-3, 0, 5];
        for doublings in 1..4 {
            let inside = CellRange::inside(cell, doublings);
            assert_eq!(inside.count(), 1 << (3 * doublings));
            inside.for_each(|small| assert_eq!(coarsened(small, doublings), cell));
        }
        let half = CellRange::inside([-1, 0, 0], 31);
        assert_eq!((half.low[0], half.high[0]), (i32::MIN, -1));
        assert_eq!((half.low[1], half.high[1]), (0, i32::MAX));
    }

    #[test]
    fn around_stops_at_the_ends_of_the_numbers() {
        let mut seen = vec![];
        CellRange::around([i32::MAX, 0, i32::MIN]).for_each(|cell| seen.push(cell));
        assert_eq!(seen.len(), 12);
        assert_eq!(CellRange { low: [1, 0, 0], high: [0, 9, 9] }.count(), 0);
    }

    #[test]
    fn what_is_around_in_a_flat_range_is_flat() {
        let mut range = CellRange::NONE;
        assert_eq!((range.count(), range.intersection(&CellRange::around([0; 3])).count()), (0, 0));
        [[-4, 2, 0], [7, -1, 0], [0, 0, 0]].into_iter().for_each(|cell| range.include(cell));
        assert_eq!(range, CellRange { low: [-4, -1, 0], high: [7, 2, 0] });
        assert_eq!(CellRange::around([0; 3]).intersection(&range).count(), 9);
    }
}
