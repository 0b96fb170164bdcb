//! Building, and queries as a [`BroadPhase`].

use super::check;
use super::cost;
use super::lattice::{Lattice, Position};
use super::packing::{Packing, around_all};

use super::query::Answer;
use super::scratch::Scratch;
use super::structure::{HierarchicalHash, Node};
use crate::boxes::box_records::{GROUP, Record};
use crate::cells::cell_table::CellTable;
use crate::contract::BroadPhase;
use hashfall_core::Real;
use hashfall_core::Vec3;
use hashfall_core::geometry::Aabb;
use hashfall_core::simd::Isa;
use std::cell::Cell;

impl Default for HierarchicalHash {
    fn default() -> Self {
        let nowhere = Aabb::new(Vec3::zeros(), Vec3::zeros());
        let mut empty = HierarchicalHash {
            isa: Isa::current(),
            min_to_pack: cost::MIN_TO_PACK,
            bounds: Record::NOTHING,
            lattice: Lattice::new(&nowhere, 1.0),
            root_shift: 0,
            dense: None,
            table: CellTable::default(),
            roots: Vec::new(),
            nodes: Vec::new(),
            records: Vec::new(),
            everywhere: 0,
            blocks: Vec::new(),
            groups: Vec::new(),
            scratch: Scratch::default(),
            packing: Packing::default(),
        };
        empty.rebuild(&[], 1.0);
        empty
    }
}

#[cfg(test)]
impl HierarchicalHash {
    /// One that packs any boxes.
    pub(crate) fn packed() -> Self {
        HierarchicalHash { min_to_pack: 1, ..HierarchicalHash::default() }
    }
}

impl BroadPhase for HierarchicalHash {
    const IS_EXACT: bool = true;

    fn rebuild(&mut self, boxes: &[Aabb], smallest: Real) {
        crate::contract::assert_boxes(boxes);
        let around = around_all(boxes.iter().copied());
        let (bounds, covered) = if boxes.is_empty() {
            (Record::NOTHING, Aabb::new(Vec3::zeros(), Vec3::zeros()))
        } else {
            (Record::new(&around, 0, 0), around)
        };
        self.bounds = bounds;
        self.lattice = Lattice::new(&covered, smallest);
        if boxes.len() >= self.min_to_pack {
            let mut packing = std::mem::take(&mut self.packing);
            packing.pack(boxes, &around, &mut self.blocks, &mut self.groups);
            self.build(&packing.around_groups);
            self.packing = packing;
        } else {
            self.blocks.clear();
            self.groups.clear();
            self.build(boxes);
        }
    }

    #[inline]
    fn candidates(&self, query: &Aabb, visit: impl FnMut(u32)) {
        self.run(query, visit);
    }

    #[inline]
    fn candidates_of_all(&self, queries: &[Aabb], visit: impl FnMut(usize, u32)) {
        self.run_all(queries, visit);
    }

    fn examined(&self, query: &Aabb) -> usize {
        let count = Cell::new(0);
        let test = check::Counting(&count);
        if self.answer(test, query, |_| {}) == Answer::IsLarge {
            self.visit_all(test, query, |_| {});
        }
        count.get()
    }

    fn bytes(&self) -> usize {
        let records = self.records.len() - GROUP;
        records * size_of::<Record>()
            + self.nodes.len() * size_of::<Node>()
            + self.roots.len() * size_of::<Position>()
            + self.table.bytes()
            + size_of_val(&self.blocks[..])
            + size_of_val(&self.groups[..])
    }

    fn assert_well_formed(&self, boxes: &[Aabb]) {
        self.check(boxes);
    }
}
