//! Building the cells: objects are dealt to the roots, then down, a level at a time.

use super::cost::{self, DOUBLINGS_PER_LEVEL};
use super::lattice::{Footprint, Position, coarsened};
use super::scratch::{Level, Scratch};
use super::structure::{HierarchicalHash, Node};
use crate::boxes::box_records::{GROUP, Record};
use crate::cells::cell_table::hash;
use crate::lanes::{BoxLanes, LANES};
use hashfall_core::cell::Cell;
use hashfall_core::geometry::Aabb;

impl Level {
    fn clear(&mut self) {
        self.cells.clear();
        self.objects.clear();
        self.starts.clear();
        self.starts.push(0);
    }

    fn objects_of(&self, cell: usize) -> &[u32] {
        &self.objects[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }
}

impl HierarchicalHash {
    /// Makes all nodes and records, on the lattice that covers the boxes.
    pub(crate) fn build(&mut self, boxes: &[Aabb]) {
        let mut scratch = std::mem::take(&mut self.scratch);
        let lattice = &self.lattice;
        scratch.footprints.clear();
        scratch.footprints.extend(boxes.iter().map(|b| lattice.extended_footprint(b)));
        let around_blocks =
            (0..self.blocks.len()).map(|k| box_of(&self.groups[k / LANES], k % LANES));
        scratch.of_blocks.clear();
        scratch.of_blocks.extend(around_blocks.map(|b| lattice.extended_footprint(&b)));
        self.root_shift = cost::root_shift(&scratch.footprints, lattice.last());
        let lowest = |f: &Footprint| cost::lowest_shift(f, self.root_shift) as u8;
        scratch.lowest.clear();
        scratch.lowest.extend(scratch.footprints.iter().map(lowest));

        self.nodes.clear();
        self.records.clear();
        self.deal_to_roots(boxes, &mut scratch);
        let mut shift = self.root_shift;
        loop {
            scratch.below.clear();
            // Nodes of a level follow each other, and those of the level below follow them.
            let first_below = self.nodes.len() + scratch.level.cells.len();
            for cell in 0..scratch.level.cells.len() {
                self.make_node(boxes, cell, shift, first_below, &mut scratch);
            }
            if scratch.below.cells.is_empty() {
                break;
            }
            std::mem::swap(&mut scratch.level, &mut scratch.below);
            shift -= DOUBLINGS_PER_LEVEL;
        }
        let first_record = self.records.len() as u32;
        self.nodes.push(Node { subcells: 0, occupied: 0, first_child: 0, first_record });
        // So that a whole group can be read from any record on.
        self.records.extend([Record::NOTHING; GROUP]);
        self.scratch = scratch;
    }

    /// Numbers the root cells, and enters each object in those that it touches or, if they are too
    /// many, in all of space.
    fn deal_to_roots(&mut self, boxes: &[Aabb], scratch: &mut Scratch) {
        let shift = self.root_shift;
        let edges = coarsened(self.lattice.last(), shift).map(|l| l + 1);
        let all: f64 = edges.iter().map(|&e| f64::from(e)).product();
        self.dense = cost::can_be_dense(all, boxes.len()).then_some(edges);
        self.roots.clear();
        self.table.clear();
        if self.dense.is_some() {
            let all = Footprint { low: [0; 3], high: edges.map(|e| e - 1) };
            all.for_each(|cell| self.roots.push(cell));
        }
        scratch.in_root.clear();
        for (object, footprint) in (0..).zip(&scratch.footprints) {
            if cost::is_everywhere(footprint, shift) {
                self.records.push(Record::new(&boxes[object as usize], object, 0));
                continue;
            }
            footprint.coarsened(shift).for_each(|cell| {
                scratch.in_root.push((self.root_or_new(cell), object));
            });
        }
        self.everywhere = self.records.len();
        let level = &mut scratch.level;
        level.clear();
        level.cells.extend(&self.roots);
        scratch.of_root.rebuild(self.roots.len(), &scratch.in_root);
        for root in 0..self.roots.len() as u32 {
            level.objects.extend(scratch.of_root.of(root));
            level.starts.push(level.objects.len() as u32);
        }
    }

    /// The number of a root cell; a table makes it if need be.
    fn root_or_new(&mut self, cell: Position) -> u32 {
        if let Some(edges) = self.dense {
            return cell[0] + edges[0] * (cell[1] + edges[1] * cell[2]);
        }
        let is_it = |number: u32| self.roots[number as usize] == cell;
        let (number, is_new) = self.table.find_or_insert(hash(signed(cell)), is_it);
        if is_new {
            self.roots.push(cell);
        }
        number
    }

