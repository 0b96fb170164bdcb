//! Queries: down from a root to the cell of the lowest corner, or, for large boxes, through every
//! cell that they touch.

use super::build::{signed, subcell_at, subcells_touched};
use super::corner_test::Test;
use super::cost::{DOUBLINGS_PER_LEVEL, LEVELS};
use super::lattice::{Footprint, Position, coarsened};
use super::structure::{HierarchicalHash, Node};
use crate::boxes::box_records::{Record, corners_of};
use crate::cells::cell_table::hash;
use hashfall_core::geometry::Aabb;
#[cfg(target_arch = "x86_64")]
use hashfall_core::simd::{Avx2, Avx512};
use hashfall_core::simd::{Baseline, PerIsa};
use std::marker::PhantomData;
use std::ops::Range;

/// Outcome of the visit of one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Complete,
    /// The query is too large for one cell, or empty.
    IsLarge,
}

/// [`HierarchicalHash::traverse`] for the instruction set that it is compiled for. What visits goes
/// beside the hash and the query, so that all three are handed over in registers.
struct Traversal<'a, V> {
    hash: &'a HierarchicalHash,
    query: &'a Aabb,
    visitor: PhantomData<V>,
}

impl<'a, V: FnMut(u32) + 'a> PerIsa for Traversal<'a, V> {
    const USES_AVX512: bool = true;
    type Input = &'a mut V;
    type Output = Answer;

    #[inline(always)]
    fn baseline(self, visit: &'a mut V) -> Self::Output {
        self.hash.traverse(Baseline, self.query, visit)
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn avx2(self, avx2: Avx2, visit: &'a mut V) -> Self::Output {
        #[cfg(feature = "f64")]
        let (avx2, _) = (Baseline, avx2);
        self.hash.traverse(avx2, self.query, visit)
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn avx512(self, avx512: Avx512, visit: &'a mut V) -> Self::Output {
        #[cfg(feature = "f64")]
        let (avx512, _) = (Baseline, avx512);
        self.hash.traverse(avx512, self.query, visit)
    }
}

impl HierarchicalHash {
    /// Visits the objects that overlap `query`.
    #[inline(always)]
    pub(crate) fn run(&self, query: &Aabb, mut visit: impl FnMut(u32)) {
        let traversal = Traversal { hash: self, query, visitor: PhantomData };
        let answer = self.isa.dispatch(traversal, &mut visit);
        if answer == Answer::IsLarge {
            self.visit_all(Baseline, query, visit);
        }
    }

    /// Visits what overlaps `query`, if that is small.
    #[inline(always)]
    pub(crate) fn traverse<S: Test>(
        &self,
        test: S,
        query: &Aabb,
        visit: &mut impl FnMut(u32),
    ) -> Answer {
        let query = test.query(&corners_of(query));
        let mut visit = |record: &Record| visit(record.object);
        if !test.overlaps(&self.bounds, query) {
            return Answer::Complete;
        }
        let Some(low) = test.corner_if_small(&self.lattice, query) else {
            return Answer::IsLarge;
        };
        if self.everywhere > 0 {
            self.for_each_hit(test, 0..self.everywhere, query, &mut visit);
        }
        let mut shift = self.root_shift;
        let Some(mut number) = self.root_at(coarsened(low, shift)) else {
            return Answer::Complete;
        };
        loop {
            let (node, first, end) = self.node(number);
            if first < end {
                self.for_each_hit(test, first..end, query, &mut visit);
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
        Answer::Complete
    }

    /// Visits what overlaps `query`, if that is not empty, by going through all cells of its
    /// footprint.
    #[inline(never)]
    pub(crate) fn visit_all<S: Test>(&self, test: S, query: &Aabb, mut visit: impl FnMut(u32)) {
        if query.is_empty() {
            return;
        }
        let footprint = self.lattice.footprint(query);
        let query = test.query(&corners_of(query));
        self.for_each_hit(test, 0..self.everywhere, query, &mut |r| visit(r.object));
        let roots = footprint.coarsened(self.root_shift);
        let mut visit_root = |number: u32, cell: Position| {
            self.visit_root(test, (number, cell), &footprint, query, &mut visit);
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

    /// Visits what overlaps in a root and the cells below, of those that a footprint touches.
    fn visit_root<S: Test>(
        &self,
        test: S,
        (root, cell): (u32, Position),
        footprint: &Footprint,
        query: S::Query,
        visit: &mut impl FnMut(u32),
    ) {
        let mut enter = |number: u32, cell: Position, depth: usize| {
            let shift = self.root_shift - DOUBLINGS_PER_LEVEL * depth as u32;
            self.visit_node(test, (number, cell, shift), footprint, query, visit)
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
        test: S,
        (number, cell, shift): (u32, Position, u32),
        footprint: &Footprint,
        query: S::Query,
        visit: &mut impl FnMut(u32),
    ) -> u64 {
        let (node, first, end) = self.node(number);
        let begun_below = footprint.axes_begun_below(cell, shift);
        self.for_each_hit(test, first..end, query, &mut |record| {
            if record.tag & begun_below == 0 {
                visit(record.object);
            }
        });
        if node.subcells == 0 {
            return 0;
        }
        let part = footprint.within(cell, shift);
        node.subcells & subcells_touched(&part, shift - DOUBLINGS_PER_LEVEL)
    }

    /// Visits the records in `run` that overlap.
    #[inline(always)]
    fn for_each_hit<S: Test>(
        &self,
        test: S,
        run: Range<usize>,
        query: S::Query,
        visit: &mut impl FnMut(&Record),
    ) {
        let mut first = run.start;
        while first < run.end {
            let Some(group) = self.records[first..].first_chunk() else { return };
            let mut hits = test.overlapping(group, (run.end - first).min(group.len()), query);
            while hits != 0 {
                visit(&group[hits.trailing_zeros() as usize]);
                hits &= hits - 1;
            }
            first += group.len();
        }
    }

    /// A node, and the first of its records and their end.
    #[inline(always)]
    fn node(&self, number: u32) -> (&Node, usize, usize) {
        let (node, next) = (&self.nodes[number as usize], &self.nodes[number as usize + 1]);
        (node, node.first_record as usize, next.first_record as usize)
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
