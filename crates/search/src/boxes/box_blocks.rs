//! Boxes in blocks of sixteen neighbours: blocks find blocks, and boxes are tested in registers.
//!
//! In a mesh that touches itself each edge overlaps dozens of others. A query for each finds them
//! one by one, in cells or nodes that hold as many again in vain. Sixteen boxes that lie together
//! make a block here, so that a broad phase holds a sixteenth of them and is asked by as few; what
//! is near a block is near all that is in it, and is tested sixteen boxes at a time ([`Lanes`]).
//!
//! Blocks are of boxes that follow each other, so these should lie together: along Hilbert's curve
//! ([`hilbert_key`](crate::hilbert_key)). The order of the rest shape stays good however a mesh
//! deforms, as its parts stay next to each other.
//!
//! What is found comes in the order of the boxes, whatever the broad phase.

use super::box_index::BoxIndex;
use crate::choice::kinds::BroadPhaseKind;
use crate::contract::assert_boxes;
use crate::lanes::{self, BoxLanes, Isa, LANES, LaneWork, Lanes};
use hashfall_core::geometry::Aabb;
use hashfall_core::{Real, parallel};
use std::ops::Range;

/// Boxes in blocks.
#[derive(Clone, Debug, Default)]
pub struct BoxBlocks {
    /// How many boxes they hold.
    boxes: usize,
    blocks: Vec<Block>,
    /// Around each block.
    bounds: Vec<Aabb>,
}

/// Up to sixteen boxes, and others that overlap nothing.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub boxes: BoxLanes,
    pub objects: [u32; LANES],
}

/// Blocks in a broad phase.
#[derive(Debug)]
pub struct BlockIndex {
    kind: BroadPhaseKind,
    smallest: Real,
    blocks: BoxBlocks,
    index: Option<Box<dyn BoxIndex>>,
}

/// Memory of queries.
#[derive(Clone, Debug, Default)]
pub struct BlockQuery {
    near: Vec<u32>,
    /// Of the near blocks, in groups.
    bounds: Vec<Block>,
    found: Vec<u32>,
}

impl Block {
    /// Overlaps nothing, not even all of space.
    pub const EMPTY: Block = Block { boxes: [[Real::NAN; LANES]; 6], objects: [u32::MAX; LANES] };

    #[inline(always)]
    pub fn set(&mut self, lane: usize, b: &Aabb, object: u32) {
        for a in 0..3 {
            (self.boxes[a][lane], self.boxes[a + 3][lane]) = (b.min[a], b.max[a]);
        }
        self.objects[lane] = object;
    }

    /// The corners of a box.
    #[inline(always)]
    pub fn corners(&self, lane: usize) -> [[Real; 3]; 2] {
        [0, 3].map(|first| [0, 1, 2].map(|a| self.boxes[first + a][lane]))
    }
}

impl BoxBlocks {
    /// Takes boxes, each with its object; the same object may have several, one after another.
    ///
    /// # Panics
    /// If a box is not finite, or is empty.
    pub fn rebuild(&mut self, boxes: &[Aabb], objects: &[u32]) {
        assert_eq!(boxes.len(), objects.len());
        assert_boxes(boxes);
        self.boxes = boxes.len();
        let count = boxes.len().div_ceil(LANES);
        self.blocks.resize(count, Block::EMPTY);
        self.bounds.resize(count, Aabb::EMPTY);
        parallel::fill_both(&mut self.blocks, &mut self.bounds, |number, block, bounds| {
            (*block, *bounds) = (Block::EMPTY, Aabb::EMPTY);
            for (lane, k) in places(boxes.len(), number).enumerate() {
                block.set(lane, &boxes[k], objects[k]);
                *bounds = bounds.union(&boxes[k]);
            }
        });
    }

    /// The number of blocks.
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }
}

/// Which of a number of boxes are of a block.
fn places(boxes: usize, block: usize) -> Range<usize> {
    block * LANES..boxes.min((block + 1) * LANES)
}

impl BlockIndex {
    /// Without boxes. Blocks are expected to be as large as `smallest` \[m\], or a few times as
    /// large.
    pub fn new(kind: BroadPhaseKind, smallest: Real) -> Self {
        BlockIndex { kind, smallest, blocks: BoxBlocks::default(), index: None }
    }

    /// The boxes.
    pub fn blocks(&self) -> &BoxBlocks {
        &self.blocks
    }

    /// As [`BoxBlocks::rebuild`].
    ///
    /// # Panics
    /// If a box is not finite, or is empty.
    pub fn rebuild(&mut self, boxes: &[Aabb], objects: &[u32]) {
        self.blocks.rebuild(boxes, objects);
        match &mut self.index {
            Some(index) => index.renew(&mut self.blocks.bounds.iter().copied()),
            None => self.index = Some(self.kind.index(self.blocks.bounds.clone(), self.smallest)),
        }
    }

    /// Visits each object of a block with the objects here whose boxes overlap its own, in the
    /// order of the boxes: one that has several may come several times, one after another.
    #[inline]
    pub fn for_each_overlap(
        &self,
        asking: &BoxBlocks,
        block: usize,
        query: &mut BlockQuery,
        visit: impl FnMut(u32, &[u32]),
    ) {
        let Some(index) = &self.index else { return };
        index.overlapping(&asking.bounds[block], &mut query.near);
        self.join(asking, block, query, visit);
    }

