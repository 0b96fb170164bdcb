//! Memory that loops over pairs ask for before they read it.

use crate::step::pairs::pair_data::Block;
use hashfall_core::simd::prefetch;
use hashfall_search::ChunkLists;

/// Particles by which memory is asked ahead; lists, which tell for what else to ask, by two times.
const AHEAD: usize = 8;

/// Asks for what a loop at the chunk's place `k` reads some particles later.
#[inline(always)]
pub fn ask_ahead(lists: &ChunkLists, blocks: &[&[Block]], k: usize) {
    lists.prefetch(k + 2 * AHEAD);
    // Of a particle's neighbours the last stand farthest from all that was read before.
    if let Some(last) = lists.last_neighbor(k + AHEAD) {
        blocks.iter().for_each(|block| prefetch(block, last as usize));
    }
}
