//! From the records of cells to the boxes that overlap queries.
//!
//! Where records are of groups of blocks, three tests follow each other: of the records, of the
//! blocks of a group, and of the boxes of a block. What each finds is random, and a branch on it
//! would often be guessed wrong; so what is found is written side by side in a list, and the next
//! test goes through the list. With many queries at once lists are long, and what a query has to
//! wait for from memory is fetched while others are tested. Lists are gone through in order, so
//! that queries are answered one after the other.
//!
//! There are no closures here: one that is not inlined is not compiled for the instruction set.

use super::corner_test::Test;
use super::structure::HierarchicalHash;
use crate::boxes::box_blocks::Block;
use crate::boxes::box_records::{GROUP, Record, corners_of};
use crate::lanes::{BoxLanes, LANES, Lanes};
use hashfall_core::geometry::Aabb;
use std::mem::MaybeUninit;
use std::ops::Range;

/// Queries, and what is done with the boxes that overlap them. Lists hold up to `CAPACITY`.
pub(super) struct Overlaps<'a, const CAPACITY: usize, S: Test, V> {
    pub test: S,
    pub queries: &'a [Aabb],
    records: &'a [Record],
    groups: &'a [BoxLanes],
    blocks: &'a [Block],
    near_records: List<CAPACITY>,
    near_blocks: List<CAPACITY>,
    found: List<CAPACITY>,
    visit: V,
}

/// What was found, each with its query.
struct List<const CAPACITY: usize> {
    numbers: [MaybeUninit<u32>; CAPACITY],
    queries: [MaybeUninit<u32>; CAPACITY],
    len: usize,
}

impl<const CAPACITY: usize> List<CAPACITY> {
    #[inline(always)]
    fn new() -> Self {
        let (numbers, queries) =
            ([MaybeUninit::uninit(); CAPACITY], [MaybeUninit::uninit(); CAPACITY]);
        List { numbers, queries, len: 0 }
    }

    /// Whether it is to be gone through before more are found.
    #[inline(always)]
    fn is_long(&self) -> bool {
        self.len > CAPACITY - LANES
    }

    /// Adds the numbers of the set bits.
    ///
    /// # Safety
    /// It is not long.
    #[inline(always)]
    unsafe fn push<L: Lanes>(&mut self, lanes: L, bits: u32, numbers: L::Places, query: u32) {
        debug_assert!(!self.is_long());
        // SAFETY: sixteen can be written behind this number.
        unsafe {
            lanes.push_places(bits, numbers, self.numbers.as_mut_ptr().add(self.len).cast());
            let queries = self.queries.as_mut_ptr().add(self.len);
            queries.cast::<[u32; LANES]>().write_unaligned([query; LANES]);
        }
        self.len += bits.count_ones() as usize;
    }

    /// A number and its query.
    #[inline(always)]
    fn get(&self, k: usize) -> (usize, u32) {
        debug_assert!(k < self.len);
        // SAFETY: the first `len` were written.
        unsafe { (self.numbers[k].assume_init() as usize, self.queries[k].assume_init()) }
    }
}

impl<'a, const CAPACITY: usize, S: Test, V: FnMut(usize, u32)> Overlaps<'a, CAPACITY, S, V> {
    #[inline(always)]
    pub fn new(hash: &'a HierarchicalHash, test: S, queries: &'a [Aabb], visit: V) -> Self {
        let [near_records, near_blocks, found] = [List::new(), List::new(), List::new()];
        let HierarchicalHash { records, groups, blocks, .. } = hash;
        Overlaps { test, queries, records, groups, blocks, near_records, near_blocks, found, visit }
    }

    /// What is done with the boxes.
    #[inline(always)]
    pub fn visitor(&mut self) -> &mut V {
        &mut self.visit
    }

    /// The corners of a query, for the test of records.
    #[inline(always)]
    pub fn corners(&self, query: u32) -> S::Query {
        self.test.query(&corners_of(&self.queries[query as usize]))
    }

    /// Finds what overlaps a query of the records, but for those that were entered in lower cells
    /// on one of these axes.
    #[inline(always)]
    pub fn find(&mut self, query: u32, corners: S::Query, run: Range<usize>, axes: u32) {
        let mut first = run.start;
        while first < run.end {
            let Some(records) = self.records[first..].first_chunk() else { return };
            let count = (run.end - first).min(GROUP);
            self.test.note(count);
            let mut hits = self.test.overlapping_records(records, count, corners);
            if axes != 0 {
                hits &= entered_here(records, axes);
            }
            if self.groups.is_empty() {
                self.visit_records(records, hits, query);
            } else {
                let numbers = self.test.lanes().places_from(first as u32);
                // SAFETY: a list that is long is emptied.
                unsafe { self.near_records.push(self.test.lanes(), hits, numbers, query) };
                if self.near_records.is_long() {
                    self.find_blocks();
                }
            }
            first += GROUP;
        }
    }

    /// Visits the boxes of records.
    #[inline(always)]
    fn visit_records(&mut self, records: &[Record; GROUP], mut hits: u32, query: u32) {
        while hits != 0 {
            (self.visit)(query as usize, records[hits.trailing_zeros() as usize].object);
            hits &= hits - 1;
        }
    }

    /// Which of sixteen boxes overlap, as bits.
    #[inline(always)]
    fn overlapping(&self, boxes: &BoxLanes, query: u32) -> u32 {
        self.test.note(LANES);
        let query = &self.queries[query as usize];
        self.test.lanes().overlapping(boxes, &query.min, &query.max)
    }

    /// Finds what overlaps of the blocks of the groups that were found.
    #[inline(always)]
    fn find_blocks(&mut self) {
        for k in 0..self.near_records.len {
            let (record, query) = self.near_records.get(k);
            let group = self.records[record].object;
            let hits = self.overlapping(&self.groups[group as usize], query);
            let numbers = self.test.lanes().places_from(group * LANES as u32);
            // SAFETY: a list that is long is emptied.
            unsafe { self.near_blocks.push(self.test.lanes(), hits, numbers, query) };
            if self.near_blocks.is_long() {
                self.find_boxes();
            }
        }
        self.near_records.len = 0;
    }

    /// Finds what overlaps of the boxes of the blocks that were found.
    #[inline(always)]
    fn find_boxes(&mut self) {
        for k in 0..self.near_blocks.len {
            let (block, query) = self.near_blocks.get(k);
            let block = &self.blocks[block];
            let hits = self.overlapping(&block.boxes, query);
            // SAFETY: a block has sixteen numbers; a list that is long is emptied.
            unsafe {
                let objects = self.test.lanes().load_places(block.objects.as_ptr());
                self.found.push(self.test.lanes(), hits, objects, query);
            }
            if self.found.is_long() {
                self.visit_found();
            }
        }
        self.near_blocks.len = 0;
    }

    #[inline(always)]
    fn visit_found(&mut self) {
        for k in 0..self.found.len {
            let (object, query) = self.found.get(k);
            (self.visit)(query as usize, object as u32);
        }
        self.found.len = 0;
    }

    /// Visits what was found and not visited so far.
    #[inline(always)]
    pub fn finish(&mut self) {
        if self.near_records.len > 0 {
            self.find_blocks();
        }
        if self.near_blocks.len > 0 {
            self.find_boxes();
        }
        self.visit_found();
    }
}

/// The records, as bits, that were not entered in lower cells on one of some axes.
#[inline(always)]
fn entered_here(records: &[Record; GROUP], axes: u32) -> u32 {
    let mut bits = 0;
    for (k, record) in records.iter().enumerate() {
        bits |= u32::from(record.tag & axes == 0) << k;
    }
    bits
}