    /// The same for a block here, with the objects of boxes that come after that of the object.
    #[inline]
    pub fn for_each_pair(
        &self,
        block: usize,
        query: &mut BlockQuery,
        mut visit: impl FnMut(u32, &[u32]),
    ) {
        let Some(index) = &self.index else { return };
        query.near.clear();
        index.add_overlapping(&self.blocks.bounds[block], &mut query.near);
        query.near.retain(|near| *near as usize >= block);
        query.near.sort_unstable();
        self.join(&self.blocks, block, query, |object, found| {
            // The first ones are of the same block, up to the object itself.
            let first = found.iter().take(LANES).position(|it| *it == object);
            visit(object, &found[first.map_or(0, |k| k + 1)..]);
        });
    }

    /// Tests the boxes of a block against those of the near ones.
    #[inline(always)]
    fn join(
        &self,
        asking: &BoxBlocks,
        block: usize,
        BlockQuery { near, bounds, found }: &mut BlockQuery,
        visit: impl FnMut(u32, &[u32]),
    ) {
        bounds.clear();
        for (k, &near) in near.iter().enumerate() {
            if k % LANES == 0 {
                bounds.push(Block::EMPTY);
            }
            if let Some(group) = bounds.last_mut() {
                group.set(k % LANES, &self.blocks.bounds[near as usize], near);
            }
        }
        // Sixteen are written where fewer may be kept.
        found.resize(found.len().max((near.len() + 1) * LANES), 0);
        let asking = (&asking.blocks[block], places(asking.boxes, block).len());
        let blocks = &self.blocks.blocks[..];
        lanes::run(Isa::current(), Join { asking, bounds, blocks, found, visit });
    }
}

/// Some boxes against those of blocks.
struct Join<'a, F> {
    /// A block, and how many boxes it has.
    asking: (&'a Block, usize),
    bounds: &'a [Block],
    blocks: &'a [Block],
    found: &'a mut [u32],
    visit: F,
}

impl<F: FnMut(u32, &[u32])> LaneWork for Join<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self, lanes: L) {
        let (asking, count) = self.asking;
        for lane in 0..count {
            let [low, high] = asking.corners(lane).map(Into::into);
            let mut kept = 0;
            for group in self.bounds {
                let mut near = lanes.overlapping(&group.boxes, &low, &high);
                while near != 0 {
                    let block =
                        &self.blocks[group.objects[near.trailing_zeros() as usize] as usize];
                    let hits = lanes.overlapping(&block.boxes, &low, &high);
                    let out = &mut self.found[kept..kept + LANES];
                    // SAFETY: sixteen objects can be read, and written.
                    unsafe {
                        let objects = lanes.load_places(block.objects.as_ptr());
                        lanes.push_places(hits, objects, out.as_mut_ptr());
                    }
                    kept += hits.count_ones() as usize;
                    near &= near - 1;
                }
            }
            (self.visit)(asking.objects[lane], &self.found[..kept]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract_tests::boxes::box_sets;
    use hashfall_core::geometry::random::Random;

    #[test]
    fn blocks_find_what_brute_force_finds_in_the_order_of_the_boxes() {
        let mut random = Random::new(5);
        for (name, boxes) in box_sets() {
            // Objects with up to three boxes.
            let mut object = 0;
            let objects: Vec<u32> = boxes
                .iter()
                .map(|_| {
                    object += u32::from(random.number(0.0, 1.0) < 0.6);
                    object
                })
                .collect();
            let mut expected = vec![];
            for (a, &asking) in boxes.iter().zip(&objects) {
                let hits = boxes.iter().zip(&objects).filter(|(b, _)| a.overlaps(b));
                expected.extend(hits.map(|(_, object)| [asking, *object]));
            }
            let mut pairs = vec![];
            for (k, a) in (0..).zip(&boxes) {
                let later = (k + 1..).zip(&boxes[k as usize + 1..]);
                pairs.extend(later.filter(|(_, b)| a.overlaps(b)).map(|(other, _)| [k, other]));
            }
            for kind in BroadPhaseKind::ALL {
                let mut index = BlockIndex::new(kind, 0.1);
                // Other boxes before: memory is used again.
                index.rebuild(&boxes[boxes.len() / 2..], &objects[boxes.len() / 2..]);
                index.rebuild(&boxes, &objects);
                let (mut query, mut found) = (BlockQuery::default(), vec![]);
                for block in 0..index.blocks().len() {
                    index.for_each_overlap(index.blocks(), block, &mut query, |a, all| {
                        found.extend(all.iter().map(|b| [a, *b]));
                    });
                }
                assert_eq!(found, expected, "{kind:?}: {name}");
                // Each box an object.
                let numbers: Vec<u32> = (0..boxes.len() as u32).collect();
                index.rebuild(&boxes, &numbers);
                found.clear();
                for block in 0..index.blocks().len() {
                    index.for_each_pair(block, &mut query, |a, all| {
                        found.extend(all.iter().map(|b| [a, *b]));
                    });
                }
                assert_eq!(found, pairs, "{kind:?}: {name}");
            }
        }
    }
}
