//! The hierarchical and the multilevel hash in a table of a given length, whose slots are shared.
//!
//! The fixed-length form of Pouchol et al. 2009, §4.3: cells whose keys agree modulo n share a
//! slot, its objects and its `hasChildren`. Nothing says which cell an object was entered for, so a
//! slot offers objects that are elsewhere: the box test finds them out. An object that overlaps is
//! reported only where the cell at hand is the lowest of its class that both it and the query touch
//! ([`classes`](super::classes)), so that however many slots offer it, it comes once.
//!
//! Deviations: an object that touches two cells of one slot is entered there once. A query that
//! touches more of the smallest cells than there are objects goes through all objects, as a table
//! of shared slots cannot tell which cells exist. n is a power of two, and the modulo a
//! multiplication ([`CellTable`](super::cell_table)).
//!
//! n is about [`SLOTS_PER_OBJECT`] for each object, where the paper advises a hundred for each
//! polygon (§4.3). A hundred was tried: among 2000 boxes of sizes 2⁻⁴ to 2⁻² a query was offered a
//! quarter fewer objects, for six times the memory; the rebuild took 1.7 times as long, and queries
//! 1.07 (multilevel) to 1.27 times (hierarchical). Cells that share a slot cost a box test; slots
//! that no cache holds cost more.

use crate::boxes::multilevel_hash::level_key;
use crate::cells::buckets::Buckets;
use crate::cells::cell_range::{CellRange, coarsened};
use crate::cells::cell_table::{hash, home};
use crate::cells::classes::Classes;
use crate::contract::BroadPhase;
use hashfall_core::Real;
use hashfall_core::cell::Cell;
use hashfall_core::geometry::Aabb;

/// Slots for each object, at least.
const SLOTS_PER_OBJECT: usize = 16;

/// The shortest table.
const MIN_SLOTS: usize = 16;

/// Pouchol et al. 2009, with a table of fixed length.
pub type FixedHierarchicalHash = FixedHash<true>;

/// Eitz & Lixu 2007, with a table of fixed length.
pub type FixedMultilevelHash = FixedHash<false>;

/// Objects in shared slots: found top-down by summed keys (eq. 4), or class by class (eq. 3).
#[derive(Clone, Debug, Default)]
pub struct FixedHash<const TOP_DOWN: bool> {
    classes: Classes,
    placed: Vec<Placed>,
    /// The objects of each slot.
    objects: Buckets<u32>,
    /// Whether any of the cells of a slot holds smaller ones.
    has_children: Vec<bool>,
    /// Each object with its slots, before they are sorted.
    slot_of: Vec<(u32, u32)>,
}

/// Where an object is.
#[derive(Clone, Copy, Debug)]
struct Placed {
    bounds: Aabb,
    level: usize,
    /// The lowest cell of its class that it touches.
    low: Cell,
}

impl<const TOP_DOWN: bool> BroadPhase for FixedHash<TOP_DOWN> {
    const IS_EXACT: bool = true;

    fn rebuild(&mut self, boxes: &[Aabb], smallest: Real) {
        crate::contract::assert_boxes(boxes);
        self.classes.choose(boxes, smallest);
        let slots = (SLOTS_PER_OBJECT * boxes.len()).max(MIN_SLOTS).next_power_of_two();
        self.has_children.clear();
        self.has_children.resize(slots, false);
        self.placed.clear();
        self.slot_of.clear();
        for (object, b) in (0..).zip(boxes) {
            self.insert(object, b);
        }
        self.objects.rebuild(slots, &self.slot_of);
    }

    #[inline]
    fn candidates(&self, query: &Aabb, mut visit: impl FnMut(u32)) {
        self.visit_offered(query, |object, is_reported| {
            if is_reported {
                visit(object);
            }
        });
    }

    fn examined(&self, query: &Aabb) -> usize {
        let mut count = 0;
        self.visit_offered(query, |_, _| count += 1);
        count
    }

    fn bytes(&self) -> usize {
        self.objects.bytes() + self.has_children.len() + self.placed.len() * size_of::<Placed>()
    }

    fn assert_well_formed(&self, boxes: &[Aabb]) {
        assert_eq!(self.placed.len(), boxes.len());
        for (object, b) in (0u32..).zip(boxes) {
            let class = self.classes.of(b);
            self.classes.touched(b).coarsened(class).for_each(|position| {
                let level = self.classes.level_of(class);
                for level in (0..level).filter(|_| TOP_DOWN) {
                    let ancestor = coarsened(position, self.classes.occurring[level] - class);
                    let slot = self.slot(self.key(level, ancestor));
                    assert!(self.has_children[slot as usize], "slot {slot} has no children");
                }
                let offered = self.objects.of(self.slot(self.key(level, position)));
                assert_eq!(offered.iter().filter(|&&o| o == object).count(), 1);
            });
        }
    }
}

