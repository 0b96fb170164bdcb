//! Queries: down from a root to the cell of the lowest corner, or, for large boxes, through every
//! cell that they touch.

use super::build::{signed, subcell_at, subcells_touched};
use super::corner_test::{self, Search, Test};
use super::cost::{DOUBLINGS_PER_LEVEL, LEVELS};
use super::lattice::{Footprint, Position, coarsened};
use super::overlaps::Overlaps;
use super::structure::{HierarchicalHash, Node};
use crate::boxes::box_records::corners_of;
use crate::cells::cell_table::hash;
use hashfall_core::geometry::Aabb;
use hashfall_core::simd::Baseline;
use std::ops::Range;

/// Queries that are numbered together, in 32 bits.
const PIECE: usize = 1 << 16;

/// Room of the lists for one query.
const FEW: usize = 64;

/// Room of the lists for many.
const MANY: usize = 256;

/// Outcome of the visit of one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Complete,
    /// The query is too large for one cell, or empty.
    IsLarge,
}

/// A node that a query goes through, and the size of its cell in doublings of the finest.
#[derive(Clone, Copy)]
struct Open {
    number: u32,
    shift: u32,
}

impl Open {
    /// The subcell that holds a finest cell. Those of the finest have none: any bit says so.
    #[inline(always)]
    fn subcell_of(self, low: Position) -> u32 {
        let shift = self.shift.saturating_sub(DOUBLINGS_PER_LEVEL);
        let [x, y, z] = low.map(|l| l >> shift & 3);
        x | y << 2 | z << 4
    }
}

/// A query.
struct One<'a> {
    hash: &'a HierarchicalHash,
    query: &'a Aabb,
}

impl<V: FnMut(u32)> Search<&mut V> for One<'_> {
    type Output = Answer;

    #[inline(always)]
    fn run<T: Test>(self, test: T, visit: &mut V) -> Answer {
        self.hash.answer(test, self.query, visit)
    }
}

/// Many queries.
struct All<'a> {
    hash: &'a HierarchicalHash,
    queries: &'a [Aabb],
}

impl<V: FnMut(usize, u32)> Search<&mut V> for All<'_> {
    type Output = ();

    #[inline(always)]
    fn run<T: Test>(self, test: T, visit: &mut V) {
        if self.hash.groups.is_empty() {
            for (query, at) in self.queries.iter().enumerate() {
                let mut visit = |object: u32| visit(query, object);
                if self.hash.answer_unpacked(test, at, &mut visit) == Answer::IsLarge {
                    self.hash.visit_all(Baseline, at, visit);
                }
            }
            return;
        }
        let mut overlaps = Overlaps::<MANY, _, _>::new(self.hash, test, self.queries, visit);
        for query in 0..self.queries.len() {
            if self.hash.find(&mut overlaps, query as u32) == Answer::IsLarge {
                // One after the other.
                overlaps.finish();
                let visit = overlaps.visitor();
                self.hash.visit_all(Baseline, &self.queries[query], |object| visit(query, object));
            }
        }
        overlaps.finish();
    }
}

impl HierarchicalHash {
    /// Visits the objects that overlap `query`.
    #[inline(always)]
    pub(crate) fn run(&self, query: &Aabb, mut visit: impl FnMut(u32)) {
        let answer = corner_test::run(self.isa, One { hash: self, query }, &mut visit);
        if answer == Answer::IsLarge {
            self.visit_all(Baseline, query, visit);
        }
    }

    /// Visits the objects that overlap each query, query by query.
    pub(crate) fn run_all(&self, queries: &[Aabb], mut visit: impl FnMut(usize, u32)) {
        for (piece, queries) in (0..).zip(queries.chunks(PIECE)) {
            let mut visit = |query: usize, object: u32| visit(piece * PIECE + query, object);
            corner_test::run(self.isa, All { hash: self, queries }, &mut visit);
        }
    }

    /// Visits what overlaps `query`, if that is small.
    #[inline(always)]
    pub(crate) fn answer<S: Test>(
        &self,
        test: S,
        query: &Aabb,
        mut visit: impl FnMut(u32),
    ) -> Answer {
        if self.groups.is_empty() {
            return self.answer_unpacked(test, query, &mut visit);
        }
        let visit = |_: usize, object: u32| visit(object);
        let one = std::slice::from_ref(query);
        let mut overlaps = Overlaps::<FEW, _, _>::new(self, test, one, visit);
        let answer = self.find(&mut overlaps, 0);
        overlaps.finish();
        answer
    }

