//! The hierarchical hash: objects of any sizes in cells of matching sizes, found top-down.
//!
//! Pouchol et al. 2009. An object belongs to the *class* of the smallest power of two that is not
//! below its longest edge (eq. 2) and lies in the few cells of that *class size* that its box
//! touches. A cell's key is the sum of the hashes of its position in every class from the largest
//! down to its own (eq. 4), and each cell knows whether a smaller one inside it holds anything
//! (`hasChildren`), so a query walks down from the largest class (listing 2) and leaves empty space
//! at once. Only classes that occur have cells.
//!
//! Deviations:
//! - Listing 2 removes points while it walks them, reaches cells more than once, and leaves open
//!   how subdivided boxes get the keys of their ancestors. Here the walk is a recursion over
//!   existing cells: it hands the key down, and meets each cell once because each has one parent.
//! - Below a cell, the walk looks up the smaller cells that the query covers, or, if there are
//!   fewer of them, goes through the ones that exist: a query is never slower than the cells it
//!   meets.
//! - A key stands for a place in the table only; level and position are compared (n = ∞ in eq. 4).
//! - The finest class size is at least 2⁻³⁰ of the largest coordinate, so positions fit 32 bits.
//!
//! # Each object once
//!
//! Object and query both reach over a box of cells, `lₒ..=hₒ` and `l..=h` on an axis, and a walk
//! can meet the object in every cell of the overlap. It is reported only in the overlap's lowest
//! cell, `max(l, lₒ)` on each axis: there is exactly one. As a cell c of the overlap has c ≥ l and
//! c ≥ lₒ, it is the lowest if and only if c = l or c = lₒ on each axis: one bit an axis from the
//! query, one from the entry. Positions grow with coordinates, so boxes that share a point share
//! its cell.

use super::BroadPhase;
use super::buckets::Buckets;
use super::cell_range::{CellRange, coarsened};
use super::cell_table::{CellTable, hash};
use crate::base::Real;
use crate::base::cell::{Cell, cell_of};
use crate::geometry::Aabb;

/// The largest class, as doublings of the finest: twice the largest coordinate.
const MAX_CLASS: u32 = 31;

/// The number of the cell that is all of space; the cells of the largest class are its children.
const ROOT: u32 = 0;

/// The set of all three axes.
const ALL_AXES: u8 = 0b111;

/// Objects in hashed cells of many sizes.
#[derive(Clone, Debug)]
pub struct HierarchicalHash {
    /// Around all objects.
    bounds: Aabb,
    /// Edge of the finest possible class \[m\], a power of two.
    finest: Real,
    /// The classes that occur, largest first, as doublings of `finest`.
    classes: Vec<u32>,
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

/// An object in a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Entry {
    object: u32,
    /// The axes on which no lower cell holds the object.
    lowest_on: u8,
}

