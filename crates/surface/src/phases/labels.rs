//! The label of each grid point: which fluid it belongs to.
//!
//! φₖ(x) is the sum over the particles of fluid k alone, so φ = Σₖ φₖ. A point with φ > iso belongs
//! to the fluid with the largest φₖ, the first of equal ones; any other point belongs to the air.
//!
//! Proofs about φ stay valid. A block that one fluid alone reaches belongs to it. Of the others, a
//! tile belongs to fluid a if all other fluids together are proved to stay below iso/2 there: at a
//! point inside, φₐ > iso − iso/2. Only the remaining tiles, about three deep along the interface,
//! are evaluated, fluid by fluid.

use crate::field::anisotropic_metric::{Anisotropic, Isotropic, Metric};
use crate::field::blocks::{Blocks, TilePlace};
use crate::field::cells::Cursor;
use crate::field::grid::{Grid, TILE_POINTS};
use crate::field::surroundings::Surroundings;
use crate::field::tile::{self, MARGIN, NearTile};
use crate::field::volume_fraction::Field;
use crate::phases::label::{AIR, Label};
use hashfall_core::simd::{Simd, WithSimd};
use hashfall_core::{Real, parallel};
use std::marker::PhantomData;

/// A tile's label, or from [`MIXED`] on the number of a tile with several.
type TileState = u32;
const MIXED: TileState = 1 << 8;

/// The labels of all tiles that are not outside.
pub(crate) struct Labels {
    chunks: Vec<LabelChunk>,
    /// The fluid of each block, if it is one.
    of_block: Vec<Option<Label>>,
    /// The chunk of each block, and its place there.
    places: Vec<(u32, u32)>,
    tiles: usize,
}

/// The labels of a chunk of blocks.
#[derive(Default)]
struct LabelChunk {
    /// All tiles of all blocks.
    states: Vec<TileState>,
    mixed: Vec<MixedTile>,
    /// The fluids in mixed tiles.
    fluids: Vec<FluidInTile>,
    of_block: Vec<Option<Label>>,
}

/// A tile with points of several fluids, inside or not.
struct MixedTile {
    labels: [Label; TILE_POINTS],
    /// Its fluids.
    first: u32,
    last: u32,
}

/// A fluid in a mixed tile.
struct FluidInTile {
    label: Label,
    /// A bit for each point that belongs to it.
    points: u64,
    field: [Real; TILE_POINTS],
}

/// The corners of a tile's cells that belong to a fluid: a word for each corner.
pub(crate) type FluidCorners = (Label, [u64; 8]);

impl Labels {
    /// Finds the label of each grid point inside.
    pub fn find(field: &Field, fluids: &[Field], blocks: &Blocks) -> Self {
        if field.cells.is_isotropic() {
            Labels::find_as::<Isotropic>(field, fluids, blocks)
        } else {
            Labels::find_as::<Anisotropic>(field, fluids, blocks)
        }
    }

    fn find_as<S: Metric>(field: &Field, fluids: &[Field], blocks: &Blocks) -> Self {
        let shape = PhantomData::<S>;
        let reached = |k: usize| fluids[k].cells.reached_blocks(&field.grid);
        let reached = parallel::map_pieces(fluids.len(), &reached);
        let reached = &reached;
        let find =
            |chunk| field.isa.run(FindLabels { field, fluids, reached, blocks, chunk, shape });
        let chunks = parallel::map_pieces(blocks.chunks.len(), &find);
        let of_block = chunks.iter().flat_map(|chunk| chunk.of_block.iter().copied()).collect();
        Labels { chunks, of_block, places: blocks.places.clone(), tiles: field.grid.tile_count() }
    }

    /// Whether all blocks that exist belong to the same fluid.
    #[inline(always)]
    pub fn are_of_one(&self, blocks: &[Option<u32>; 8]) -> bool {
        let mut labels = blocks.iter().flatten().map(|&block| self.of_block[block as usize]);
        let first = labels.next().flatten();
        first.is_some() && labels.all(|label| label == first)
    }

