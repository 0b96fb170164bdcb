//! Self-checks: each object lies in cells that make up its footprint, and each cell can be reached.

use super::build::{box_of, for_each_bit, subcell_at};
use super::corner_test::Test;
use super::cost::{DOUBLINGS_PER_LEVEL, is_everywhere, lowest_shift};
use super::lattice::{Footprint, Lattice, Position};
use super::structure::HierarchicalHash;
use crate::boxes::box_records::{BoxTest, Corners, GROUP, Record};
use crate::lanes::LANES;
use hashfall_core::geometry::Aabb;
use hashfall_core::simd::Baseline;
use std::cell::Cell;

/// A test that counts what it tests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counting<'a>(pub &'a Cell<usize>);

impl BoxTest for Counting<'_> {
    type Query = Corners;

    fn query(self, corners: &Corners) -> Corners {
        Baseline.query(corners)
    }

    fn overlaps(self, record: &Record, query: Corners) -> bool {
        Baseline.overlaps(record, query)
    }

    fn overlapping_records(self, group: &[Record; GROUP], count: usize, query: Corners) -> u32 {
        Baseline.overlapping_records(group, count, query)
    }
}

impl Test for Counting<'_> {
    type Lanes = Baseline;

    fn lanes(self) -> Baseline {
        Baseline
    }

    fn note(self, tests: usize) {
        self.0.set(self.0.get() + tests);
    }

    fn corner(self, lattice: &Lattice, query: Corners) -> (Position, bool) {
        Baseline.corner(lattice, query)
    }
}

/// A node and its cell.
struct NodeCell {
    /// The number of the node.
    number: usize,
    /// The place of its cell in the grid of its size.
    cell: Position,
    /// The size of the cell in doublings of the finest.
    shift: u32,
}

impl HierarchicalHash {
    pub(crate) fn check(&self, boxes: &[Aabb]) {
        if self.blocks.is_empty() {
            self.check_cells(boxes, &[]);
        } else {
            let [around_groups, around_blocks] = self.check_blocks(boxes);
            self.check_cells(&around_groups, &around_blocks);
        }
    }

    /// Each box is in one block, and groups hold the boxes around their blocks. Returns those
    /// around groups, and around blocks.
    fn check_blocks(&self, boxes: &[Aabb]) -> [Vec<Aabb>; 2] {
        let mut around_blocks = vec![];
        let mut found = vec![false; boxes.len()];
        let mut around_groups = vec![Aabb::EMPTY; self.groups.len()];
        assert_eq!(self.groups.len(), self.blocks.len().div_ceil(LANES));
        for (number, block) in self.blocks.iter().enumerate() {
            let mut around = Aabb::EMPTY;
            for (lane, &object) in block.objects.iter().enumerate() {
                if object != u32::MAX {
                    let its_box = boxes[object as usize];
                    assert_eq!(box_of(&block.boxes, lane), its_box, "object {object}");
                    assert!(!std::mem::replace(&mut found[object as usize], true), "twice");
                    around = around.union(&its_box);
                }
            }
            let (group, lane) = (&self.groups[number / LANES], number % LANES);
            assert_eq!(box_of(group, lane), around, "block {number}");
            around_blocks.push(around);
            around_groups[number / LANES] = around_groups[number / LANES].union(&around);
        }
        assert!(found.iter().all(|found| *found), "an object is missing");
        [around_groups, around_blocks]
    }

