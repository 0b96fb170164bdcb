//! A class of boxes of like size: its rows, and the sweep within them.

use super::lattice::Lattice;
use crate::boxes::box_records::{BoxTest, GROUP, Record};
use crate::cells::radix_sort::RadixSort;
use hashfall_core::geometry::Aabb;
use hashfall_core::{Real, parallel};
use std::ops::Range;

/// Boxes that are tested together.
const AT_ONCE: usize = 4;

/// Boxes of like size.
#[derive(Debug, Default)]
pub(crate) struct Class {
    pub lattice: Lattice,
    /// By row, then column, which is the tag; then some that overlap nothing.
    pub boxes: Vec<Record>,
    /// The rows that hold boxes, ascending, each with its first place.
    pub rows: Vec<(u64, u32)>,
}

impl Class {
    /// Sorts boxes by their rows and columns. Returns how many others share a cube with each as
    /// wide as a row, as the columns tell.
    pub fn place(
        &mut self,
        lattice: Lattice,
        boxes: &[Aabb],
        members: &[u32],
        sorter: &mut RadixSort,
    ) -> f64 {
        let [highest_column, highest_y, highest_z] = lattice.highest();
        let column_bits = u32::BITS - highest_column.leading_zeros();
        let key = |k: usize| {
            let [column, y, z] = lattice.cell(&boxes[members[k] as usize].min);
            lattice.row(y, z) << column_bits | u64::from(column)
        };
        let rows = lattice.row(highest_y, highest_z);
        let row_bits = u64::BITS - rows.leading_zeros();
        sorter.sort_by_key(members.len(), row_bits + column_bits, key);
        self.boxes.resize(members.len(), Record::NOTHING);
        parallel::fill(&mut self.boxes, |place, record| {
            let object = members[sorter.item(place) as usize];
            let column = (sorter.key(place) & ((1 << column_bits) - 1)) as u32;
            *record = Record::new(&boxes[object as usize], object, column);
        });
        self.boxes.resize(members.len() + GROUP, Record::NOTHING);
        self.rows.clear();
        let (mut before, mut same, mut others) = (u64::MAX, 0, 0_u64);
        for place in 0..members.len() {
            let key = sorter.key(place);
            let row = key >> column_bits;
            if self.rows.last().is_none_or(|last| last.0 != row) {
                self.rows.push((row, place as u32));
            }
            same = if key == before { same + 1 } else { 0 };
            others += 2 * same;
            before = key;
        }
        self.lattice = lattice;
        others as f64 / (members.len() as f64 * self.lattice.column_width)
    }

    /// The number of boxes.
    pub fn len(&self) -> usize {
        self.boxes.len().saturating_sub(GROUP)
    }

    /// The place behind the last one of a row that holds boxes.
    #[inline(always)]
    pub fn row_end(&self, row: usize) -> usize {
        self.rows.get(row + 1).map_or(self.len(), |next| next.1 as usize)
    }

    /// Where the boxes of a row begin and end, if it holds some.
    fn places_of(&self, row: u64) -> Range<usize> {
        let k = self.rows.partition_point(|it| it.0 < row);
        match self.rows.get(k) {
            Some(it) if it.0 == row => it.1 as usize..self.row_end(k),
            _ => 0..0,
        }
    }

    /// Meets the boxes at some places with those of the class that come after them and may
    /// overlap.
    #[inline(always)]
    pub fn meet_each_other<T: BoxTest>(
        &self,
        test: T,
        places: Range<usize>,
        visit: &mut impl FnMut(u32, u32),
    ) {
        let columns = &self.lattice.axes[0];
        // Two loops, as a call in the usual one would cost it registers.
        if columns.is_cut() {
            self.sweep(test, places, |x| columns.cell(x), visit);
        } else {
            self.sweep(test, places, |x| columns.even_cell(x), visit);
        }
    }

