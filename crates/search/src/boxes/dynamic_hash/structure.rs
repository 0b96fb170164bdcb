//! The objects, each in the cells of its class.

use super::cells::{Cells, NONE, ROOT};
use crate::cells::cell_range::{CellRange, coarsened};
use crate::cells::classes::{Entry, axes_of_equality, power_of_two_from};
use crate::contract::{BroadPhase, IncrementalBroadPhase, assert_box, assert_boxes};
use hashfall_core::Real;
use hashfall_core::Vec3;
use hashfall_core::cell::{Cell, cell_of};
use hashfall_core::geometry::Aabb;

/// How far above its own an object's class may be before its own is opened.
const MAX_DOUBLINGS: i32 = 3;

/// Objects in hashed cells of many sizes, one by one.
#[derive(Clone, Debug, Default)]
pub struct DynamicHierarchicalHash {
    /// The least edge of a cell \[m\], a power of two; 0 before the first rebuild.
    finest: Real,
    /// The classes in the set, largest first, as exponents (`classSizes`, §3.1).
    classes: Vec<i32>,
    cells: Cells,
    /// Each object by its number.
    objects: Vec<Option<Placed>>,
}

/// Where an object is.
#[derive(Clone, Copy, Debug)]
struct Placed {
    bounds: Aabb,
    /// The exponent of its class.
    class: i32,
    /// The cells of its class that it touches.
    touched: CellRange,
    /// The last of its places in cells.
    last_place: u32,
}

impl BroadPhase for DynamicHierarchicalHash {
    const IS_EXACT: bool = true;

    fn rebuild(&mut self, boxes: &[Aabb], smallest: Real) {
        assert_boxes(boxes);
        let finest = power_of_two_from(smallest);
        let same_finest = self.finest == finest;
        self.finest = finest;
        let mut classes: Vec<i32> = boxes.iter().map(|b| self.class_of(b)).collect();
        classes.sort_unstable_by(|a, b| b.cmp(a));
        classes.dedup();
        if !same_finest || classes != self.classes {
            self.cells.clear();
            self.objects.clear();
            self.classes = classes;
        }
        for object in boxes.len()..self.objects.len() {
            self.take_out(object as u32);
        }
        self.objects.resize(boxes.len(), None);
        for (object, b) in (0..).zip(boxes) {
            self.place(object, b);
        }
    }

    #[inline]
    fn candidates(&self, query: &Aabb, mut visit: impl FnMut(u32)) {
        self.visit_inside(ROOT, 0, query, &mut |entry, lowest_on| {
            let overlaps = |placed: &Placed| placed.bounds.overlaps(query);
            let is_reported = entry.is_reported(lowest_on)
                && self.objects[entry.object as usize].as_ref().is_some_and(overlaps);
            if is_reported {
                visit(entry.object);
            }
        });
    }

    fn examined(&self, query: &Aabb) -> usize {
        let mut count = 0;
        self.visit_inside(ROOT, 0, query, &mut |_, _| count += 1);
        count
    }

    fn bytes(&self) -> usize {
        self.cells.bytes() + size_of_val(&self.objects[..]) + size_of_val(&self.classes[..])
    }

    fn assert_well_formed(&self, boxes: &[Aabb]) {
        let objects: Vec<Option<Aabb>> = boxes.iter().copied().map(Some).collect();
        self.assert_holds(&objects);
    }
}

impl IncrementalBroadPhase for DynamicHierarchicalHash {
    fn insert(&mut self, object: u32, b: &Aabb) {
        assert_box(object as usize, b);
        if self.objects.len() <= object as usize {
            self.objects.resize(object as usize + 1, None);
        }
        assert!(self.objects[object as usize].is_none(), "object {object} is there already");
        self.open_class_for(b);
        self.place(object, b);
    }

    fn move_to(&mut self, object: u32, b: &Aabb) {
        assert_box(object as usize, b);
        assert!(self.placed(object).is_some(), "there is no object {object}");
        self.open_class_for(b);
        self.place(object, b);
    }

    fn remove(&mut self, object: u32) {
        assert!(self.placed(object).is_some(), "there is no object {object}");
        self.take_out(object);
    }

    fn assert_holds(&self, objects: &[Option<Aabb>]) {
        let mut places = vec![0; objects.len()];
        self.cells.assert_well_formed(|node, entry| {
            let placed = self.placed(entry.object).expect("an entry of an object that is not");
            assert_eq!(node.class, placed.class);
            assert!(placed.touched.contains(node.position), "{placed:?} in {node:?}");
            assert_eq!(*entry, Entry::new(entry.object, node.position, &placed.touched));
            places[entry.object as usize] += 1;
        });
        assert!(self.classes.is_sorted_by(|a, b| a > b));
        let numbers = objects.len().max(self.objects.len()) as u32;
        for object in 0..numbers {
            let wanted = objects.get(object as usize).copied().flatten();
            let placed = self.placed(object);
            assert_eq!(placed.map(|placed| placed.bounds), wanted, "object {object}");
            let Some(placed) = placed else { continue };
            let own = self.class_of(&placed.bounds);
            assert!((own..=own + MAX_DOUBLINGS).contains(&placed.class), "{placed:?}");
            assert_eq!(placed.touched, touched(&placed.bounds, placed.class));
            assert_eq!(placed.touched.count(), places[object as usize], "cells of {placed:?}");
        }
    }
}

