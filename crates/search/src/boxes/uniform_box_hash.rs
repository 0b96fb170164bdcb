//! The uniform hash over boxes: every box in all cells of one size that it touches.
//!
//! Teschner et al. 2003 and Ahmad; Pouchol et al. 2009, fig. 1, left. The cell size s is the mean
//! of the boxes' longest edges, as the first two advise, and at least the size of the smallest
//! query. It suits boxes of one size. A box of edge b among boxes of edge r touches up to (b/s +
//! 2)³ cells, which is what classes of sizes are there to avoid (§2.2).
//!
//! An object is found once: in the lowest cell that it and the query share
//! ([`classes`](super::classes)), whose argument holds for cells of any one size.
//!
//! Deviations:
//! - A box that touches more than [`MAX_CELLS`] cells is in none, but in a list that every query
//!   goes through. One huge box among N tiny ones would fill about N³ cells. As the edges of all
//!   boxes add up to N·s, and such a box is longer than 8 s, there are at most N/8 of them; and no
//!   set of boxes takes more than N·[`MAX_CELLS`] entries.
//! - s is at least 2⁻³⁰ of the largest coordinate, so that positions fit 32 bits.
//! - Where a query touches more cells than there are, it goes through those.
//! - A key stands for a place in the table only; positions are compared (n = ∞ in eq. 1).

use crate::cells::buckets::Buckets;
use crate::cells::cell_range::CellRange;
use crate::cells::cell_table::{CellTable, hash};
use crate::cells::classes::{Entry, axes_of_equality};
use crate::contract::BroadPhase;
use hashfall_core::Real;
use hashfall_core::cell::{Cell, cell_of};
use hashfall_core::geometry::Aabb;

/// The most cells that a box is entered in: a cube of ten.
const MAX_CELLS: u64 = 1000;

/// Objects in hashed cells of one size.
#[derive(Clone, Debug)]
pub struct UniformBoxHash {
    /// Around all objects.
    bounds: Aabb,
    /// s: edge of a cell \[m\].
    size: Real,
    table: CellTable,
    /// The position of each cell in the table.
    cells: Vec<Cell>,
    /// For each cell the objects that touch it.
    objects: Buckets<Entry>,
    /// The objects that touch too many cells.
    everywhere: Vec<u32>,
    /// Each entry with its cell, before they are sorted.
    entry_of: Vec<(u32, Entry)>,
}

impl Default for UniformBoxHash {
    fn default() -> Self {
        UniformBoxHash {
            bounds: Aabb::EMPTY,
            size: 1.0,
            table: CellTable::default(),
            cells: Vec::new(),
            objects: Buckets::default(),
            everywhere: Vec::new(),
            entry_of: Vec::new(),
        }
    }
}

impl BroadPhase for UniformBoxHash {
    fn rebuild(&mut self, boxes: &[Aabb], smallest: Real) {
        crate::contract::assert_boxes(boxes);
        self.bounds = boxes.iter().fold(Aabb::EMPTY, |bounds, b| bounds.union(b));
        self.size = cell_size(boxes, smallest);
        self.table.clear();
        self.cells.clear();
        self.everywhere.clear();
        self.entry_of.clear();
        for (object, b) in (0..).zip(boxes) {
            self.insert(object, b);
        }
        self.objects.rebuild(self.cells.len(), &self.entry_of);
    }

    #[inline]
    fn candidates(&self, query: &Aabb, mut visit: impl FnMut(u32)) {
        self.visit_touched(query, |object, is_reported| {
            if is_reported {
                visit(object);
            }
        });
    }

    fn examined(&self, query: &Aabb) -> usize {
        let mut count = 0;
        self.visit_touched(query, |_, _| count += 1);
        count
    }

    fn bytes(&self) -> usize {
        self.table.bytes()
            + size_of_val(&self.cells[..])
            + size_of_val(&self.everywhere[..])
            + self.objects.bytes()
    }

    fn assert_well_formed(&self, boxes: &[Aabb]) {
        self.table.assert_well_formed();
        assert_eq!(self.table.len(), self.cells.len());
        let mut places = vec![0; boxes.len()];
        for (number, &cell) in (0..).zip(&self.cells) {
            assert_eq!(self.find(cell), Some(number));
            assert!(!self.objects.of(number).is_empty(), "cell {number} is empty");
            for &entry in self.objects.of(number) {
                let touched = self.touched(&boxes[entry.object as usize]);
                assert!(touched.contains(cell), "object {} in {cell:?}", entry.object);
                assert_eq!(entry, Entry::new(entry.object, cell, &touched));
                places[entry.object as usize] += 1;
            }
        }
        for (object, b) in (0..).zip(boxes) {
            let count = self.touched(b).count();
            assert_eq!(count > MAX_CELLS, self.everywhere.contains(&object), "{b:?}");
            let wanted = if count > MAX_CELLS { 0 } else { count };
            assert_eq!(places[object as usize], wanted, "cells of {b:?}");
        }
    }
}