impl<const TOP_DOWN: bool> FixedHash<TOP_DOWN> {
    /// The key of the cell of the class at `level`.
    fn key(&self, level: usize, position: Cell) -> u64 {
        if !TOP_DOWN {
            return level_key(level, position);
        }
        let classes = &self.classes.occurring;
        let larger = classes[..=level].iter();
        larger.fold(0, |key, class| {
            key.wrapping_add(hash(coarsened(position, class - classes[level])))
        })
    }

    #[inline(always)]
    fn slot(&self, key: u64) -> u32 {
        home(key, self.has_children.len()) as u32
    }

    /// Enters an object in the slot of each cell of its class that it touches (listing 1).
    fn insert(&mut self, object: u32, b: &Aabb) {
        let class = self.classes.of(b);
        let level = self.classes.level_of(class);
        let touched = self.classes.touched(b).coarsened(class);
        self.placed.push(Placed { bounds: *b, level, low: touched.low });
        let first = self.slot_of.len();
        touched.for_each(|position| {
            for ancestor in (0..level).filter(|_| TOP_DOWN) {
                let doublings = self.classes.occurring[ancestor] - class;
                let slot = self.slot(self.key(ancestor, coarsened(position, doublings)));
                self.has_children[slot as usize] = true;
            }
            let slot = self.slot(self.key(level, position));
            if self.slot_of[first..].iter().all(|&(other, _)| other != slot) {
                self.slot_of.push((slot, object));
            }
        });
    }

    /// Visits the objects that slots offer to a query, each with whether it overlaps and this is
    /// the place to say so.
    #[inline]
    fn visit_offered(&self, query: &Aabb, mut visit: impl FnMut(u32, bool)) {
        let Some(touched) = self.classes.touched_by_query(query) else { return };
        let Some(&smallest) = self.classes.occurring.last() else { return };
        if touched.coarsened(smallest).count() > self.placed.len().max(MIN_SLOTS) as u64 {
            for (object, placed) in (0..).zip(&self.placed) {
                visit(object, placed.bounds.overlaps(query));
            }
        } else if TOP_DOWN {
            self.visit_inside(None, query, &touched, &mut visit);
        } else {
            for (level, &class) in self.classes.occurring.iter().enumerate() {
                let touched = touched.coarsened(class);
                touched.for_each(|position| {
                    let slot = self.slot(level_key(level, position));
                    self.visit_slot(slot, level, position, touched.low, query, &mut visit);
                });
            }
        }
    }

    /// Visits what the smaller cells in a cell, or the largest cells, offer (listing 2). `touched`
    /// are the finest cells that the query touches anywhere.
    fn visit_inside(
        &self,
        parent: Option<(usize, Cell, u64)>,
        query: &Aabb,
        touched: &CellRange,
        visit: &mut impl FnMut(u32, bool),
    ) {
        let level = parent.map_or(0, |(level, _, _)| level + 1);
        let Some(&class) = self.classes.occurring.get(level) else { return };
        let here = touched.coarsened(class);
        let (covered, key) = match parent {
            None => (here, 0),
            Some((larger, cell, key)) => {
                let doublings = self.classes.occurring[larger] - class;
                (here.intersection(&CellRange::inside(cell, doublings)), key)
            }
        };
        covered.for_each(|position| {
            let key = key.wrapping_add(hash(position));
            let slot = self.slot(key);
            self.visit_slot(slot, level, position, here.low, query, visit);
            if self.has_children[slot as usize] {
                self.visit_inside(Some((level, position, key)), query, touched, visit);
            }
        });
    }

    /// Visits what a slot offers for a cell of the class at `level`; `low` is the lowest of these
    /// that the query touches.
    #[inline(always)]
    fn visit_slot(
        &self,
        slot: u32,
        level: usize,
        position: Cell,
        low: Cell,
        query: &Aabb,
        visit: &mut impl FnMut(u32, bool),
    ) {
        for &object in self.objects.of(slot) {
            let placed = &self.placed[object as usize];
            let is_lowest = (0..3).all(|a| position[a] == low[a].max(placed.low[a]));
            let is_reported = placed.level == level && is_lowest && placed.bounds.overlaps(query);
            visit(object, is_reported);
        }
    }
}