impl DynamicHierarchicalHash {
    fn placed(&self, object: u32) -> Option<&Placed> {
        self.objects.get(object as usize)?.as_ref()
    }

    /// The class of a box by eq. 2, in the set or not.
    fn class_of(&self, b: &Aabb) -> i32 {
        let farthest = b.min.amax().max(b.max.amax());
        let least = self.finest.max(farthest / (1 << 30) as Real);
        let size = power_of_two_from(b.extent().max().max(least));
        exponent(size).min(Real::MAX_EXP - 1)
    }

    /// The nearest class in the set that is not below that of a box.
    fn class_in_set(&self, b: &Aabb) -> Option<i32> {
        let own = self.class_of(b);
        let above = self.classes.partition_point(|&class| class >= own);
        self.classes[..above].last().copied().filter(|&class| class <= own + MAX_DOUBLINGS)
    }

    /// Sees that the set has a class for a box.
    fn open_class_for(&mut self, b: &Aabb) {
        if self.class_in_set(b).is_some() {
            return;
        }
        let own = self.class_of(b);
        let place = self.classes.partition_point(|&class| class > own);
        self.classes.insert(place, own);
        self.cells.clear();
        for object in 0..self.objects.len() {
            if let Some(placed) = self.objects[object].take() {
                self.place(object as u32, &placed.bounds);
            }
        }
    }

    /// Sees that an object is in the cells of a box, for which the set has a class.
    fn place(&mut self, object: u32, b: &Aabb) {
        let Some(class) = self.class_in_set(b) else { return };
        let touched = touched(b, class);
        let placed = self.objects[object as usize].as_mut();
        if let Some(placed) = placed.filter(|p| p.class == class && p.touched == touched) {
            placed.bounds = *b;
            return;
        }
        self.take_out(object);
        let mut last_place = NONE;
        touched.for_each(|position| {
            let cell = self.find_or_insert(position, class);
            last_place = self.cells.enter(cell, Entry::new(object, position, &touched), last_place);
        });
        self.objects[object as usize] = Some(Placed { bounds: *b, class, touched, last_place });
    }

    /// Takes an object out of its cells, if it is in any.
    fn take_out(&mut self, object: u32) {
        if let Some(placed) = self.objects[object as usize].take() {
            self.cells.leave(placed.last_place);
        }
    }

    /// The cell of a class in the set at `position`, made with those around it if need be
    /// (listing 1).
    fn find_or_insert(&mut self, position: Cell, class: i32) -> u32 {
        let mut cell = ROOT;
        for &larger in self.classes.iter().take_while(|&&larger| larger >= class) {
            // Positions have 31 bits: beyond that number of halvings only the sign is left.
            let doublings = (larger - class).min(31) as u32;
            cell = self.cells.child_or_new(cell, larger, coarsened(position, doublings));
        }
        cell
    }

    /// Visits the entries of the cells inside `parent` that a query touches (listing 2), each with
    /// the axes on which the query has no lower cell. Their class is at `level` in the set.
    fn visit_inside(
        &self,
        parent: u32,
        level: usize,
        query: &Aabb,
        visit: &mut impl FnMut(&Entry, u8),
    ) {
        let node = self.cells.node(parent);
        if node.children == 0 || query.is_empty() {
            return;
        }
        let class = self.classes[level];
        let here = touched(query, class);
        let covered = if parent == ROOT {
            here
        } else {
            let doublings = (self.classes[level - 1] - class).min(31) as u32;
            here.intersection(&CellRange::inside(node.position, doublings))
        };
        let mut visit_cell = |child: u32, position: Cell| {
            let lowest_on = axes_of_equality(position, here.low);
            self.cells.entries(child).for_each(|entry| visit(entry, lowest_on));
            self.visit_inside(child, level + 1, query, visit);
        };
        if covered.count() <= u64::from(node.children) {
            covered.for_each(|position| {
                if let Some(child) = self.cells.child(parent, class, position) {
                    visit_cell(child, position);
                }
            });
        } else {
            for child in self.cells.children(parent) {
                let position = self.cells.node(child).position;
                if covered.contains(position) {
                    visit_cell(child, position);
                }
            }
        }
    }
}

/// The cells of a class that a box touches.
fn touched(b: &Aabb, class: i32) -> CellRange {
    let size = (2.0 as Real).powi(class);
    CellRange { low: position(&b.min, size), high: position(&b.max, size) }
}

