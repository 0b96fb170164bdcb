//! Packing: boxes that lie together share a block of sixteen, and the cells hold blocks.
//!
//! Boxes are sorted by the places of their centres along Hilbert's curve, whose runs are compact,
//! and each sixteen that follow each other make a block. A box much larger than the block that its
//! neighbours would make alone is left for the next round, where it meets others of its size: so
//! sizes part by themselves, with no classes that could cut a mesh in two. The sort is a radix sort
//! of cells some steps finer than boxes are apart on average; the few that share a cell with more
//! than a block of others, as where one box is far from all, are sorted by cells of their own.

use crate::boxes::box_blocks::Block;
use crate::cells::hilbert_cells::place_of_cell;
use crate::cells::radix_sort::RadixSort;
use crate::lanes::{BoxLanes, LANES};
use hashfall_core::geometry::Aabb;
use hashfall_core::{Real, Vec3};

/// The most bits of a coordinate on the curve; even, as its table wants.
const MAX_BITS: u32 = 20;

/// In sizes of the block that they would make alone: boxes that join it are no larger.
const MAX_SIZE: Real = 2.0;

/// A block with fewer boxes waits for more, while others come.
const FULL: usize = 12;

/// In the last round boxes of any size share blocks.
const ROUNDS: usize = 16;

/// Blocks, and the memory that making them takes.
#[derive(Debug, Default)]
pub(super) struct Packing {
    sort: RadixSort,
    order: Vec<u32>,
    /// Those that are left for the next round.
    larger: Vec<u32>,
    /// Around each group.
    pub around_groups: Vec<Aabb>,
}

/// Memory is not worth copying.
impl Clone for Packing {
    fn clone(&self) -> Self {
        Packing::default()
    }
}

/// Cells of the curve over a box.
struct Frame {
    /// Half of the lowest corner: twice as large a number might be infinite.
    half_low: Vec3,
    /// Cells in a unit of half a coordinate.
    scale: Real,
    bits: u32,
}

impl Frame {
    fn new(around: &Aabb, bits: u32) -> Self {
        let half_extent = (around.max * 0.5 - around.min * 0.5).max();
        let scale = (1u64 << bits) as Real / half_extent;
        Frame { half_low: around.min * 0.5, scale, bits }
    }

    /// The place of a point on the curve.
    #[inline(always)]
    fn place(&self, point: &Vec3) -> u64 {
        let last = (1 << self.bits) - 1;
        // What is no number, as in a frame of no extent, counts as 0.
        let cell = (point * 0.5 - self.half_low) * self.scale;
        place_of_cell([cell.x, cell.y, cell.z].map(|c| (c as u32).min(last)), self.bits)
    }
}

/// The middle of a box; halves are added, as the sum might be infinite.
#[inline(always)]
fn centre(b: &Aabb) -> Vec3 {
    b.min * 0.5 + b.max * 0.5
}

/// Half of the longest edge.
#[inline(always)]
fn size(b: &Aabb) -> Real {
    (b.max * 0.5 - b.min * 0.5).max()
}

impl Packing {
    /// Puts the boxes, which lie in `around`, into blocks, and these into groups.
    pub fn pack(
        &mut self,
        boxes: &[Aabb],
        around: &Aabb,
        blocks: &mut Vec<Block>,
        groups: &mut Vec<BoxLanes>,
    ) {
        self.sort_along_curve(boxes, around);
        blocks.clear();
        groups.clear();
        self.around_groups.clear();
        for round in 1..=ROUNDS {
            self.larger.clear();
            let mut open = [0; LANES];
            let mut filled = 0;
            for k in 0..self.order.len() {
                open[filled] = self.order[k];
                filled += 1;
                if filled == LANES {
                    filled = self.part(boxes, &mut open, round);
                    if filled >= FULL {
                        self.push(boxes, &open[..filled], blocks, groups);
                        filled = 0;
                    }
                }
            }
            if filled > 0 {
                self.push(boxes, &open[..filled], blocks, groups);
            }
            std::mem::swap(&mut self.order, &mut self.larger);
            if self.order.is_empty() {
                break;
            }
        }
    }