    /// Visits what overlaps `query`, if that is small, where records are of boxes.
    #[inline(always)]
    fn answer_unpacked<S: Test>(
        &self,
        test: S,
        query: &Aabb,
        visit: &mut impl FnMut(u32),
    ) -> Answer {
        let corners = test.query(&corners_of(query));
        if !test.overlaps(&self.bounds, corners) {
            return Answer::Complete;
        }
        let (low, is_small) = test.corner(&self.lattice, corners);
        if !is_small {
            return Answer::IsLarge;
        }
        if self.everywhere > 0 {
            self.visit_records(test, 0..self.everywhere, corners, visit);
        }
        let mut shift = self.root_shift;
        let Some(mut number) = self.root_at(coarsened(low, shift)) else {
            return Answer::Complete;
        };
        loop {
            let run = self.records_of(number);
            if !run.is_empty() {
                self.visit_records(test, run, corners, visit);
            }
            let node = &self.nodes[number as usize];
            if node.subcells == 0 {
                return Answer::Complete;
            }
            shift -= DOUBLINGS_PER_LEVEL;
            let [x, y, z] = low.map(|l| l >> shift & 3);
            let subcell = x | y << 2 | z << 4;
            if node.subcells >> subcell & 1 == 0 {
                return Answer::Complete;
            }
            number = node.child(subcell);
        }
    }

    /// Visits the boxes of the records in `run` that overlap.
    #[inline(always)]
    fn visit_records<S: Test>(
        &self,
        test: S,
        run: Range<usize>,
        corners: S::Query,
        visit: &mut impl FnMut(u32),
    ) {
        let mut first = run.start;
        while first < run.end {
            let Some(group) = self.records[first..].first_chunk() else { return };
            let count = (run.end - first).min(group.len());
            test.note(count);
            let mut hits = test.overlapping_records(group, count, corners);
            while hits != 0 {
                visit(group[hits.trailing_zeros() as usize].object);
                hits &= hits - 1;
            }
            first += group.len();
        }
    }

    /// Finds what overlaps a query, if that is small, where records are of groups.
    #[inline(always)]
    fn find<const CAPACITY: usize, S: Test>(
        &self,
        overlaps: &mut Overlaps<CAPACITY, S, impl FnMut(usize, u32)>,
        query: u32,
    ) -> Answer {
        let (test, corners) = (overlaps.test, overlaps.corners(query));
        if !test.overlaps(&self.bounds, corners) {
            return Answer::Complete;
        }
        let (low, is_small) = test.corner(&self.lattice, corners);
        if !is_small {
            return Answer::IsLarge;
        }
        // Those of all of space first, then those of each cell.
        let mut run = 0..self.everywhere;
        let mut cell = self.open_root(low);
        loop {
            overlaps.find(query, corners, run, 0);
            let Some(open) = cell else { return Answer::Complete };
            run = self.records_of(open.number);
            cell = self.open_below(open, low);
        }
    }

    /// The root that holds a finest cell, unless there is nothing for a query there.
    #[inline(always)]
    fn open_root(&self, low: Position) -> Option<Open> {
        let number = self.root_at(coarsened(low, self.root_shift))?;
        self.open(Open { number, shift: self.root_shift }, low)
    }

    /// The cell below that holds a finest cell, unless there is nothing for a query there.
    #[inline(always)]
    fn open_below(&self, cell: Open, low: Position) -> Option<Open> {
        let node = &self.nodes[cell.number as usize];
        let subcell = cell.subcell_of(low);
        if node.subcells >> subcell & 1 == 0 {
            return None;
        }
        let shift = cell.shift - DOUBLINGS_PER_LEVEL;
        self.open(Open { number: node.child(subcell), shift }, low)
    }

    /// A cell, unless there is nothing for a query at `low`.
    #[inline(always)]
    fn open(&self, cell: Open, low: Position) -> Option<Open> {
        let occupied = self.nodes[cell.number as usize].occupied;
        (occupied >> cell.subcell_of(low) & 1 != 0).then_some(cell)
    }

