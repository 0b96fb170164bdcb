//! Compact neighbour lists: a bit for each candidate instead of a number for each neighbour.
//!
//! The candidates of a point are the blocks of up to 16 consecutive places around its cell. All
//! points of a cell share them, so a list is a 16-bit mask for each block: less than two bytes a
//! neighbour where lists of numbers take four. A sum over neighbours streams through the blocks'
//! positions, which stand side by side, and needs no gathering ([`CompactLists::sum`]); where a sum
//! is costly for each lane, numbers are better, as most lanes of a block are not neighbours.

use crate::cells::rows::{Run, Sweep};
use crate::lanes::{self, LANES, LaneWork, Lanes};
use crate::points::sorted_cells::SortedCells;
use hashfall_core::parallel::{self, CHUNK};
use hashfall_core::simd::{Simd, WithSimd, sum_lanes};
use hashfall_core::{Real, Vec3};
use std::cell::RefCell;

/// Neighbours of the points of [`SortedCells`], by place.
#[derive(Clone, Debug, Default)]
pub struct CompactLists {
    chunks: Vec<CompactChunk>,
    places: usize,
}

/// The lists of a chunk of places.
#[derive(Clone, Debug, Default)]
struct CompactChunk {
    cells: Vec<CellMasks>,
    /// The first place of each block, for each cell.
    blocks: Vec<u32>,
    /// For each place of a cell a mask for each of the cell's blocks.
    masks: Vec<u16>,
}

/// Where the lists of the places of a cell stand.
#[derive(Clone, Copy, Debug)]
struct CellMasks {
    first_place: u32,
    end_place: u32,
    first_block: u32,
    first_mask: u32,
}

/// Up to 16 places in a row: the first, and the bits of those that count.
#[derive(Clone, Copy, Debug, Default)]
struct Block {
    first: u32,
    mask: u32,
}

/// The blocks of the nine runs around a cell.
#[derive(Debug, Default)]
struct Blocks {
    blocks: Vec<Block>,
    /// Number of the first block of the middle row, and its first place.
    own: (usize, u32),
}

impl Blocks {
    fn cut(&mut self, runs: &[Run; 9]) {
        self.blocks.clear();
        for (row, run) in runs.iter().enumerate() {
            if row == 4 {
                self.own = (self.blocks.len(), run.first);
            }
            for first in (run.first..run.end).step_by(LANES) {
                let count = (run.end - first).min(LANES as u32);
                self.blocks.push(Block { first, mask: (1 << count) - 1 });
            }
        }
    }

    fn list(&self) -> &[Block] {
        &self.blocks
    }

    /// Calls `work` with the blocks as a place of the cell itself sees them: without itself.
    #[inline(always)]
    fn without(&mut self, place: u32, work: impl FnOnce(&[Block])) {
        let (block, first) = self.own;
        let block = block + (place - first) as usize / LANES;
        let bit = 1 << ((place - first) as usize % LANES);
        self.blocks[block].mask ^= bit;
        work(&self.blocks);
        self.blocks[block].mask ^= bit;
    }
}

thread_local! {
    /// Kept between chunks, so that they cost no memory of their own.
    static BLOCKS: RefCell<Blocks> = RefCell::default();
}

impl CompactLists {
    /// Finds the neighbours of each point of `cells`: those closer than `support_radius` \[m\], for
    /// which the cells are built, without the point itself.
    pub fn build(&mut self, cells: &SortedCells, support_radius: Real) {
        self.places = cells.len();
        self.chunks.resize_with(self.places.div_ceil(CHUNK), CompactChunk::default);
        let limit = support_radius * support_radius;
        parallel::fill_pieces(&mut self.chunks, &|chunk, out| {
            lanes::run(cells.isa(), MaskPlaces { cells, chunk, limit, out });
        });
    }

    /// Directed pairs.
    pub fn pairs(&self) -> usize {
        let ones = |mask: &u16| mask.count_ones() as usize;
        let of_chunk = |k: usize| self.chunks[k].masks.iter().map(ones).sum::<usize>();
        parallel::map(self.chunks.len(), of_chunk).into_iter().sum()
    }

    /// The places of the neighbours of the point at a place, ascending.
    pub fn of(&self, place: usize) -> impl Iterator<Item = u32> {
        let chunk = &self.chunks[place / CHUNK];
        let at = chunk.cells.partition_point(|cell| cell.end_place as usize <= place);
        let (blocks, masks) = chunk.lists(at, place as u32);
        let is_set = |mask: u16| move |l: &u32| mask >> l & 1 == 1;
        blocks.iter().zip(masks).flat_map(move |(&first, &mask)| {
            (0..LANES as u32).filter(is_set(mask)).map(move |l| first + l)
        })
    }