impl Default for HierarchicalHash {
    fn default() -> Self {
        let mut empty = HierarchicalHash {
            bounds: Aabb::EMPTY,
            finest: 1.0,
            classes: Vec::new(),
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

impl BroadPhase for HierarchicalHash {
    fn rebuild(&mut self, boxes: &[Aabb], smallest: Real) {
        self.choose_classes(boxes, smallest);
        self.clear();
        for (object, b) in (0..).zip(boxes) {
            self.insert(object, b);
        }
        self.children.rebuild(self.cells.len(), &self.child_of);
        self.objects.rebuild(self.cells.len(), &self.entry_of);
    }

    #[inline]
    fn candidates(&self, query: &Aabb, mut visit: impl FnMut(u32)) {
        if query.overlaps(&self.bounds) {
            let [min, max] = [query.min.sup(&self.bounds.min), query.max.inf(&self.bounds.max)];
            self.visit_inside(ROOT, &self.touched(&Aabb::new(min, max)), &mut visit);
        }
    }

    fn assert_well_formed(&self, boxes: &[Aabb]) {
        self.table.assert_well_formed();
        assert!(self.classes.is_sorted_by(|a, b| a > b), "classes {:?}", self.classes);
        for (number, cell) in (1..).zip(&self.cells[1..]) {
            assert_eq!(self.find(cell.level, cell.position, cell.key), Some(number));
            let kept = !self.children.of(number).is_empty() || !self.objects.of(number).is_empty();
            assert!(kept, "cell {number} is empty");
        }
        self.assert_each_cell_has_one_parent();
        self.assert_each_object_is_in_its_cells(boxes);
    }
}

impl HierarchicalHash {
    /// Fixes the bounds, the finest class size, and the classes that occur (`classSizes`, §3.1).
    fn choose_classes(&mut self, boxes: &[Aabb], smallest: Real) {
        self.bounds = boxes.iter().fold(Aabb::EMPTY, |bounds, b| bounds.union(b));
        let reach = |b: &Aabb| b.min.amax().max(b.max.amax());
        let farthest = boxes.iter().map(reach).fold(0.0, Real::max);
        let floor = smallest.max(farthest / (1 << 30) as Real).max(Real::MIN_POSITIVE);
        self.finest = power_of_two_from(floor);
        let occurring = boxes.iter().fold(0u32, |set, b| set | 1 << self.class_of(b));
        self.classes.clear();
        self.classes.extend((0..=MAX_CLASS).rev().filter(|class| occurring >> class & 1 == 1));
    }

    /// Forgets all cells but the root; keeps the memory.
    fn clear(&mut self) {
        self.table.clear();
        self.table.find_or_insert(0, |_| false);
        self.cells.clear();
        self.cells.push(ClassCell { level: 0, position: Cell::default(), key: 0 });
        self.child_of.clear();
        self.entry_of.clear();
    }

    /// The class of a box by eq. 2, as doublings of the finest.
    fn class_of(&self, b: &Aabb) -> u32 {
        let edge = b.extent().max();
        let mut size = self.finest;
        let mut class = 0;
        while size < edge && class < MAX_CLASS {
            size *= 2.0;
            class += 1;
        }
        class
    }

    /// The finest cells that a box touches. Class sizes are powers of two, so this is exact, and
    /// halving the positions gives the cells of the other classes.
    #[inline]
    fn touched(&self, b: &Aabb) -> CellRange {
        CellRange { low: cell_of(&b.min, self.finest), high: cell_of(&b.max, self.finest) }
    }

    /// Enters an object in each cell of its class that it touches.
    fn insert(&mut self, object: u32, b: &Aabb) {
        let class = self.class_of(b);
        let touched = self.touched(b).coarsened(class);
        touched.for_each(|position| {
            let cell = self.find_or_insert(position, class);
            let lowest_on = axes_of_equality(position, touched.low);
            self.entry_of.push((cell, Entry { object, lowest_on }));
        });
    }

    /// The cell of an occurring class at `position`, made with its ancestors if need be
    /// (listing 1).
    fn find_or_insert(&mut self, position: Cell, class: u32) -> u32 {
        let mut cell = ROOT;
        let mut key = 0u64;
        let ancestors = self.classes.iter().take_while(|&&ancestor| ancestor >= class);
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

    /// Visits the objects in the cells inside `parent` that a query touches (listing 2); `touched`
    /// are the finest cells that it touches anywhere.
    fn visit_inside(&self, parent: u32, touched: &CellRange, visit: &mut impl FnMut(u32)) {
        let children = self.children.of(parent);
        if children.is_empty() {
            return;
        }
        let ClassCell { level, position, key } = self.cells[parent as usize];
        let class = self.classes[level];
        let touched_here = touched.coarsened(class);
        let covered = if parent == ROOT {
            touched_here
        } else {
            let doublings = self.classes[level - 1] - class;
            touched_here.intersection(&CellRange::inside(position, doublings))
        };
        let mut visit_cell = |child: u32, position: Cell| {
            let lowest_on = axes_of_equality(position, touched_here.low);
            for entry in self.objects.of(child) {
                if entry.lowest_on | lowest_on == ALL_AXES {
                    visit(entry.object);
                }
            }
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
                    let doublings = self.classes[cell.level - 1] - self.classes[cell.level];
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
            let class = self.classes[cell.level - 1];
            for &Entry { object, lowest_on } in self.objects.of(number) {
                let b = &boxes[object as usize];
                let touched = self.touched(b).coarsened(class);
                assert_eq!(self.class_of(b), class);
                assert!(touched.contains(cell.position), "object {object} in {cell:?}");
                assert_eq!(lowest_on, axes_of_equality(cell.position, touched.low));
                places[object as usize] += 1;
            }
        }
        for (b, &places) in boxes.iter().zip(&places) {
            let touched = self.touched(b).coarsened(self.class_of(b));
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

/// The axes, as bits, on which two positions agree.
#[inline(always)]
fn axes_of_equality(a: Cell, b: Cell) -> u8 {
    (0..3).fold(0, |axes, axis| axes | u8::from(a[axis] == b[axis]) << axis)
}

/// The smallest power of two that is not below `x`, which is positive; exact, without logarithms.
/// Infinite if there is none.
fn power_of_two_from(x: Real) -> Real {
    let mut power: Real = 1.0;
    while power < x {
        power *= 2.0;
    }
    while power.is_finite() && power * 0.5 >= x {
        power *= 0.5;
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Vec3;

    fn cube(low: Real, edge: Real) -> Aabb {
        Aabb::new(Vec3::from_element(low), Vec3::from_element(low + edge))
    }

    #[test]
    fn powers_of_two_are_exact() {
        for x in [1.0, 0.5, 4.0, Real::MIN_POSITIVE] {
            assert_eq!(power_of_two_from(x), x);
            assert_eq!(power_of_two_from(x.next_up()), 2.0 * x);
        }
        assert_eq!(power_of_two_from(0.06), 0.0625);
        assert_eq!(power_of_two_from(Real::INFINITY), Real::INFINITY);
    }

    #[test]
    fn classes_come_from_the_data() {
        let mut hash = HierarchicalHash::default();
        hash.rebuild(&[cube(0.0, 1.0), cube(5.0, 0.01), cube(1.0, 1.1), cube(-3.0, 30.0)], 0.06);
        let sizes: Vec<Real> =
            hash.classes.iter().map(|&class| hash.finest * (1u32 << class) as Real).collect();
        assert_eq!(sizes, [32.0, 2.0, 1.0, 0.0625]);
    }

    #[test]
    fn cells_without_smaller_ones_inside_end_the_walk() {
        let mut hash = HierarchicalHash::default();
        hash.rebuild(&[cube(0.25, 0.5), cube(0.25, 16.0), cube(100.0, 8.5)], 0.5);
        // Classes 16 and ½; of the cells of class 16 only the first holds a smaller cell.
        let parents = (1..hash.cells.len() as u32).filter(|&c| !hash.children.of(c).is_empty());
        assert_eq!(parents.count(), 1);
    }
}