    /// Each object, a box or a group, lies in cells that make up its footprint, and the subcells
    /// that blocks touch are occupied.
    fn check_cells(&self, boxes: &[Aabb], blocks: &[Aabb]) {
        if self.dense.is_none() {
            self.table.assert_well_formed();
        }
        let [_, .., end] = &self.nodes[..] else {
            assert!(boxes.is_empty(), "no node for {} boxes", boxes.len());
            return;
        };
        assert_eq!(end.first_record as usize + GROUP, self.records.len());
        assert!(self.nodes.is_sorted_by_key(|node| node.first_record));
        let footprints: Vec<Footprint> =
            boxes.iter().map(|b| self.lattice.extended_footprint(b)).collect();
        let blocks: Vec<Footprint> =
            blocks.iter().map(|b| self.lattice.extended_footprint(b)).collect();
        // The finest cells of each object that are accounted for.
        let mut found = vec![0u128; boxes.len()];
        for record in &self.records[..self.everywhere] {
            let footprint = &footprints[record.object as usize];
            assert!(is_everywhere(footprint, self.root_shift));
            found[record.object as usize] += volume(footprint);
        }
        let mut reached = 0;
        for (number, &cell) in (0..).zip(&self.roots) {
            assert_eq!(self.root_at(cell), Some(number));
            let mut open = vec![NodeCell { number: number as usize, cell, shift: self.root_shift }];
            while let Some(node) = open.pop() {
                reached += 1;
                self.check_records(boxes, &footprints, &blocks, &node, &mut found);
                let mut child = self.nodes[node.number].first_child as usize;
                for_each_bit(self.nodes[node.number].subcells, |subcell| {
                    let cell = subcell_at(node.cell, subcell);
                    let shift = node.shift - DOUBLINGS_PER_LEVEL;
                    open.push(NodeCell { number: child, cell, shift });
                    child += 1;
                });
            }
        }
        assert_eq!(reached + 1, self.nodes.len(), "cells that cannot be reached, or twice");
        for (object, footprint) in footprints.iter().enumerate() {
            assert_eq!(found[object], volume(footprint), "cells of object {object}");
        }
    }

    fn check_records(
        &self,
        boxes: &[Aabb],
        footprints: &[Footprint],
        blocks: &[Footprint],
        &NodeCell { number, cell, shift }: &NodeCell,
        found: &mut [u128],
    ) {
        let [node, next] = [&self.nodes[number], &self.nodes[number + 1]];
        let run = node.first_record as usize..next.first_record as usize;
        let is_root = number < self.roots.len();
        assert!(is_root || !run.is_empty() || node.subcells != 0, "node {number} is empty");
        for record in &self.records[run] {
            let (object, footprint) = (record.object as usize, &footprints[record.object as usize]);
            let begun_below = footprint.axes_begun_below(cell, shift);
            let wanted = Record::new(&boxes[object], record.object, begun_below);
            assert_eq!(*record, wanted);
            assert!(
                lowest_shift(footprint, self.root_shift) <= shift,
                "object {object} is too low"
            );
            if shift >= DOUBLINGS_PER_LEVEL && !self.groups.is_empty() {
                let last = blocks.len().min((object + 1) * LANES);
                let touched =
                    blocks[object * LANES..last].iter().map(|f| f.subcells_touched_in(cell, shift));
                assert_eq!(touched.fold(0, |all, t| all | t) & !node.occupied, 0);
            }
            let part = footprint.within(cell, shift);
            assert!((0..3).all(|a| part.low[a] <= part.high[a]), "object {object} in {cell:?}");
            found[object] += volume(&part);
        }
    }
}

/// The number of finest cells.
fn volume(footprint: &Footprint) -> u128 {
    (0..3).map(|a| u128::from(footprint.high[a] - footprint.low[a]) + 1).product()
}

#[cfg(test)]
mod tests {
    use super::super::structure::Node;
    use super::*;
    use crate::contract::BroadPhase;
    use hashfall_core::simd::Isa;
    use hashfall_core::{Real, Vec3};

    fn cube(low: Real, edge: Real) -> Aabb {
        Aabb::new(Vec3::from_element(low), Vec3::from_element(low + edge))
    }

    fn built(boxes: &[Aabb], smallest: Real) -> HierarchicalHash {
        let mut hash = HierarchicalHash::default();
        hash.rebuild(boxes, smallest);
        hash.assert_well_formed(boxes);
        hash
    }