    /// For each place the sum of `of_square` over the squared distances of its neighbours, on 16
    /// lanes that are added by a fixed tree. `cells` are those that the lists are built from.
    ///
    /// # Panics
    /// Unless cells and sums are as many as the places.
    pub fn sum(
        &self,
        cells: &SortedCells,
        of_square: impl Fn(Real) -> Real + Copy + Sync,
        out: &mut [Real],
    ) {
        assert_eq!(
            (cells.len(), out.len()),
            (self.places, self.places),
            "cells and sums of places"
        );
        parallel::fill_chunks(out, &|chunk, out| {
            let lists = &self.chunks[chunk];
            cells.isa().run(SumChunk { cells, lists, of_square, out });
        });
    }

    /// Memory in use \[bytes\].
    pub fn bytes(&self) -> usize {
        let of_chunk = |chunk: &CompactChunk| {
            size_of::<CellMasks>() * chunk.cells.capacity()
                + size_of::<u32>() * chunk.blocks.capacity()
                + size_of::<u16>() * chunk.masks.capacity()
        };
        self.chunks.iter().map(of_chunk).sum::<usize>() + size_of_val(&self.chunks[..])
    }
}

impl CompactChunk {
    /// Room for more masks; in small steps, so that little is left over for good.
    fn make_room(&mut self, masks: usize) {
        if self.masks.capacity() < self.masks.len() + masks {
            self.masks.reserve_exact(masks + self.masks.len() / 16);
        }
    }

    /// The blocks of a cell, and the masks of one of its places.
    #[inline(always)]
    fn lists(&self, cell: usize, place: u32) -> (&[u32], &[u16]) {
        let CellMasks { first_place, first_block, first_mask, .. } = self.cells[cell];
        let end =
            self.cells.get(cell + 1).map_or(self.blocks.len(), |next| next.first_block as usize);
        let blocks = &self.blocks[first_block as usize..end];
        let first = first_mask as usize + (place - first_place) as usize * blocks.len();
        (blocks, &self.masks[first..first + blocks.len()])
    }
}

/// Makes the lists of a chunk.
struct MaskPlaces<'a> {
    cells: &'a SortedCells,
    chunk: usize,
    limit: Real,
    out: &'a mut CompactChunk,
}

impl LaneWork for MaskPlaces<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let MaskPlaces { cells, chunk, limit, out } = self;
        let (first, end) = (chunk * CHUNK, cells.len().min((chunk + 1) * CHUNK));
        out.cells.clear();
        out.blocks.clear();
        out.masks.clear();
        let positions = cells.positions().axes();
        let mut blocks = BLOCKS.take();
        let mut sweep = Sweep::from(cells.occupied(), first as u32);
        while let Some((places, around)) = sweep.next_cell(end as u32) {
            blocks.cut(around.runs());
            out.cells.push(CellMasks {
                first_place: places.start,
                end_place: places.end,
                first_block: out.blocks.len() as u32,
                first_mask: u32::try_from(out.masks.len()).expect("masks of a chunk fit 32 bits"),
            });
            out.blocks.extend(blocks.list().iter().map(|block| block.first));
            out.make_room(places.len() * blocks.list().len());
            for place in places {
                let at = cells.positions().at(place as usize);
                blocks.without(place, |blocks| {
                    out.masks.extend(blocks.iter().map(|block| {
                        // SAFETY: a block starts at a point.
                        unsafe {
                            let squares = lanes.squares(positions.load(lanes, block.first), &at);
                            lanes.below(squares, limit, block.mask) as u16
                        }
                    }));
                });
            }
        }
        BLOCKS.set(blocks);
    }
}

/// Sums over the neighbours of a chunk.
struct SumChunk<'a, F> {
    cells: &'a SortedCells,
    lists: &'a CompactChunk,
    of_square: F,
    out: &'a mut [Real],
}

impl<F: Fn(Real) -> Real + Copy> WithSimd for SumChunk<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<I: Simd>(self, _: I) {
        let SumChunk { cells, lists, of_square, out } = self;
        let mut sums_of_places = out.iter_mut();
        for (number, cell) in lists.cells.iter().enumerate() {
            let places = cell.first_place..cell.end_place;
            for (place, sum_of_place) in places.zip(&mut sums_of_places) {
                let at = cells.positions().at(place as usize);
                let (blocks, masks) = lists.lists(number, place);
                let mut sums = [0.0; LANES];
                for (&first, &mask) in blocks.iter().zip(masks) {
                    let [x, y, z] = cells.positions().block(first as usize);
                    for l in 0..LANES {
                        let apart = at - Vec3::new(x[l], y[l], z[l]);
                        let value = of_square(apart.norm_squared());
                        sums[l] += if mask >> l & 1 == 1 { value } else { 0.0 };
                    }
                }
                *sum_of_place = sum_lanes(sums);
            }
        }
    }
}
