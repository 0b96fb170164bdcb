//! The hierarchical hash as the paper has it: objects of any sizes in cells of matching sizes,
//! found top-down.
//!
//! Pouchol et al. 2009. An object lies in the few cells of its class that its box touches
//! ([`classes`](super::classes)). A cell's key is the sum of the hashes of its position in every
//! class from the largest down to its own (eq. 4), and each cell knows whether a smaller one inside
//! it holds anything (`hasChildren`), so a query walks down from the largest class (listing 2) and
//! leaves empty space at once.
//!
//! Deviations:
//! - Listing 2 removes points while it walks them, reaches cells more than once, and leaves open
//!   how subdivided boxes get the keys of their ancestors. Here the walk is a recursion over
//!   existing cells: it hands the key down, and meets each cell once because each has one parent.
//! - Below a cell, the walk looks up the smaller cells that the query covers, or, if there are
//!   fewer of them, goes through the ones that exist: a query is never slower than the cells it
//!   meets.
//! - A key stands for a place in the table only; level and position are compared (n = ∞ in eq. 4).
//!   [`FixedHierarchicalHash`](super::FixedHierarchicalHash) has the table of a given length.

use crate::cells::buckets::Buckets;
use crate::cells::cell_range::{CellRange, coarsened};
use crate::cells::cell_table::{CellTable, hash};
use crate::cells::classes::{Classes, Entry, axes_of_equality};
use crate::contract::BroadPhase;
use hashfall_core::Real;
use hashfall_core::cell::Cell;
use hashfall_core::geometry::Aabb;

/// The number of the cell that is all of space; the cells of the largest class are its children.
const ROOT: u32 = 0;

/// Objects in hashed cells of many sizes.
#[derive(Clone, Debug)]
pub struct PlainHierarchicalHash {
    classes: Classes,
    table: CellTable,
    /// The cell of each number in the table.
    cells: Vec<ClassCell>,
    /// For each cell the smaller cells inside it, of the next class; none: no `hasChildren`.
    children: Buckets<u32>,
    /// For each cell the objects of its class that touch it.
    objects: Buckets<Entry>,
    /// Each cell but the root with its parent, before they are sorted.
    child_of: Vec<(u32, u32)>,
    /// Each entry with its cell, before they are sorted.
    entry_of: Vec<(u32, Entry)>,
}

/// A cell of some class.
#[derive(Clone, Copy, Debug)]
struct ClassCell {
    /// 0 for the root, 1 for the largest class, and so on.
    level: usize,
    position: Cell,
    /// The sum of the hashes from the largest class down to this one.
    key: u64,
}

impl Default for PlainHierarchicalHash {
    fn default() -> Self {
        let mut empty = PlainHierarchicalHash {
            classes: Classes::default(),
            table: CellTable::default(),
            cells: Vec::new(),
            children: Buckets::default(),
            objects: Buckets::default(),
            child_of: Vec::new(),
            entry_of: Vec::new(),
        };
        empty.rebuild(&[], 1.0);
        empty
    }
}

impl BroadPhase for PlainHierarchicalHash {
    fn rebuild(&mut self, boxes: &[Aabb], smallest: Real) {
        crate::contract::assert_boxes(boxes);
        self.classes.choose(boxes, smallest);
        self.clear();
        for (object, b) in (0..).zip(boxes) {
            self.insert(object, b);
        }
        self.children.rebuild(self.cells.len(), &self.child_of);
        self.objects.rebuild(self.cells.len(), &self.entry_of);
    }

    #[inline]
    fn candidates(&self, query: &Aabb, mut visit: impl FnMut(u32)) {
        if let Some(touched) = self.classes.touched_by_query(query) {
            self.visit_inside(ROOT, &touched, &mut |entry, lowest_on| {
                if entry.is_reported(lowest_on) {
                    visit(entry.object);
                }
            });
        }
    }

    fn examined(&self, query: &Aabb) -> usize {
        let mut count = 0;
        if let Some(touched) = self.classes.touched_by_query(query) {
            self.visit_inside(ROOT, &touched, &mut |_, _| count += 1);
        }
        count
    }

    fn bytes(&self) -> usize {
        self.table.bytes()
            + self.cells.len() * size_of::<ClassCell>()
            + self.children.bytes()
            + self.objects.bytes()
    }

    fn assert_well_formed(&self, boxes: &[Aabb]) {
        self.table.assert_well_formed();
        for (number, cell) in (1..).zip(&self.cells[1..]) {
            assert_eq!(self.find(cell.level, cell.position, cell.key), Some(number));
            let kept = !self.children.of(number).is_empty() || !self.objects.of(number).is_empty();
            assert!(kept, "cell {number} is empty");
        }
        self.assert_each_cell_has_one_parent();
        self.assert_each_object_is_in_its_cells(boxes);
    }
}

impl PlainHierarchicalHash {
    /// Forgets all cells but the root; keeps the memory.
    fn clear(&mut self) {
        self.table.clear();
        self.table.find_or_insert(0, |_| false);
        self.cells.clear();
        self.cells.push(ClassCell { level: 0, position: Cell::default(), key: 0 });
        self.child_of.clear();
        self.entry_of.clear();
    }

