//! A table of fixed length from cells to points, emptied by counting on.
//!
//! A slot is the head of a list that is linked through the entries, so that no list has memory of
//! its own: nothing is allocated but for more points, or slots, than ever. A head bears the time
//! stamp of its rebuild (Ahmad; Teschner et al. 2003 have it in the slot, too), and one of another
//! rebuild begins an empty list.
//!
//! Points are entered side by side: an entry takes the place of the head in one exchange, and then
//! points to what was there. So the order within a list depends on the threads, and what is in it
//! does not.

use crate::cells::cell_table::hash;
use hashfall_core::cell::{Cell, cell_of};
use hashfall_core::parallel;
use hashfall_core::{Real, Vec3};
use std::sync::atomic::{AtomicU64, Ordering};

/// Ends a list.
const END: u32 = u32::MAX;

/// Points in lists, one for each slot.
#[derive(Debug, Default)]
pub(super) struct CellLists {
    /// Counts rebuilds.
    stamp: u32,
    /// Time stamp and first entry of each slot.
    heads: Vec<AtomicU64>,
    entries: Vec<Entry>,
}

/// A point in its list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) point: Vec3,
    cell: Cell,
    next: u32,
}

impl Entry {
    /// Where a point is that is in no list: nowhere near anything.
    const NOWHERE: Vec3 = Vec3::new(Real::NAN, Real::NAN, Real::NAN);
    const ABSENT: Entry = Entry { point: Entry::NOWHERE, cell: [0; 3], next: END };
}

/// A copy has the same lists.
impl Clone for CellLists {
    fn clone(&self) -> Self {
        let copy = |head: &AtomicU64| AtomicU64::new(head.load(Ordering::Relaxed));
        let heads = self.heads.iter().map(copy).collect();
        CellLists { stamp: self.stamp, heads, entries: self.entries.clone() }
    }
}

impl CellLists {
    /// Enters all items in `slots` slots, at least one: each where `place` puts it, in cells of
    /// edge `size` \[m\]. An item that is put nowhere finite is in no list.
    pub(super) fn rebuild<T: Send>(
        &mut self,
        items: &mut [T],
        size: Real,
        slots: usize,
        place: impl Fn(usize, &mut T) -> Vec3 + Sync,
    ) {
        if slots != self.heads.len() || self.stamp == u32::MAX {
            self.heads.clear();
            self.heads.resize_with(slots, AtomicU64::default);
            self.stamp = 0;
        }
        self.stamp += 1;
        self.entries.resize(items.len(), Entry::ABSENT);
        let (heads, stamp) = (&self.heads[..], u64::from(self.stamp) << 32);
        parallel::fill_both(items, &mut self.entries, |number, item, entry| {
            let point = place(number, item);
            *entry = Entry::ABSENT;
            if point.iter().all(|x| x.is_finite()) {
                let cell = cell_of(&point, size);
                let head = &heads[slot(cell, heads.len())];
                let before = head.swap(stamp | number as u64, Ordering::Relaxed);
                *entry = Entry { point, cell, next: first(before, stamp) };
            }
        });
    }

    /// Visits the points of a cell.
    #[inline]
    pub(super) fn for_each(&self, cell: Cell, mut visit: impl FnMut(u32, &Vec3)) {
        let head = self.heads[slot(cell, self.heads.len())].load(Ordering::Relaxed);
        let mut number = first(head, u64::from(self.stamp) << 32);
        while number != END {
            let entry = &self.entries[number as usize];
            if entry.cell == cell {
                visit(number, &entry.point);
            }
            number = entry.next;
        }
    }

    /// All points, and those that are nowhere.
    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub(super) fn slots(&self) -> usize {
        self.heads.len()
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.heads[..]) + size_of_val(&self.entries[..])
    }

    /// Puts the end of all stamps one rebuild away.
    #[cfg(test)]
    pub(super) fn exhaust_stamps(&mut self) {
        self.stamp = u32::MAX;
    }
}

/// The first entry of a list by its head; none if that was written at another time.
#[inline(always)]
fn first(head: u64, stamp: u64) -> u32 {
    if head & !u64::from(u32::MAX) == stamp { head as u32 } else { END }
}

/// The slot of a cell: the top bits of a product with 2⁶⁴/φ, as a part of `slots`, which may be any
/// number (a power of two: Fibonacci hashing).
#[inline(always)]
fn slot(cell: Cell, slots: usize) -> usize {
    let mixed = hash(cell).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((u128::from(mixed) * slots as u128) >> 64) as usize
}