    #[test]
    fn a_few_cells_hold_each_object() {
        // Sizes over 2¹⁶, one box around all, and a heap of equal ones.
        let spread: Vec<Aabb> = (0..4000)
            .map(|n| {
                let at = |k: u32| (n * k % 4001) as Real * 0.01;
                let low = Vec3::new(at(271), at(1009), at(3001));
                Aabb::new(low, low.add_scalar((1 << (n % 17)) as Real * 1e-5))
            })
            .collect();
        let mut one_huge = spread.clone();
        one_huge.push(cube(-10.0, 100.0));
        let heap = vec![cube(1.0, 0.5); 3000];
        for boxes in [spread, one_huge, heap] {
            let hash = built(&boxes, 1e-5);
            let records = hash.records.len() - GROUP;
            assert!(records < 20 * boxes.len(), "{records} for {}", boxes.len());
            assert!(hash.nodes.len() < 20 * boxes.len() + 5000);
        }
    }

    #[test]
    fn empty_space_ends_at_a_root() {
        let boxes: Vec<Aabb> = (0..50).map(|n| cube(n as Real, 0.1)).collect();
        let hash = built(&boxes, 0.1);
        let beside = Aabb::new(Vec3::new(0.0, 40.0, 0.0), Vec3::new(0.1, 40.1, 0.1));
        assert_eq!(hash.examined(&beside), 0);
        assert!(hash.examined(&boxes[7]) >= 1);
    }

    #[test]
    fn far_apart_objects_are_hashed() {
        let mut boxes: Vec<Aabb> = (0..200).map(|n| cube(n as Real * 0.2, 0.1)).collect();
        boxes.push(cube(1e5, 0.1));
        let hash = built(&boxes, 0.05);
        assert!(hash.dense.is_none(), "roots of 2^{} cells", hash.root_shift);
        assert!(hash.examined(&boxes[7]) < 10);
    }

    #[test]
    fn every_instruction_set_finds_the_same() {
        let boxes: Vec<Aabb> = (0..900)
            .map(|n| {
                let low = [n * 37 % 101, n * 53 % 103, n * 71 % 107].map(|k| k as Real * 0.02);
                Aabb::new(low.into(), Vec3::from(low).add_scalar((n % 9) as Real * 0.05))
            })
            .collect();
        let queries = boxes.iter().flat_map(|b| [*b, b.grown(0.03), b.grown(0.3)]);
        let queries: Vec<Aabb> = queries.collect();
        for mut hash in [HierarchicalHash::default(), HierarchicalHash::packed()] {
            hash.rebuild(&boxes, 0.05);
            for query in &queries {
                let found = Isa::available().into_iter().map(|isa| {
                    hash.isa = isa;
                    let mut found = vec![];
                    hash.candidates(query, |object| found.push(object));
                    found
                });
                let found: Vec<Vec<u32>> = found.collect();
                assert!(found.iter().all(|f| *f == found[0]), "{query:?}: {found:?}");
            }
            let found = Isa::available().into_iter().map(|isa| {
                hash.isa = isa;
                let mut found = vec![];
                hash.candidates_of_all(&queries, |query, object| found.push((query, object)));
                found
            });
            let found: Vec<Vec<(usize, u32)>> = found.collect();
            assert!(found.iter().all(|f| *f == found[0]), "all at once");
        }
    }

    #[test]
    fn packed_boxes_take_little_memory() {
        // A wavy sheet, and spheres of sizes over four decades.
        let sheet = (0..20_000).map(|n| {
            let [x, y] = [n % 200, n / 200].map(|k| k as Real * 0.01);
            let low = Vec3::new(x, y, 0.1 * (7.0 * x).sin());
            Aabb::new(low, low.add_scalar(0.015))
        });
        let spread = (0..20_000).map(|n| {
            let at = |k: u32| (n * k % 20_011) as Real * 1e-3;
            let low = Vec3::new(at(271), at(1009), at(3001));
            Aabb::new(low, low.add_scalar(1e-4 * (10.0 as Real).powf((n % 41) as Real * 0.1)))
        });
        for boxes in [sheet.collect::<Vec<_>>(), spread.collect()] {
            let hash = built(&boxes, 1e-2);
            assert!(!hash.blocks.is_empty());
            assert!(hash.bytes() < 60 * boxes.len(), "{} bytes", hash.bytes());
        }
    }

    #[test]
    fn nodes_and_records_are_as_small_as_they_should_be() {
        assert_eq!(size_of::<Node>(), 24);
        #[cfg(not(feature = "f64"))]
        assert_eq!(size_of::<Record>(), 32);
    }
}