    /// Puts the numbers of the boxes in the order of the curve.
    fn sort_along_curve(&mut self, boxes: &[Aabb], around: &Aabb) {
        let doublings = usize::BITS - boxes.len().leading_zeros();
        let frame = Frame::new(around, (doublings / 2 + 4).next_multiple_of(2).min(MAX_BITS));
        self.sort.sort_by_key(boxes.len(), 3 * frame.bits, |k| frame.place(&centre(&boxes[k])));
        self.order.clear();
        self.order.extend((0..boxes.len()).map(|place| self.sort.item(place)));
        let mut first = 0;
        while first < boxes.len() {
            let key = self.sort.key(first);
            let same = (first..boxes.len()).take_while(|&place| self.sort.key(place) == key);
            let end = first + same.count();
            if end - first > LANES {
                sort_within(boxes, &mut self.order[first..end]);
            }
            first = end;
        }
    }

    /// Leaves boxes that are too large to the next round, if there is one; the others come first in
    /// `open`. Returns their number.
    fn part(&mut self, boxes: &[Aabb], open: &mut [u32; LANES], round: usize) -> usize {
        if round == ROUNDS {
            return LANES;
        }
        let around = around_centres(boxes, open);
        let sizes = open.map(|k| size(&boxes[k as usize]));
        let mean = sizes.iter().fold(0.0, |sum, size| sum + size / LANES as Real);
        let limit = MAX_SIZE * (size(&around) + mean);
        let mut kept = 0;
        for (k, size) in sizes.into_iter().enumerate() {
            if size > limit {
                self.larger.push(open[k]);
            } else {
                open[kept] = open[k];
                kept += 1;
            }
        }
        kept
    }

    /// Makes a block of these objects, the next of its group.
    fn push(
        &mut self,
        boxes: &[Aabb],
        objects: &[u32],
        blocks: &mut Vec<Block>,
        groups: &mut Vec<BoxLanes>,
    ) {
        let mut block = Block::EMPTY;
        for (lane, &object) in objects.iter().enumerate() {
            block.set(lane, &boxes[object as usize], object);
        }
        let bounds = around_all(objects.iter().map(|&k| boxes[k as usize]));
        let lane = blocks.len() % LANES;
        blocks.push(block);
        if lane == 0 {
            groups.push(Block::EMPTY.boxes);
            self.around_groups.push(Aabb::EMPTY);
        }
        if let (Some(group), Some(around)) = (groups.last_mut(), self.around_groups.last_mut()) {
            for a in 0..3 {
                (group[a][lane], group[a + 3][lane]) = (bounds.min[a], bounds.max[a]);
            }
            *around = around.union(&bounds);
        }
    }
}

/// Around the middles of some boxes.
fn around_centres(boxes: &[Aabb], objects: &[u32]) -> Aabb {
    let centres = objects.iter().map(|&k| centre(&boxes[k as usize]));
    around_all(centres.map(|c| Aabb::new(c, c)))
}

/// Around boxes of numbers: so no comparison need ask whether they are, as [`Aabb::union`] does.
pub(super) fn around_all(boxes: impl Iterator<Item = Aabb>) -> Aabb {
    let mut all = Aabb::EMPTY;
    for b in boxes {
        for a in 0..3 {
            all.min[a] = if b.min[a] < all.min[a] { b.min[a] } else { all.min[a] };
            all.max[a] = if b.max[a] > all.max[a] { b.max[a] } else { all.max[a] };
        }
    }
    all
}

/// Sorts boxes that share a cell along a curve through no more than them.
fn sort_within(boxes: &[Aabb], objects: &mut [u32]) {
    let frame = Frame::new(&around_centres(boxes, objects), MAX_BITS);
    objects.sort_by_cached_key(|&k| frame.place(&centre(&boxes[k as usize])));
}