    /// The one label of all points inside some tiles, if it is one; given their inside bits.
    #[inline(always)]
    pub fn only_label(&self, places: &[Option<TilePlace>; 8], signs: &[u64; 8]) -> Option<Label> {
        let mut only = AIR;
        for (place, &signs) in places.iter().zip(signs) {
            let Some(place) = place.filter(|_| signs != 0) else { continue };
            let state = self.state(place).1;
            if state >= MIXED || (only != AIR && state != TileState::from(only)) {
                return None;
            }
            only = state as Label;
        }
        Some(only)
    }

    /// Lists the points of a tile and its upper neighbours that belong to each fluid, by fluid,
    /// given the inside bits.
    #[inline(always)]
    pub fn fluids(
        &self,
        places: &[Option<TilePlace>; 8],
        signs: &[u64; 8],
        fluids: &mut Vec<FluidCorners>,
    ) {
        fluids.clear();
        let mut add = |label: Label, tile: usize, points: u64| {
            let place = fluids.partition_point(|(other, _)| *other < label);
            if fluids.get(place).is_none_or(|(other, _)| *other != label) {
                fluids.insert(place, (label, [0; 8]));
            }
            fluids[place].1[tile] = points;
        };
        for (tile, (place, &signs)) in places.iter().zip(signs).enumerate() {
            let Some(place) = place.filter(|_| signs != 0) else { continue };
            let (chunk, state) = self.state(place);
            if state < MIXED {
                add(state as Label, tile, signs);
                continue;
            }
            let MixedTile { first, last, .. } = chunk.mixed(state);
            for fluid in &chunk.fluids[*first as usize..*last as usize] {
                if fluid.points & signs != 0 {
                    add(fluid.label, tile, fluid.points & signs);
                }
            }
        }
    }

    /// The fluid at a point of a tile that is inside.
    pub fn inside(&self, place: TilePlace, bit: usize) -> Label {
        match self.state(place) {
            (chunk, state) if state >= MIXED => chunk.mixed(state).labels[bit],
            (_, state) => state as Label,
        }
    }

    /// The field of a fluid at a point of a tile, if it was evaluated.
    pub fn value(&self, place: TilePlace, bit: usize, label: Label) -> Option<Real> {
        let (chunk, state) = self.state(place);
        if state < MIXED {
            return None;
        }
        let MixedTile { first, last, .. } = chunk.mixed(state);
        let mut fluids = chunk.fluids[*first as usize..*last as usize].iter();
        // A fluid that was left out does not reach the tile.
        Some(fluids.find(|fluid| fluid.label == label).map_or(0.0, |fluid| fluid.field[bit]))
    }

    #[inline(always)]
    fn state(&self, place: TilePlace) -> (&LabelChunk, TileState) {
        let (chunk, block) = self.places[place.block as usize];
        let chunk = &self.chunks[chunk as usize];
        (chunk, chunk.states[block as usize * self.tiles + place.tile as usize])
    }
}

impl LabelChunk {
    fn mixed(&self, state: TileState) -> &MixedTile {
        &self.mixed[(state - MIXED) as usize]
    }
}

/// Finds the labels of a chunk of blocks.
struct FindLabels<'a, S> {
    field: &'a Field<'a>,
    fluids: &'a [Field<'a>],
    /// The blocks that each fluid reaches.
    reached: &'a [Vec<u64>],
    blocks: &'a Blocks,
    chunk: usize,
    shape: PhantomData<S>,
}

/// A fluid near a block; buffers are reused.
struct FluidNearBlock<S: Metric> {
    around: Surroundings,
    near: NearTile<S>,
    cursor: Cursor,
    reaches: bool,
    /// What the fluid's field exceeds nowhere in a tile.
    bound: Real,
}

