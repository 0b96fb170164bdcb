//! Queries: down from a root to the cell of the lowest corner, or, for large boxes, through every
//! cell that they touch.

use super::build::{signed, subcell_at, subcells_touched};
use super::cost::{DOUBLINGS_PER_LEVEL, LEVELS};
use super::lattice::{Corners, Footprint, Position, coarsened, corners_of};
#[cfg(all(target_arch = "x86_64", not(feature = "f64")))]
use super::records::{Avx2, Avx512};
use super::records::{Portable, Record, Test};
use super::{HierarchicalHash, Node};
use crate::geometry::Aabb;
use crate::search::cell_table::hash;
use std::ops::Range;

/// The fastest test that the machine has, found once.
#[derive(Clone, Copy, Debug)]
pub(super) enum Machine {
    #[cfg(all(target_arch = "x86_64", not(feature = "f64")))]
    Avx512(Avx512),
    #[cfg(all(target_arch = "x86_64", not(feature = "f64")))]
    Avx2(Avx2),
    Portable,
}

impl Machine {
    /// All that this machine can run, the fastest first.
    pub fn all() -> Vec<Machine> {
        let mut all = vec![];
        #[cfg(all(target_arch = "x86_64", not(feature = "f64")))]
        {
            all.extend(Avx512::detect().map(Machine::Avx512));
            all.extend(Avx2::detect().map(Machine::Avx2));
        }
        all.push(Machine::Portable);
        all
    }
}

/// Where a query ended, for the next one to begin from: a cell, and the records on the way to it.
#[derive(Clone, Debug)]
pub struct Place {
    cell: Position,
    /// Size of the cell, as doublings of the finest.
    shift: u32,
    /// Records of the cell and of those that hold it; `count` are in use.
    runs: [(u32, u32); LEVELS],
    count: usize,
}

impl Default for Place {
    fn default() -> Self {
        // No cell has this position.
        Place { cell: [u32::MAX; 3], shift: 0, runs: [(0, 0); LEVELS], count: 0 }
    }
}

/// What a query does with its way.
pub(super) trait Trail {
    /// The records on the way to a corner, if it was the way of the query before.
    fn runs_to(&self, corner: Position) -> Option<&[(u32, u32)]>;
    fn begin(&mut self);
    fn pass(&mut self, run: (u32, u32));
    fn end(&mut self, corner: Position, shift: u32);
}

/// Forgets it.
impl Trail for () {
    #[inline(always)]
    fn runs_to(&self, _corner: Position) -> Option<&[(u32, u32)]> {
        None
    }
    #[inline(always)]
    fn begin(&mut self) {}
    #[inline(always)]
    fn pass(&mut self, _run: (u32, u32)) {}
    #[inline(always)]
    fn end(&mut self, _corner: Position, _shift: u32) {}
}

impl Trail for Place {
    #[inline(always)]
    fn runs_to(&self, corner: Position) -> Option<&[(u32, u32)]> {
        (coarsened(corner, self.shift) == self.cell).then(|| &self.runs[..self.count])
    }
    #[inline(always)]
    fn begin(&mut self) {
        self.count = 0;
    }
    #[inline(always)]
    fn pass(&mut self, run: (u32, u32)) {
        self.runs[self.count] = run;
        self.count += 1;
    }
    #[inline(always)]
    fn end(&mut self, corner: Position, shift: u32) {
        self.cell = coarsened(corner, shift);
        self.shift = shift;
    }
}

/// Entries for each machine: the same code, compiled with what it has.
macro_rules! for_machine {
    ($test:ty, $features:literal, $corner:ident, $wide:ident) => {
        #[cfg(all(target_arch = "x86_64", not(feature = "f64")))]
        impl HierarchicalHash {
            #[target_feature(enable = $features)]
            fn $corner<T: Trail>(
                &self,
                test: $test,
                trail: &mut T,
                query: &Aabb,
                mut visit: impl FnMut(u32),
            ) {
                if let Some(footprint) = self.look(test, trail, query, &mut visit) {
                    self.$wide(test, &footprint, query, visit);
                }
            }

            #[target_feature(enable = $features)]
            #[inline(never)]
            fn $wide(&self, test: $test, at: &Footprint, query: &Aabb, visit: impl FnMut(u32)) {
                self.look_wide(test, at, query, visit);
            }
        }
    };
}

for_machine!(Avx2, "avx2,bmi1,bmi2,popcnt", corner_avx2, wide_avx2);
for_machine!(
    Avx512,
    "avx2,bmi1,bmi2,popcnt,avx512f,avx512vl,avx512bw,avx512dq",
    corner_avx512,
    wide_avx512
);

impl HierarchicalHash {
    /// Visits the objects that overlap `query`.
    #[inline(always)]
    pub(super) fn run<T: Trail>(&self, trail: &mut T, query: &Aabb, mut visit: impl FnMut(u32)) {
        match self.machine {
            // SAFETY: the test is proof that the machine has these instructions.
            #[cfg(all(target_arch = "x86_64", not(feature = "f64")))]
            Machine::Avx512(test) => unsafe { self.corner_avx512(test, trail, query, visit) },
            // SAFETY: the test is proof that the machine has these instructions.
            #[cfg(all(target_arch = "x86_64", not(feature = "f64")))]
            Machine::Avx2(test) => unsafe { self.corner_avx2(test, trail, query, visit) },
            Machine::Portable => {
                if let Some(footprint) = self.look(Portable, trail, query, &mut visit) {
                    self.look_wide(Portable, &footprint, query, visit);
                }
            }
        }
    }