    /// Makes the node of a cell: its objects stay here, or go down to subcells where that pays.
    fn make_node(
        &mut self,
        boxes: &[Aabb],
        number: usize,
        shift: u32,
        first_below: usize,
        scratch: &mut Scratch,
    ) {
        let Scratch { footprints, of_blocks, lowest, level, below, subcells, .. } = scratch;
        let (cell, objects) = (level.cells[number], level.objects_of(number));
        subcells.clear();
        let split = if shift >= DOUBLINGS_PER_LEVEL && objects.len() > 1 {
            let below_shift = shift - DOUBLINGS_PER_LEVEL;
            let last = self.lattice.last();
            let all = last.map(|l| (l >> below_shift).min(3) + 1).iter().product();
            subcells.extend(objects.iter().map(|&object| {
                let footprint = &footprints[object as usize];
                let touched = subcells_touched(&footprint.within(cell, shift), below_shift);
                let goes_down = u32::from(lowest[object as usize]) <= below_shift
                    && cost::is_worth_copying(touched.count_ones(), all);
                if goes_down { touched } else { 0 }
            }));
            let occupied = subcells.iter().fold(0, |all, touched| all | touched);
            let going_down = subcells.iter().filter(|&&touched| touched != 0);
            let spared = going_down.map(|touched| all - touched.count_ones()).sum();
            if cost::does_split_pay(spared, occupied.count_ones()) { occupied } else { 0 }
        } else {
            0
        };
        let stay = (0..objects.len()).filter(|&k| split == 0 || subcells[k] == 0);
        let stay = stay.map(|k| objects[k]);
        let occupied = if shift >= DOUBLINGS_PER_LEVEL && !of_blocks.is_empty() {
            let parts = stay.clone().flat_map(|group| of_group(group, of_blocks));
            let touched = parts.map(|part| part.subcells_touched_in(cell, shift));
            touched.fold(split, |all, touched| all | touched)
        } else {
            u64::MAX
        };
        self.nodes.push(Node {
            subcells: split,
            occupied,
            first_child: (first_below + below.cells.len()) as u32,
            first_record: self.records.len() as u32,
        });
        for object in stay {
            let begun_below = footprints[object as usize].axes_begun_below(cell, shift);
            self.records.push(Record::new(&boxes[object as usize], object, begun_below));
        }
        if split != 0 {
            below.deal(cell, split, objects, subcells);
        }
    }
}

impl Level {
    /// Adds the `split` subcells of a cell, and deals objects to the subcells that each touches.
    fn deal(&mut self, cell: Position, split: u64, objects: &[u32], subcells: &[u64]) {
        let mut ends = [0u32; 64];
        for &touched in subcells {
            for_each_bit(touched, |subcell| ends[subcell] += 1);
        }
        let mut end = self.objects.len() as u32;
        for_each_bit(split, |subcell| {
            end += std::mem::replace(&mut ends[subcell], end);
            self.cells.push(subcell_at(cell, subcell));
            self.starts.push(end);
        });
        self.objects.resize(end as usize, 0);
        for (&object, &touched) in objects.iter().zip(subcells) {
            for_each_bit(touched, |subcell| {
                self.objects[ends[subcell] as usize] = object;
                ends[subcell] += 1;
            });
        }
    }
}

/// The footprints of the blocks of a group.
#[inline(always)]
fn of_group(group: u32, of_blocks: &[Footprint]) -> &[Footprint] {
    let first = group as usize * LANES;
    &of_blocks[first..of_blocks.len().min(first + LANES)]
}

impl Footprint {
    /// The subcells, as bits, of the cell at `cell` of 2^`shift` finest cells that it touches.
    #[inline(always)]
    pub(crate) fn subcells_touched_in(&self, cell: Position, shift: u32) -> u64 {
        let part = self.within(cell, shift);
        let touches = (0..3).all(|a| part.low[a] <= part.high[a]);
        if touches { subcells_touched(&part, shift - DOUBLINGS_PER_LEVEL) } else { 0 }
    }
}

/// A box of sixteen.
pub(crate) fn box_of(boxes: &BoxLanes, lane: usize) -> Aabb {
    let [low, high] = [0, 3].map(|row| [0, 1, 2].map(|a| boxes[row + a][lane]).into());
    Aabb::new(low, high)
}

/// The position of the subcell that is bit `subcell` of its cell's node.
#[inline(always)]
pub(crate) fn subcell_at(cell: Position, subcell: usize) -> Position {
    std::array::from_fn(|a| (cell[a] << DOUBLINGS_PER_LEVEL) + (subcell as u32 >> (2 * a) & 3))
}

/// The subcells of 2^`shift` finest cells, as bits, that a footprint within their cell touches.
///
/// Bit x + 4y + 16z: on each axis the range of bits that a slab of subcells spans.
#[inline(always)]
pub(crate) fn subcells_touched(footprint: &Footprint, shift: u32) -> u64 {
    let [low, high] = [footprint.low, footprint.high].map(|p| p.map(|p| p >> shift & 3));
    let x = (0xf >> (3 - high[0])) & (0xf << low[0]);
    let y = (0xffff >> (12 - 4 * high[1])) & (0xffff << (4 * low[1]));
    let z = (u64::MAX >> (48 - 16 * high[2])) & (u64::MAX << (16 * low[2]));
    (x * 0x1111_1111_1111_1111) & (y * 0x0001_0001_0001_0001) & z
}

/// Visits the set bits, lowest first.
#[inline(always)]
pub(crate) fn for_each_bit(mut bits: u64, mut visit: impl FnMut(usize)) {
    while bits != 0 {
        visit(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

/// A position as the table hashes it.
#[inline(always)]
pub(crate) fn signed(cell: Position) -> Cell {
    cell.map(|c| c as i32)
}
