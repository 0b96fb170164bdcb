//! The multilevel hash: objects in cells of their class, and every class asked.
//!
//! Eitz & Lixu 2007, as in Pouchol et al. 2009, §2.2. An object lies in the few cells of its class
//! that its box touches ([`classes`](super::classes)), under the hash of their position (eq. 3); a
//! query looks into the cells that it touches in every class.
//!
//! Deviations:
//! - One table for all classes; the class is in the key, too, lest cells near the origin share it.
//! - Where a query touches more cells of a class than there are, it goes through those.
//! - A key stands for a place in the table only; class and position are compared (n = ∞ in eq. 3).
//!   [`FixedMultilevelHash`](super::FixedMultilevelHash) has the table of a given length.

use crate::cells::buckets::Buckets;
use crate::cells::cell_range::CellRange;
use crate::cells::cell_table::{CellTable, hash};
use crate::cells::classes::{Classes, Entry, axes_of_equality};
use crate::contract::BroadPhase;
use hashfall_core::Real;
use hashfall_core::cell::Cell;
use hashfall_core::geometry::Aabb;

/// Objects in hashed cells of many sizes.
#[derive(Clone, Debug, Default)]
pub struct MultilevelHash {
    classes: Classes,
    table: CellTable,
    /// The cell of each number in the table.
    cells: Vec<ClassCell>,
    /// The cells of each class that occurs.
    of_level: Buckets<u32>,
    /// For each cell the objects of its class that touch it.
    objects: Buckets<Entry>,
    /// Each cell with its level, before they are sorted.
    level_of: Vec<(u32, u32)>,
    /// Each entry with its cell, before they are sorted.
    entry_of: Vec<(u32, Entry)>,
}

/// A cell of some class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ClassCell {
    /// 0 for the largest class, and so on.
    level: usize,
    position: Cell,
}

impl ClassCell {
    /// Its hash (eq. 3).
    #[inline(always)]
    fn key(&self) -> u64 {
        level_key(self.level, self.position)
    }
}

/// The hash of a cell of the class at `level`.
#[inline(always)]
pub(crate) fn level_key(level: usize, position: Cell) -> u64 {
    hash(position).wrapping_add(level as u64)
}

impl BroadPhase for MultilevelHash {
    fn rebuild(&mut self, boxes: &[Aabb], smallest: Real) {
        crate::contract::assert_boxes(boxes);
        self.classes.choose(boxes, smallest);
        self.table.clear();
        self.cells.clear();
        self.level_of.clear();
        self.entry_of.clear();
        for (object, b) in (0..).zip(boxes) {
            self.insert(object, b);
        }
        self.of_level.rebuild(self.classes.occurring.len(), &self.level_of);
        self.objects.rebuild(self.cells.len(), &self.entry_of);
    }

    #[inline]
    fn candidates(&self, query: &Aabb, mut visit: impl FnMut(u32)) {
        self.visit_touched(query, |entry, lowest_on| {
            if entry.is_reported(lowest_on) {
                visit(entry.object);
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
            + self.cells.len() * size_of::<ClassCell>()
            + self.of_level.bytes()
            + self.objects.bytes()
    }

    fn assert_well_formed(&self, boxes: &[Aabb]) {
        self.table.assert_well_formed();
        let mut places = vec![0; boxes.len()];
        for (number, cell) in (0..).zip(&self.cells) {
            assert_eq!(self.find(cell), Some(number));
            assert!(self.of_level.of(cell.level as u32).contains(&number));
            assert!(!self.objects.of(number).is_empty(), "cell {number} is empty");
            for &entry in self.objects.of(number) {
                let b = &boxes[entry.object as usize];
                let touched = self.classes.touched(b).coarsened(self.classes.of(b));
                assert_eq!(self.classes.of(b), self.classes.occurring[cell.level]);
                assert!(touched.contains(cell.position), "object {} in {cell:?}", entry.object);
                assert_eq!(entry, Entry::new(entry.object, cell.position, &touched));
                places[entry.object as usize] += 1;
            }
        }
        for (b, &places) in boxes.iter().zip(&places) {
            let touched = self.classes.touched(b).coarsened(self.classes.of(b));
            assert_eq!(touched.count(), places, "cells of {b:?}");
        }
    }
}

impl MultilevelHash {
    /// Enters an object in each cell of its class that it touches.
    fn insert(&mut self, object: u32, b: &Aabb) {
        let class = self.classes.of(b);
        let level = self.classes.level_of(class);
        let touched = self.classes.touched(b).coarsened(class);
        touched.for_each(|position| {
            let cell = ClassCell { level, position };
            let is_it = |number: u32| self.cells[number as usize] == cell;
            let (number, is_new) = self.table.find_or_insert(cell.key(), is_it);
            if is_new {
                self.cells.push(cell);
                self.level_of.push((level as u32, number));
            }
            self.entry_of.push((number, Entry::new(object, position, &touched)));
        });
    }

    #[inline(always)]
    fn find(&self, cell: &ClassCell) -> Option<u32> {
        self.table.find(cell.key(), |number| self.cells[number as usize] == *cell)
    }

    /// Visits the entries of the cells of all classes that a query touches, each with the axes on
    /// which the query has no lower cell.
    #[inline]
    fn visit_touched(&self, query: &Aabb, mut visit: impl FnMut(&Entry, u8)) {
        let Some(touched) = self.classes.touched_by_query(query) else { return };
        for (level, &class) in self.classes.occurring.iter().enumerate() {
            let touched: CellRange = touched.coarsened(class);
            let mut visit_cell = |number: u32, position: Cell| {
                let lowest_on = axes_of_equality(position, touched.low);
                self.objects.of(number).iter().for_each(|entry| visit(entry, lowest_on));
            };
            let cells = self.of_level.of(level as u32);
            if touched.count() <= cells.len() as u64 {
                touched.for_each(|position| {
                    if let Some(number) = self.find(&ClassCell { level, position }) {
                        visit_cell(number, position);
                    }
                });
            } else {
                for &number in cells {
                    let position = self.cells[number as usize].position;
                    if touched.contains(position) {
                        visit_cell(number, position);
                    }
                }
            }
        }
    }
}