    /// The same, with what gives the column of a place.
    #[inline(always)]
    fn sweep<T: BoxTest>(
        &self,
        test: T,
        places: Range<usize>,
        column: impl Fn(Real) -> u32,
        visit: &mut impl FnMut(u32, u32),
    ) {
        let mut row = self.rows.partition_point(|it| it.1 as usize <= places.start) - 1;
        let mut first = places.start;
        while first < places.end {
            let end = self.row_end(row);
            let mut around = self.lattice.rows_after(self.rows[row].0).map(|r| self.places_of(r));
            for place in first..end.min(places.end) {
                let a = &self.boxes[place];
                let query = test.query(&a.corners());
                let last = column(a.end());
                self.meet_run(test, place + 1..end, query, last, |b| visit(a.object, b));
                for there in &mut around {
                    self.skip_columns(there, a.tag);
                    self.meet_run(test, there.clone(), query, last, |b| visit(a.object, b));
                }
            }
            first = end;
            row += 1;
        }
    }

    /// Passes over the boxes of a row that begin too low for one that begins in `column`.
    #[inline(always)]
    fn skip_columns(&self, places: &mut Range<usize>, column: u32) {
        let lowest = column.saturating_sub(self.lattice.lookback);
        // Behind the last place there are records still.
        let is_below = |place: usize| (place < places.end) & (self.boxes[place].tag < lowest);
        let mut first = places.start;
        // Mostly no more than two steps, taken or not at random: without branches.
        first += usize::from(is_below(first));
        first += usize::from(is_below(first));
        if is_below(first) {
            first = leap(first..places.end, is_below);
        }
        places.start = first;
    }

    /// Tests the boxes at some places, which ascend by column, up to the column `last`.
    #[inline(always)]
    fn meet_run<T: BoxTest>(
        &self,
        test: T,
        places: Range<usize>,
        query: T::Query,
        last: u32,
        mut hit: impl FnMut(u32),
    ) {
        let mut first = places.start;
        while first < places.end {
            if let Some(group) = self.boxes[first..].first_chunk() {
                let count = (places.end - first).min(AT_ONCE);
                let mut hits = test.overlapping_records(group, count, query);
                while hits != 0 {
                    hit(group[hits.trailing_zeros() as usize].object);
                    hits &= hits - 1;
                }
            }
            first += AT_ONCE;
            // The first few are tested without a look at their columns, which is a guess.
            if first < places.end && self.boxes[first].tag > last {
                break;
            }
        }
    }

    /// Meets a box of a smaller class.
    #[inline(always)]
    pub fn meet_smaller<T: BoxTest>(&self, test: T, a: &Record, mut hit: impl FnMut(u32)) {
        let (bounds, query) = (a.bounds(), test.query(&a.corners()));
        let [low, high] = [&bounds.min, &bounds.max].map(|corner| self.lattice.cell(corner));
        for z in low[2].saturating_sub(1)..=high[2] {
            // Rows of one z follow each other.
            let [first, last] = [low[1].saturating_sub(1), high[1]].map(|y| self.lattice.row(y, z));
            let mut k = self.rows.partition_point(|it| it.0 < first);
            while k < self.rows.len() && self.rows[k].0 <= last {
                let (start, end) = (self.rows[k].1 as usize, self.row_end(k));
                let row = &self.boxes[start..end];
                let lowest = low[0].saturating_sub(self.lattice.lookback);
                let from = start + row.partition_point(|b| b.tag < lowest);
                self.meet_run(test, from..end, query, high[0], &mut hit);
                k += 1;
            }
        }
    }
}

/// The first place that is not below, or the end: the first one is, and those below come before
/// others. Far ones cost no more looks than the logarithm of how far they are.
#[inline(never)]
fn leap(places: Range<usize>, is_below: impl Fn(usize) -> bool) -> usize {
    let (mut below, mut stride) = (places.start, 1);
    while below + stride < places.end && is_below(below + stride) {
        below += stride;
        stride *= 2;
    }
    let mut end = places.end.min(below + stride);
    while below + 1 < end {
        let middle = below.midpoint(end);
        if is_below(middle) {
            below = middle;
        } else {
            end = middle;
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn leaps_end_where_steps_do_after_few_looks() {
        for (len, goal) in (0..40).flat_map(|len| (1..=len).map(move |goal| (len, goal))) {
            assert_eq!(leap(7..7 + len, |place| place < 7 + goal), 7 + goal, "{len}");
        }
        let looks = Cell::new(0);
        let is_below = |place| {
            looks.set(looks.get() + 1);
            place < 900_000
        };
        assert_eq!((leap(0..1_000_000, is_below), looks.get() < 50), (900_000, true));
    }
}