    /// Visits what overlaps `query`, if the cell of its lowest corner tells; else its footprint is
    /// returned.
    #[inline(always)]
    pub(super) fn look<S: Test, T: Trail>(
        &self,
        test: S,
        trail: &mut T,
        query: &Aabb,
        visit: &mut impl FnMut(u32),
    ) -> Option<Footprint> {
        let corners = corners_of(query);
        if !self.bounds.overlaps(&corners) {
            return None;
        }
        let footprint = Footprint::of_positions(&self.lattice.positions(&corners));
        let Footprint { low, high } = footprint;
        let over = |a: usize| high[a] - low[a] > self.reach;
        if over(0) | over(1) | over(2) {
            return Some(footprint);
        }
        let mut visit = |record: &Record| visit(record.object);
        if self.everywhere > 0 {
            self.for_each_hit(test, 0..self.everywhere, &corners, &mut visit);
        }
        if let Some(runs) = trail.runs_to(low) {
            for &(first, end) in runs {
                self.for_each_hit(test, first as usize..end as usize, &corners, &mut visit);
            }
            return None;
        }
        trail.begin();
        let mut shift = self.root_shift;
        let Some(mut number) = self.root_at(coarsened(low, shift)) else {
            trail.end(low, shift);
            return None;
        };
        loop {
            let (node, first, end) = self.node(number);
            if first < end {
                self.for_each_hit(test, first as usize..end as usize, &corners, &mut visit);
                trail.pass((first, end));
            }
            if node.subcells == 0 {
                break;
            }
            shift -= DOUBLINGS_PER_LEVEL;
            let [x, y, z] = low.map(|l| l >> shift & 3);
            let subcell = x | y << 2 | z << 4;
            if node.subcells >> subcell & 1 == 0 {
                break;
            }
            number = node.child(subcell);
        }
        trail.end(low, shift);
        None
    }

    /// Visits what overlaps `query` by going through all cells of its footprint.
    #[inline(always)]
    pub(super) fn look_wide<S: Test>(
        &self,
        test: S,
        footprint: &Footprint,
        query: &Aabb,
        mut visit: impl FnMut(u32),
    ) {
        let corners = corners_of(query);
        self.for_each_hit(test, 0..self.everywhere, &corners, &mut |r| visit(r.object));
        let roots = footprint.coarsened(self.root_shift);
        let mut visit_root = |number: u32, cell: Position| {
            self.look_in_root(test, number, cell, footprint, &corners, &mut visit);
        };
        if roots.cells() <= self.roots.len() as u64 {
            roots.for_each(|cell| {
                if let Some(number) = self.root_at(cell) {
                    visit_root(number, cell);
                }
            });
        } else {
            for (number, &cell) in (0..).zip(&self.roots) {
                if roots.contains(cell) {
                    visit_root(number, cell);
                }
            }
        }
    }

    /// Visits what overlaps in a root and the cells below, of those that a footprint touches. An
    /// object is visited in the lowest cell that it shares with the footprint.
    #[inline(always)]
    fn look_in_root<S: Test>(
        &self,
        test: S,
        number: u32,
        cell: Position,
        footprint: &Footprint,
        corners: &Corners,
        visit: &mut impl FnMut(u32),
    ) {
        // For each level the node, its cell, and its subcells that are still to visit.
        let mut way = [(number, cell, 0u64); LEVELS];
        let (mut depth, mut is_new) = (0, true);
        loop {
            let (number, cell, left) = way[depth];
            let shift = self.root_shift - DOUBLINGS_PER_LEVEL * depth as u32;
            let mut node_and_left = (&self.nodes[number as usize], left);
            if is_new {
                let (node, first, end) = self.node(number);
                let begun_below = footprint.axes_begun_below(cell, shift);
                let run = first as usize..end as usize;
                self.for_each_hit(test, run, corners, &mut |record| {
                    if record.begun_below & begun_below == 0 {
                        visit(record.object);
                    }
                });
                let touched = if node.subcells == 0 {
                    0
                } else {
                    subcells_touched(&footprint.within(cell, shift), shift - DOUBLINGS_PER_LEVEL)
                };
                node_and_left = (node, node.subcells & touched);
            }
            let (node, left) = node_and_left;
            if left == 0 {
                if depth == 0 {
                    return;
                }
                (depth, is_new) = (depth - 1, false);
                continue;
            }
            let subcell = left.trailing_zeros();
            way[depth].2 = left & (left - 1);
            (depth, is_new) = (depth + 1, true);
            way[depth] = (node.child(subcell), subcell_at(cell, subcell as usize), 0);
        }
    }

    /// Visits the records in `run` that overlap.
    #[inline(always)]
    fn for_each_hit<S: Test>(
        &self,
        test: S,
        run: Range<usize>,
        corners: &Corners,
        visit: &mut impl FnMut(&Record),
    ) {
        let mut first = run.start;
        while first < run.end {
            let Some(group) = self.records[first..].first_chunk() else { return };
            let mut hits = test.overlapping(group, (run.end - first).min(group.len()), corners);
            while hits != 0 {
                visit(&group[hits.trailing_zeros() as usize]);
                hits &= hits - 1;
            }
            first += group.len();
        }
    }

    /// A node, and the first of its records and their end.
    #[inline(always)]
    fn node(&self, number: u32) -> (&Node, u32, u32) {
        let (node, next) = (&self.nodes[number as usize], &self.nodes[number as usize + 1]);
        (node, node.first_record, next.first_record)
    }

    /// The root at a position, if there is one.
    #[inline(always)]
    pub(super) fn root_at(&self, cell: Position) -> Option<u32> {
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
    pub(super) fn child(&self, subcell: u32) -> u32 {
        self.first_child + (self.subcells & ((1 << subcell) - 1)).count_ones()
    }
}