    /// Enters an object in each cell of its class that it touches.
    fn insert(&mut self, object: u32, b: &Aabb) {
        let class = self.classes.of(b);
        let touched = self.classes.touched(b).coarsened(class);
        touched.for_each(|position| {
            let cell = self.find_or_insert(position, class);
            self.entry_of.push((cell, Entry::new(object, position, &touched)));
        });
    }

    /// The cell of an occurring class at `position`, made with its ancestors if need be
    /// (listing 1).
    fn find_or_insert(&mut self, position: Cell, class: u32) -> u32 {
        let mut cell = ROOT;
        let mut key = 0u64;
        let ancestors = self.classes.occurring.iter().take_while(|&&ancestor| ancestor >= class);
        for (level, ancestor) in (1..).zip(ancestors) {
            let parent = cell;
            let position = coarsened(position, ancestor - class);
            key = key.wrapping_add(hash(position));
            let is_it = |number: u32| self.cells[number as usize].is_at(level, position);
            let (number, is_new) = self.table.find_or_insert(key, is_it);
            if is_new {
                self.cells.push(ClassCell { level, position, key });
                self.child_of.push((parent, number));
            }
            cell = number;
        }
        cell
    }

    #[inline(always)]
    fn find(&self, level: usize, position: Cell, key: u64) -> Option<u32> {
        self.table.find(key, |number| self.cells[number as usize].is_at(level, position))
    }

    /// Visits the entries of the cells inside `parent` that a query touches (listing 2), each with
    /// the axes on which the query has no lower cell; `touched` are the finest cells that it
    /// touches anywhere.
    fn visit_inside(&self, parent: u32, touched: &CellRange, visit: &mut impl FnMut(&Entry, u8)) {
        let children = self.children.of(parent);
        if children.is_empty() {
            return;
        }
        let ClassCell { level, position, key } = self.cells[parent as usize];
        let class = self.classes.occurring[level];
        let touched_here = touched.coarsened(class);
        let covered = if parent == ROOT {
            touched_here
        } else {
            let doublings = self.classes.occurring[level - 1] - class;
            touched_here.intersection(&CellRange::inside(position, doublings))
        };
        let mut visit_cell = |child: u32, position: Cell| {
            let lowest_on = axes_of_equality(position, touched_here.low);
            self.objects.of(child).iter().for_each(|entry| visit(entry, lowest_on));
            self.visit_inside(child, touched, visit);
        };
        if covered.count() <= children.len() as u64 {
            covered.for_each(|position| {
                let key = key.wrapping_add(hash(position));
                if let Some(child) = self.find(level + 1, position, key) {
                    visit_cell(child, position);
                }
            });
        } else {
            for &child in children {
                let position = self.cells[child as usize].position;
                if covered.contains(position) {
                    visit_cell(child, position);
                }
            }
        }
    }

    fn assert_each_cell_has_one_parent(&self) {
        let mut has_parent = vec![false; self.cells.len()];
        has_parent[ROOT as usize] = true;
        for (number, cell) in (0..).zip(&self.cells) {
            for &child in self.children.of(number) {
                let ClassCell { level, position, key } = self.cells[child as usize];
                assert_eq!(level, cell.level + 1);
                assert_eq!(key, cell.key.wrapping_add(hash(position)));
                if number != ROOT {
                    let doublings =
                        self.classes.occurring[cell.level - 1] - self.classes.occurring[cell.level];
                    assert_eq!(coarsened(position, doublings), cell.position);
                }
                assert!(!std::mem::replace(&mut has_parent[child as usize], true), "{child} twice");
            }
        }
        assert!(has_parent.iter().all(|&has| has), "a cell cannot be reached");
    }

    fn assert_each_object_is_in_its_cells(&self, boxes: &[Aabb]) {
        let mut places = vec![0; boxes.len()];
        for (number, cell) in (1..).zip(&self.cells[1..]) {
            let class = self.classes.occurring[cell.level - 1];
            for &entry in self.objects.of(number) {
                let object = entry.object;
                let b = &boxes[object as usize];
                let touched = self.classes.touched(b).coarsened(class);
                assert_eq!(self.classes.of(b), class);
                assert!(touched.contains(cell.position), "object {object} in {cell:?}");
                assert_eq!(entry, Entry::new(object, cell.position, &touched));
                places[object as usize] += 1;
            }
        }
        for (b, &places) in boxes.iter().zip(&places) {
            let touched = self.classes.touched(b).coarsened(self.classes.of(b));
            assert_eq!(touched.count(), places, "cells of {b:?}");
        }
    }
}

impl ClassCell {
    #[inline(always)]
    fn is_at(&self, level: usize, position: Cell) -> bool {
        self.position == position && self.level == level
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::Vec3;

    fn cube(low: Real, edge: Real) -> Aabb {
        Aabb::new(Vec3::from_element(low), Vec3::from_element(low + edge))
    }

    #[test]
    fn cells_without_smaller_ones_inside_end_the_walk() {
        let mut hash = PlainHierarchicalHash::default();
        hash.rebuild(&[cube(0.25, 0.5), cube(0.25, 16.0), cube(100.0, 8.5)], 0.5);
        // Classes 16 and ½; of the cells of class 16 only the first holds a smaller cell.
        let parents = (1..hash.cells.len() as u32).filter(|&c| !hash.children.of(c).is_empty());
        assert_eq!(parents.count(), 1);
    }
}