impl UniformBoxHash {
    /// Enters an object in each cell that it touches.
    fn insert(&mut self, object: u32, b: &Aabb) {
        let touched = self.touched(b);
        if touched.count() > MAX_CELLS {
            self.everywhere.push(object);
            return;
        }
        touched.for_each(|cell| {
            let is_it = |number: u32| self.cells[number as usize] == cell;
            let (number, is_new) = self.table.find_or_insert(hash(cell), is_it);
            if is_new {
                self.cells.push(cell);
            }
            self.entry_of.push((number, Entry::new(object, cell, &touched)));
        });
    }

    /// The cells that a box touches.
    #[inline]
    fn touched(&self, b: &Aabb) -> CellRange {
        CellRange { low: cell_of(&b.min, self.size), high: cell_of(&b.max, self.size) }
    }

    #[inline(always)]
    fn find(&self, cell: Cell) -> Option<u32> {
        self.table.find(hash(cell), |number| self.cells[number as usize] == cell)
    }

    /// Visits the entries that a query meets, each with whether this is the place to report it.
    #[inline]
    fn visit_touched(&self, query: &Aabb, mut visit: impl FnMut(u32, bool)) {
        if query.is_empty() || !query.overlaps(&self.bounds) {
            return;
        }
        self.everywhere.iter().for_each(|&object| visit(object, true));
        let [min, max] = [query.min.sup(&self.bounds.min), query.max.inf(&self.bounds.max)];
        let touched = self.touched(&Aabb::new(min, max));
        let mut visit_cell = |number: u32, cell: Cell| {
            let lowest_on = axes_of_equality(cell, touched.low);
            let entries = self.objects.of(number).iter();
            entries.for_each(|entry| visit(entry.object, entry.is_reported(lowest_on)));
        };
        if touched.count() <= self.cells.len() as u64 {
            touched.for_each(|cell| {
                if let Some(number) = self.find(cell) {
                    visit_cell(number, cell);
                }
            });
        } else {
            let all = (0..).zip(&self.cells).filter(|&(_, &cell)| touched.contains(cell));
            all.for_each(|(number, &cell)| visit_cell(number, cell));
        }
    }
}

/// s: the mean of the longest edges, within what queries and positions allow.
fn cell_size(boxes: &[Aabb], smallest: Real) -> Real {
    // Halves and shares, as edges and their sum may be beyond all numbers.
    let half_edge = |b: &Aabb| (b.max * 0.5 - b.min * 0.5).max();
    let share = 1.0 / boxes.len().max(1) as f64;
    let half_mean: f64 = boxes.iter().map(|b| f64::from(half_edge(b)) * share).sum();
    let reach = |b: &Aabb| b.min.amax().max(b.max.amax());
    let farthest = boxes.iter().map(reach).fold(0.0, Real::max);
    let floor = smallest.max(farthest / (1 << 30) as Real).max(Real::MIN_POSITIVE);
    (2.0 * half_mean as Real).clamp(floor, Real::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::Vec3;

    fn cube(low: Real, edge: Real) -> Aabb {
        Aabb::new(Vec3::from_element(low), Vec3::from_element(low + edge))
    }

    #[test]
    fn the_cell_is_the_mean_edge_within_its_bounds() {
        let boxes = [cube(0.0, 1.0), cube(0.0, 3.0)];
        assert_eq!(cell_size(&boxes, 0.5), 2.0);
        assert_eq!(cell_size(&boxes, 5.0), 5.0);
        assert_eq!(cell_size(&[cube(1e30, 0.0)], 1.0), 1e30 / (1 << 30) as Real);
        let all = Aabb::new(Vec3::from_element(-Real::MAX), Vec3::from_element(Real::MAX));
        assert_eq!(cell_size(&[all], 1.0), Real::MAX);
    }

    #[test]
    fn a_box_of_too_many_cells_is_everywhere() {
        let mut boxes = vec![cube(-50.0, 100.0)];
        boxes.extend((0..999).map(|n| cube(n as Real * 0.04, 0.01)));
        let mut hash = UniformBoxHash::default();
        hash.rebuild(&boxes, 0.01);
        assert_eq!(hash.everywhere, [0]);
        assert!(hash.entry_of.len() < 8 * boxes.len(), "{}", hash.entry_of.len());
    }
}
