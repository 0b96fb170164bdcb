//! Parallel loops whose results do not depend on the number of threads.
//!
//! Each item is computed on its own, and sums are in fixed point ([`crate::fixed_sum`]): the same
//! bits for one thread and for sixty-four, for any split and any order of the items. Other folds go
//! over fixed chunks in order.
//!
//! All loops run on one that knows only the numbers of its tasks ([`for_each`]), with an indirect
//! call for each task: so the loop, which is large, is compiled once, not for each place that uses
//! it. What is generic here is small.

mod buffers;
mod driver;
mod fill;
mod find;
mod fold;
mod map;
mod parts;
mod sum;
#[cfg(any(test, feature = "testing"))]
mod testing;

pub use buffers::Buffers;
pub use driver::{CHUNK, for_each, for_ranges, inside_pool, join, together};
pub use fill::{fill, fill_both, fill_by, fill_chunks, fill_chunks_with, fill_pieces};
pub use find::{any, any_by, find_first, find_first_by};
pub use fold::{fold, max, reduce};
pub use map::{extend, filter_map, flat_map, map, map_by, map_parts, map_pieces};
pub use parts::{Parts, chunks, chunks_mut, for_parts, items_mut};
pub use sum::{sum, sum_within};
#[cfg(any(test, feature = "testing"))]
pub use testing::with_threads;
