//! Loops over pairs prefetch what they read some particles later.

use crate::step::pairs::pair_data::Block;
use hashfall_core::simd::prefetch;
use hashfall_search::ChunkLists;

/// Particles by which rows are prefetched; lists, which tell which rows those are, by two times.
const DISTANCE: usize = 8;

/// Prefetches what a loop at the chunk's place `k` reads some particles later.
#[inline(always)]
pub fn prefetch_ahead(lists: &ChunkLists, blocks: &[&[Block]], k: usize) {
    lists.prefetch(k + 2 * DISTANCE);
    // Of a particle's neighbours the last stand farthest from all that was read before.
    if let Some(last) = lists.last_neighbor(k + DISTANCE) {
        blocks.iter().for_each(|block| prefetch(block, last as usize));
    }
}
