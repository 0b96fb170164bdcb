//! Classes of object sizes, and objects in the cells of their class (Pouchol et al. 2009, §2.2).
//!
//! The *class size* of an object is the smallest power of two that is not below its longest edge
//! (eq. 2), so it touches eight cells of its class at most. Only classes that occur have cells.
//! The finest class size is at least 2⁻³⁰ of the largest coordinate, so positions fit 32 bits.
//!
//! # Each object once
//!
//! Object and query both reach over a box of cells, `lₒ..=hₒ` and `l..=h` on an axis, and a search
//! can meet the object in every cell of the overlap. It is reported only in the overlap's lowest
//! cell, `max(l, lₒ)` on each axis: there is exactly one. As a cell c of the overlap has c ≥ l and
//! c ≥ lₒ, it is the lowest if and only if c = l or c = lₒ on each axis: one bit an axis from the
//! query, one from the entry. Positions grow with coordinates, so boxes that share a point share
//! its cell.

use crate::cells::cell_range::CellRange;
use hashfall_core::Real;
use hashfall_core::cell::{Cell, cell_of};
use hashfall_core::geometry::Aabb;

/// The largest class, as doublings of the finest: twice the largest coordinate.
const MAX_CLASS: u32 = 31;

/// The set of all three axes.
const ALL_AXES: u8 = 0b111;

/// The classes of some objects.
#[derive(Clone, Debug)]
pub(crate) struct Classes {
    /// Around all objects.
    bounds: Aabb,
    /// Edge of the finest possible class \[m\], a power of two.
    finest: Real,
    /// The classes that occur, largest first, as doublings of `finest` (`classSizes`, §3.1).
    pub occurring: Vec<u32>,
}

impl Default for Classes {
    fn default() -> Self {
        Classes { bounds: Aabb::EMPTY, finest: 1.0, occurring: Vec::new() }
    }
}

impl Classes {
    /// Takes the classes of `boxes`, none smaller than `smallest` \[m\].
    pub fn choose(&mut self, boxes: &[Aabb], smallest: Real) {
        self.bounds = boxes.iter().fold(Aabb::EMPTY, |bounds, b| bounds.union(b));
        let reach = |b: &Aabb| b.min.amax().max(b.max.amax());
        let farthest = boxes.iter().map(reach).fold(0.0, Real::max);
        self.finest = power_of_two_from(smallest.max(farthest / (1 << 30) as Real));
        let occurring = boxes.iter().fold(0u32, |set, b| set | 1 << self.of(b));
        self.occurring.clear();
        self.occurring.extend((0..=MAX_CLASS).rev().filter(|class| occurring >> class & 1 == 1));
    }

    /// The class of a box by eq. 2, as doublings of the finest.
    pub fn of(&self, b: &Aabb) -> u32 {
        let edge = b.extent().max();
        let mut size = self.finest;
        let mut class = 0;
        while size < edge && class < MAX_CLASS {
            size *= 2.0;
            class += 1;
        }
        class
    }

    /// The place of an occurring class in the list.
    pub fn level_of(&self, class: u32) -> usize {
        self.occurring.partition_point(|&larger| larger > class)
    }

    /// The finest cells that a box touches. Class sizes are powers of two, so this is exact, and
    /// halving the positions gives the cells of the other classes.
    #[inline]
    pub fn touched(&self, b: &Aabb) -> CellRange {
        CellRange { low: cell_of(&b.min, self.finest), high: cell_of(&b.max, self.finest) }
    }

    /// The finest cells that a query touches around all objects; none if it touches no object.
    #[inline]
    pub fn touched_by_query(&self, query: &Aabb) -> Option<CellRange> {
        (!query.is_empty() && query.overlaps(&self.bounds)).then(|| {
            let [min, max] = [query.min.sup(&self.bounds.min), query.max.inf(&self.bounds.max)];
            self.touched(&Aabb::new(min, max))
        })
    }
}

/// An object in a cell of its class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    pub object: u32,
    /// The axes on which no lower cell holds the object.
    lowest_on: u8,
}

impl Entry {
    /// The entry of an object that touches `touched` in one of these cells.
    pub fn new(object: u32, cell: Cell, touched: &CellRange) -> Self {
        Entry { object, lowest_on: axes_of_equality(cell, touched.low) }
    }

    /// Whether its cell is the lowest that it shares with a query, where the query has no lower
    /// cell on the axes `lowest_on`.
    #[inline(always)]
    pub fn is_reported(&self, lowest_on: u8) -> bool {
        self.lowest_on | lowest_on == ALL_AXES
    }
}

/// The axes, as bits, on which two positions agree.
#[inline(always)]
pub(crate) fn axes_of_equality(a: Cell, b: Cell) -> u8 {
    (0..3).fold(0, |axes, axis| axes | u8::from(a[axis] == b[axis]) << axis)
}

/// The smallest power of two that is a normal number and not below `x`; exact, without logarithms.
/// Infinite if there is none.
pub(crate) fn power_of_two_from(x: Real) -> Real {
    // Halving would never go below a bound of 0.
    let x = x.max(Real::MIN_POSITIVE);
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
    use hashfall_core::Vec3;

    #[test]
    fn powers_of_two_are_exact() {
        for x in [1.0, 0.5, 4.0, Real::MIN_POSITIVE] {
            assert_eq!(power_of_two_from(x), x);
            assert_eq!(power_of_two_from(x.next_up()), 2.0 * x);
        }
        assert_eq!(power_of_two_from(0.06), 0.0625);
        assert_eq!(power_of_two_from(Real::INFINITY), Real::INFINITY);
        for x in [0.0, -1.0, Real::MIN_POSITIVE / 4.0, Real::NAN] {
            assert_eq!(power_of_two_from(x), Real::MIN_POSITIVE, "{x}");
        }
    }

    #[test]
    fn classes_come_from_the_data() {
        let cube = |low: Real, edge: Real| {
            Aabb::new(Vec3::from_element(low), Vec3::from_element(low + edge))
        };
        let boxes = [cube(0.0, 1.0), cube(5.0, 0.01), cube(1.0, 1.1), cube(-3.0, 30.0)];
        let mut classes = Classes::default();
        classes.choose(&boxes, 0.06);
        let size = |&class: &u32| classes.finest * (1u32 << class) as Real;
        let sizes: Vec<Real> = classes.occurring.iter().map(size).collect();
        assert_eq!(sizes, [32.0, 2.0, 1.0, 0.0625]);
        let levels: Vec<usize> = boxes.iter().map(|b| classes.level_of(classes.of(b))).collect();
        assert_eq!(levels, [2, 3, 1, 0]);
    }
}
