//! The state of all blocks and tiles, and the neighbours of a block.
//!
//! A tile is outside, inside, or evaluated; evaluated tiles store the sign and value of each point.

use crate::field::cells::{Cursor, key_step};
use crate::field::grid::{Grid, TILE, TILE_POINTS};
use hashfall_core::Real;

/// The state of a tile: its number among the evaluated tiles of its chunk, or one of these.
pub(crate) type TileState = u32;
pub(crate) const OUTSIDE: TileState = TileState::MAX;
pub(crate) const INSIDE: TileState = TileState::MAX - 1;

/// Blocks with tiles that are not outside, by ascending key.
#[derive(Default)]
pub(crate) struct Chunk {
    pub keys: Vec<u64>,
    /// All tiles of all blocks.
    pub states: Vec<TileState>,
    /// Evaluated tiles: a bit for each point, whether it is inside; x lowest, then y, then z.
    pub signs: Vec<u64>,
    /// Their values, in the same order.
    pub values: Vec<[Real; TILE_POINTS]>,
}

/// A tile in the list of all blocks.
#[derive(Clone, Copy)]
pub(crate) struct TilePlace {
    pub block: u32,
    pub tile: u32,
}

/// All blocks with points inside, or near some.
pub(crate) struct Blocks {
    /// By ascending key.
    pub chunks: Vec<Chunk>,
    /// The keys of all chunks.
    pub keys: Vec<u64>,
    /// The chunk of each block, and its place there.
    pub places: Vec<(u32, u32)>,
    /// Whether all tiles of each block are inside.
    pub is_inside: Vec<bool>,
    pub tiles: usize,
}

impl Chunk {
    /// Frees unused capacity.
    pub fn shrink(&mut self) {
        self.keys.shrink_to_fit();
        self.states.shrink_to_fit();
        self.signs.shrink_to_fit();
        self.values.shrink_to_fit();
    }

    /// Forgets the values, which take the most memory.
    pub fn drop_values(&mut self) {
        self.values = Vec::new();
    }
}

impl Blocks {
    /// The inside bits of a tile; of none, zero.
    #[inline(always)]
    pub fn signs(&self, place: Option<TilePlace>) -> u64 {
        let Some(TilePlace { block, tile }) = place else { return 0 };
        let (chunk, block) = self.places[block as usize];
        let chunk = &self.chunks[chunk as usize];
        match chunk.states[block as usize * self.tiles + tile as usize] {
            OUTSIDE => 0,
            INSIDE => u64::MAX,
            evaluated => chunk.signs[evaluated as usize],
        }
    }

    /// The values of a tile, if it was evaluated.
    #[inline(always)]
    pub fn values(&self, place: TilePlace) -> Option<&[Real; TILE_POINTS]> {
        let (chunk, block) = self.places[place.block as usize];
        let chunk = &self.chunks[chunk as usize];
        let state = chunk.states[block as usize * self.tiles + place.tile as usize];
        chunk.values.get(state as usize)
    }
}

/// Finds the blocks above a block, fastest for ascending ones.
#[derive(Default)]
pub(crate) struct UpperBlocks {
    cursors: [Cursor; 8],
    /// The block and its seven upper neighbours: bit 0, 1, 2 of the place say whether it lies one
    /// further along x, y, z.
    pub blocks: [Option<u32>; 8],
}

impl UpperBlocks {
    /// Moves to a block.
    pub fn update(&mut self, keys: &[u64], key: u64) {
        for (corner, (cursor, block)) in self.cursors.iter_mut().zip(&mut self.blocks).enumerate() {
            let step = key_step([0, 1, 2].map(|a| (corner >> a & 1) as i32));
            *block = cursor.find(keys, key.wrapping_add(step)).map(|i| i as u32);
        }
    }

    /// The tile of the block at `tile` and its seven upper neighbours, in the same order.
    #[inline(always)]
    pub fn tiles(&self, grid: &Grid, tile: [usize; 3]) -> [Option<TilePlace>; 8] {
        let mut places = [None; 8];
        for (corner, place) in places.iter_mut().enumerate() {
            let mut at = tile;
            let mut block = 0;
            for (a, i) in at.iter_mut().enumerate() {
                *i += corner >> a & 1;
                if *i == grid.tiles {
                    *i = 0;
                    block |= 1 << a;
                }
            }
            let tile = grid.tile_index(at) as u32;
            *place = self.blocks[block].map(|block| TilePlace { block, tile });
        }
        places
    }
}

/// The point of a tile at a place in its bits and values.
#[inline(always)]
pub(crate) fn tile_point(bit: usize) -> [usize; 3] {
    [bit % TILE, bit / TILE % TILE, bit / (TILE * TILE)]
}
