//! Spatially uniform hashing in a table of fixed length, with time stamps.
//!
//! Teschner et al. 2003; Ahmad, "Hash tables for physical based simulations"; Pouchol et al. 2009,
//! eq. 1. A point lies in the cell `⌊x/h⌋`, its cell in the bucket `hash(cell) mod n`, and each
//! bucket is a list. Nothing is ever removed: an entry bears the number of the rebuild that wrote
//! it, and is *deprecated* after the next. A new entry takes the place of the first deprecated one
//! (Ahmad's "head insertion"), so those of now stand before all others: a reader stops at the first
//! deprecated one, and the memory of the lists serves for good. n is the number of points unless
//! the settings give one, as Ahmad advises; any n from 1 on will do.
//!
//! Deviations:
//! - The paper tests the distance of all that a bucket holds. Where two of the 27 cells around a
//!   point share a bucket it so meets a point twice. Here an entry bears its cell, too, and is
//!   taken for this cell only: once.
//! - Products are of 64 bits instead of 32, so that none overflows.
//! - The first deprecated entry is found by halving: in long lists a walk is quadratic.
//!
//! Insertion is sequential. `h` support radius = cell size \[m\], `n` buckets.

use crate::cells::cell_range::CellRange;
use crate::choice::settings::SearchSettings;
use crate::contract::{NeighborSearch, assert_cells, assert_count};
use hashfall_core::cell::{Cell, cell_of};
use hashfall_core::{Real, Vec3};

/// Points in hashed cells of one size, in a table of fixed length.
#[derive(Clone, Debug, Default)]
pub struct FixedUniformHash {
    settings: SearchSettings,
    cell_size: Real,
    /// Counts rebuilds.
    now: u64,
    /// The range of the cells of now.
    range: CellRange,
    buckets: Vec<Vec<Entry>>,
}

/// A point in a bucket.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The rebuild that wrote it.
    stamp: u64,
    cell: Cell,
    point: u32,
}

impl NeighborSearch for FixedUniformHash {
    fn configure(&mut self, settings: &SearchSettings) {
        self.settings = *settings;
    }

    fn rebuild(&mut self, points: &[Vec3], support_radius: Real) {
        assert_count(points.len());
        assert_cells(points, support_radius);
        self.cell_size = support_radius;
        self.now += 1;
        self.range = CellRange::NONE;
        self.buckets.resize_with(self.settings.slots(points.len()), Vec::new);
        for (point, at) in (0..).zip(points) {
            self.insert(point, cell_of(at, support_radius));
        }
    }

    #[inline]
    fn candidates(&self, at: &Vec3, mut visit: impl FnMut(u32)) {
        let near = CellRange::around(cell_of(at, self.cell_size)).intersection(&self.range);
        near.for_each(|cell| {
            let same_cell = self.bucket(cell).iter().filter(|entry| entry.cell == cell);
            same_cell.for_each(|entry| visit(entry.point));
        });
    }

    fn bytes(&self) -> usize {
        let entries: usize = self.buckets.iter().map(Vec::capacity).sum();
        size_of_val(&self.buckets[..]) + entries * size_of::<Entry>()
    }

    fn assert_well_formed(&self, points: &[Vec3]) {
        let mut held = vec![false; points.len()];
        for (slot, bucket) in self.buckets.iter().enumerate() {
            assert!(bucket.is_sorted_by(|a, b| a.stamp >= b.stamp), "bucket {slot} is mixed");
            for entry in bucket.iter().filter(|entry| entry.stamp == self.now) {
                let point = entry.point as usize;
                assert_eq!(cell_of(&points[point], self.cell_size), entry.cell);
                assert_eq!(self.slot(entry.cell), slot);
                assert!(!std::mem::replace(&mut held[point], true), "{point} twice");
            }
        }
        assert!(held.iter().all(|&held| held), "a point is missing");
    }
}

impl FixedUniformHash {
    fn slot(&self, cell: Cell) -> usize {
        self.settings.hash_function.slot(cell, self.buckets.len())
    }

    /// Puts a point in the place of the first deprecated entry, or behind the last.
    fn insert(&mut self, point: u32, cell: Cell) {
        self.range.include(cell);
        let slot = self.slot(cell);
        let (bucket, now) = (&mut self.buckets[slot], self.now);
        let first_deprecated = bucket.partition_point(|entry| entry.stamp == now);
        let entry = Entry { stamp: now, cell, point };
        match bucket.get_mut(first_deprecated) {
            Some(deprecated) => *deprecated = entry,
            None => bucket.push(entry),
        }
    }

    /// The entries of now in the bucket of a cell, some of them of other cells.
    #[inline(always)]
    fn bucket(&self, cell: Cell) -> &[Entry] {
        if self.buckets.is_empty() {
            return &[];
        }
        let bucket = &self.buckets[self.slot(cell)];
        let count = bucket.iter().take_while(|entry| entry.stamp == self.now).count();
        &bucket[..count]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(table_size: u32) -> SearchSettings {
        SearchSettings { table_size: Some(table_size), ..SearchSettings::default() }
    }

    #[test]
    fn lists_keep_their_memory_and_lose_their_points() {
        let mut hash = FixedUniformHash::default();
        hash.configure(&settings(1));
        let points: Vec<Vec3> = (0..10).map(|n| Vec3::new(n as Real, 0.0, 0.0)).collect();
        hash.rebuild(&points, 1.0);
        let bytes = hash.bytes();
        for count in [3, 0, 10, 7] {
            hash.rebuild(&points[..count], 1.0);
            hash.assert_well_formed(&points[..count]);
            assert_eq!((hash.bytes(), hash.buckets[0].len()), (bytes, 10));
            let mut seen = vec![];
            hash.candidates(&points[2], |point| seen.push(point));
            assert_eq!(seen, (1..4).filter(|&n| n < count as u32).collect::<Vec<_>>());
        }
    }

    #[test]
    fn there_are_as_many_buckets_as_points_unless_given() {
        let mut hash = FixedUniformHash::default();
        for count in [0, 1, 100] {
            hash.rebuild(&vec![Vec3::zeros(); count], 1.0);
            assert_eq!(hash.buckets.len(), count.max(1));
        }
        hash.configure(&settings(7));
        hash.rebuild(&[Vec3::zeros()], 1.0);
        assert_eq!(hash.buckets.len(), 7);
    }
}