    /// Visits what overlaps `query`, if that is not empty, by going through all cells of its
    /// footprint.
    #[inline(never)]
    pub(crate) fn visit_all<S: Test>(&self, test: S, query: &Aabb, mut visit: impl FnMut(u32)) {
        if query.is_empty() {
            return;
        }
        let footprint = self.lattice.footprint(query);
        let visit = |_: usize, object: u32| visit(object);
        let mut overlaps = Overlaps::new(self, test, std::slice::from_ref(query), visit);
        let corners = overlaps.corners(0);
        overlaps.find(0, corners, 0..self.everywhere, 0);
        let roots = footprint.coarsened(self.root_shift);
        if roots.cells() <= self.roots.len() as u64 {
            roots.for_each(|cell| {
                if let Some(number) = self.root_at(cell) {
                    self.visit_root(number, cell, &footprint, &mut overlaps);
                }
            });
        } else {
            for (number, &cell) in (0..).zip(&self.roots) {
                if roots.contains(cell) {
                    self.visit_root(number, cell, &footprint, &mut overlaps);
                }
            }
        }
        overlaps.finish();
    }

    /// Visits what overlaps in a root and the cells below, of those that a footprint touches.
    fn visit_root<S: Test>(
        &self,
        root: u32,
        cell: Position,
        footprint: &Footprint,
        overlaps: &mut Overlaps<FEW, S, impl FnMut(usize, u32)>,
    ) {
        let mut enter = |number: u32, cell: Position, depth: usize| {
            let shift = self.root_shift - DOUBLINGS_PER_LEVEL * depth as u32;
            self.visit_node(number, cell, shift, footprint, overlaps)
        };
        // On each level a node, its cell, and its subcells that are still to visit.
        let mut way = [(root, cell, 0u64); LEVELS];
        way[0].2 = enter(root, cell, 0);
        let mut depth = 0;
        loop {
            let (number, cell, left) = way[depth];
            if left != 0 {
                let subcell = left.trailing_zeros();
                way[depth].2 = left & (left - 1);
                let child = self.nodes[number as usize].child(subcell);
                let cell = subcell_at(cell, subcell as usize);
                depth += 1;
                way[depth] = (child, cell, enter(child, cell, depth));
            } else if depth == 0 {
                return;
            } else {
                depth -= 1;
            }
        }
    }

    /// Visits what overlaps in a node; returns those of its subcells that a footprint touches. An
    /// object is visited in the lowest cell that it shares with the footprint.
    #[inline(always)]
    fn visit_node<S: Test>(
        &self,
        number: u32,
        cell: Position,
        shift: u32,
        footprint: &Footprint,
        overlaps: &mut Overlaps<FEW, S, impl FnMut(usize, u32)>,
    ) -> u64 {
        // A group may have to be found where none of its blocks is, so what is occupied is no
        // matter.
        let (begun_below, corners) = (footprint.axes_begun_below(cell, shift), overlaps.corners(0));
        overlaps.find(0, corners, self.records_of(number), begun_below);
        let node = &self.nodes[number as usize];
        if node.subcells == 0 {
            return 0;
        }
        let part = footprint.within(cell, shift);
        node.subcells & subcells_touched(&part, shift - DOUBLINGS_PER_LEVEL)
    }

    /// The records of a node.
    #[inline(always)]
    fn records_of(&self, number: u32) -> Range<usize> {
        let [node, next] = [&self.nodes[number as usize], &self.nodes[number as usize + 1]];
        node.first_record as usize..next.first_record as usize
    }

    /// The root at a position, if there is one.
    #[inline(always)]
    pub(crate) fn root_at(&self, cell: Position) -> Option<u32> {
        match self.dense {
            Some(edges) => Some(cell[0] + edges[0] * (cell[1] + edges[1] * cell[2])),
            None => {
                let is_it = |number: u32| self.roots[number as usize] == cell;
                self.table.find(hash(signed(cell)), is_it)
            }
        }
    }
}

impl Node {
    /// The node of a subcell that it has.
    #[inline(always)]
    pub(crate) fn child(&self, subcell: u32) -> u32 {
        self.first_child + (self.subcells & ((1 << subcell) - 1)).count_ones()
    }
}