impl<S: Metric> WithSimd for FindLabels<'_, S> {
    type Output = LabelChunk;

    #[inline(always)]
    fn run<I: Simd>(self, on: I) -> LabelChunk {
        let new = |_: &Field| FluidNearBlock::<S> {
            around: Surroundings::default(),
            near: NearTile::default(),
            cursor: Cursor::default(),
            reaches: false,
            bound: 0.0,
        };
        let mut all: Vec<FluidNearBlock<S>> = self.fluids.iter().map(new).collect();
        let mut found = LabelChunk::default();
        let first = self.blocks.places.partition_point(|&(chunk, _)| (chunk as usize) < self.chunk);
        for (i, &key) in self.blocks.chunks[self.chunk].keys.iter().enumerate() {
            let block = (first + i) as u32;
            for (near, reached) in all.iter_mut().zip(self.reached) {
                near.reaches = near.cursor.find(reached, key).is_some();
            }
            let mut reaching = (1..).zip(&all).filter(|(_, near)| near.reaches);
            let only =
                reaching.next().map(|(label, _)| label).filter(|_| reaching.next().is_none());
            found.of_block.push(only);
            match only {
                Some(label) => {
                    let end = found.states.len() + self.field.grid.tile_count();
                    found.states.resize(end, TileState::from(label));
                }
                None => self.find_in_block(on, block, key, &mut all, &mut found),
            }
        }
        found
    }
}

impl<S: Metric> FindLabels<'_, S> {
    /// Finds the labels of a block that several fluids reach.
    #[inline(always)]
    fn find_in_block<I: Simd>(
        &self,
        on: I,
        block: u32,
        key: u64,
        all: &mut [FluidNearBlock<S>],
        found: &mut LabelChunk,
    ) {
        let grid = &self.field.grid;
        for (near, fluid) in all.iter_mut().zip(self.fluids).filter(|(near, _)| near.reaches) {
            near.around.gather(&fluid.cells, grid, key);
        }
        for tile in 0..grid.tile_count() {
            let signs = self.blocks.signs(Some(TilePlace { block, tile: tile as u32 }));
            let state = match signs {
                0 => TileState::from(AIR),
                _ => find_in_tile(on, grid, grid.tile_at(tile), all, found),
            };
            found.states.push(state);
        }
    }
}

/// The label of a tile with points inside, or all its labels.
#[inline(always)]
fn find_in_tile<I: Simd, S: Metric>(
    on: I,
    grid: &Grid,
    tile: [usize; 3],
    all: &mut [FluidNearBlock<S>],
    found: &mut LabelChunk,
) -> TileState {
    let (mut most, mut sum) = ((0.0, AIR), 0.0);
    for (label, fluid) in (1..).zip(all.iter_mut()) {
        fluid.bound = match fluid.reaches {
            true => tile::bound::<I, S>(on, grid, &fluid.around, tile, &mut fluid.near),
            false => 0.0,
        };
        sum += fluid.bound;
        if fluid.bound > most.0 {
            most = (fluid.bound, label);
        }
    }
    if sum - most.0 < 0.5 * grid.iso * (1.0 - MARGIN) {
        return most.1.into();
    }
    let first = found.fluids.len();
    for (label, fluid) in (1..).zip(all.iter()) {
        if fluid.bound > 0.0 && !fluid.near.is_empty() {
            let mut field = [0.0; TILE_POINTS];
            tile::sum_near(on, grid, tile, &fluid.near, &mut field);
            found.fluids.push(FluidInTile { label, points: 0, field });
        }
    }
    let fluids = &mut found.fluids[first..];
    let labels: [Label; TILE_POINTS] = std::array::from_fn(|bit| {
        let larger = |most: (Real, Label), FluidInTile { label, field, .. }: &FluidInTile| {
            if field[bit] > most.0 { (field[bit], *label) } else { most }
        };
        fluids.iter().fold((0.0, AIR), larger).1
    });
    for FluidInTile { label, points, .. } in fluids {
        let bit = |(bit, other): (usize, &Label)| u64::from(other == label) << bit;
        *points = labels.iter().enumerate().map(bit).fold(0, |bits, bit| bits | bit);
    }
    found.mixed.push(MixedTile { labels, first: first as u32, last: found.fluids.len() as u32 });
    MIXED + found.mixed.len() as TileState - 1
}