/// The cell of a size that is a power of two, exactly.
fn position(point: &Vec3, size: Real) -> Cell {
    let cell = cell_of(point, size);
    // A small number below zero may be divided to zero.
    std::array::from_fn(|a| if point[a] < 0.0 { cell[a].min(-1) } else { cell[a] })
}

/// The exponent of a power of two; that of infinity is beyond all others.
fn exponent(power: Real) -> i32 {
    let bits = power.to_bits() >> (Real::MANTISSA_DIGITS - 1);
    bits as i32 - (Real::MAX_EXP - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::random::Random;

    fn cube(low: Real, edge: Real) -> Aabb {
        Aabb::new(Vec3::from_element(low), Vec3::from_element(low + edge))
    }

    #[test]
    fn exponents_are_those_of_powers_of_two() {
        for k in [-126, -20, -1, 0, 1, 7, 127] {
            assert_eq!(exponent((2.0 as Real).powi(k)), k);
        }
        assert_eq!(exponent(Real::INFINITY), Real::MAX_EXP);
    }

    #[test]
    fn positions_halve_exactly_even_where_division_loses_all() {
        let tiny = Real::MIN_POSITIVE;
        let point = Vec3::new(-tiny, tiny, -3.0);
        assert_eq!(position(&point, 1.0), [-1, 0, -3]);
        assert_eq!(position(&point, (2.0 as Real).powi(100)), [-1, 0, -1]);
        assert_eq!(position(&point, Real::MAX), [-1, 0, -1]);
    }

    #[test]
    fn a_class_near_below_another_is_not_opened() {
        let mut hash = DynamicHierarchicalHash::default();
        hash.insert(0, &cube(0.0, 1.0));
        hash.insert(1, &cube(0.0, 0.125));
        assert_eq!(hash.classes, [0]);
        hash.insert(2, &cube(0.0, 0.0625));
        hash.insert(5, &cube(0.0, 1.5));
        assert_eq!(hash.classes, [1, 0, -4]);
        hash.move_to(0, &cube(-9.0, 0.05));
        assert_eq!(hash.classes, [1, 0, -4]);
    }

    #[test]
    fn removal_restores_what_was_there_before() {
        let mut hash = DynamicHierarchicalHash::default();
        hash.rebuild(&[cube(0.25, 16.0), cube(0.3, 0.5), cube(100.0, 8.5)], 0.5);
        let with_children = |hash: &DynamicHierarchicalHash| {
            let large: Vec<u32> = hash.cells.children(ROOT).collect();
            large.iter().filter(|&&cell| hash.cells.node(cell).children > 0).count()
        };
        assert_eq!(with_children(&hash), 1);
        hash.remove(1);
        assert_eq!(with_children(&hash), 0);
        hash.insert(1, &cube(0.3, 0.5));
        assert_eq!(with_children(&hash), 1);
        for object in 0..3 {
            hash.remove(object);
        }
        assert_eq!(hash.cells.children(ROOT).count(), 0);
    }

    #[test]
    fn memory_follows_what_is_in_use() {
        let mut random = Random::new(1);
        let mut hash = DynamicHierarchicalHash::default();
        let mut somewhere = |reach: Real| {
            let edge =
                0.01 + random.real(0.0, 1.0) * (2.0 as Real).powi(random.real(0.0, 5.0) as i32);
            let low = random.vec3(-reach, reach);
            Aabb::new(low, low.add_scalar(edge))
        };
        const OBJECTS: u32 = 100;
        (0..OBJECTS).for_each(|object| hash.insert(object, &somewhere(1.0)));
        for step in 0..20_000 {
            hash.move_to(step % OBJECTS, &somewhere(1000.0));
        }
        let [cells, places] = hash.cells.counts();
        assert!(places <= 8 * OBJECTS as usize, "{places}");
        assert!(cells <= 1 + 8 * OBJECTS as usize * hash.classes.len(), "{cells}");
        assert!(hash.bytes() < 300_000, "{}", hash.bytes());
    }

    #[test]
    fn a_rebuild_moves_only_what_left_its_cells() {
        let boxes: Vec<Aabb> = (0..50).map(|n| cube(n as Real + 0.25, 0.4)).collect();
        let mut hash = DynamicHierarchicalHash::default();
        hash.rebuild(&boxes, 0.1);
        let places = |hash: &DynamicHierarchicalHash| -> Vec<u32> {
            hash.objects.iter().flatten().map(|placed| placed.last_place).collect()
        };
        let before = places(&hash);
        let moved: Vec<Aabb> = boxes.iter().map(|b| b.grown(0.01)).collect();
        hash.rebuild(&moved, 0.1);
        hash.assert_well_formed(&moved);
        assert_eq!(places(&hash), before);
    }
}
