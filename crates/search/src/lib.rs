//! Who is near whom: structures of the papers and of our own, behind three small contracts.
//!
//! - [`NeighborSearch`]: points near a point, for the sums of the fluid.
//! - [`BroadPhase`]: boxes near a box, for collisions with solids.
//! - [`PairSearch`]: pairs of boxes that overlap, for collisions of many bodies.
//!
//! A search proposes candidates, and one test for each contract decides: [`ChunkLists`] owns that
//! of the radius, [`for_each_overlap`] that of the boxes. Some make the test themselves, to the
//! same bits: [`SortedCells`] and [`CompactLists`] many points at a time, [`InsertionHash`] as it
//! enters them, and the broad phases that keep boxes and are [`IS_EXACT`](BroadPhase::IS_EXACT),
//! with all structures for pairs that are. Brute force is a sibling and the oracle
//! of every other structure. Knows points, boxes and numbers, nothing of fluids.
//!
//! # Rounding
//!
//! Cells of size h come from rounded quotients, `⌊fl(x/h)⌋`, and still the 27 cells around a point
//! hold all its neighbours: if the cells of x < y differ by two or more, then y − x ≥ h. For there
//! is an n with fl(x/h) < n − 1 and fl(y/h) ≥ n, so x/h ≤ n − 1 − δ′ and y/h ≥ n − δ, where δ′ and
//! δ are half the spacing of floats just below n − 1 and n. Where δ ≤ δ′ this settles it. Else
//! - n = 1: then x < 0, and fl(y/h) ≥ 1 only if y ≥ h; or
//! - n − 1 = 2ᵏ: h is no power of two, as quotients would be exact. Let u be the spacing of floats
//!   at 2ᵏh: x ≤ 2ᵏh − u, and δh < u. Were y − x < h, then y < (2ᵏ + 1)h − u < (n − δ)h.

mod boxes;
mod brute;
mod cells;
mod choice;
mod contract;
#[cfg(test)]
mod contract_tests;
mod lanes;
mod lists;
mod pairs;
mod points;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use boxes::box_index::BoxIndex;
pub use boxes::box_kd_tree::BoxKdTree;
pub use boxes::bvh::Bvh;
pub use boxes::dynamic_hash::DynamicHierarchicalHash;
pub use boxes::fixed_hash::{FixedHash, FixedHierarchicalHash, FixedMultilevelHash};
pub use boxes::hierarchical_hash::HierarchicalHash;
pub use boxes::multilevel_hash::MultilevelHash;
pub use boxes::plain_hierarchical_hash::PlainHierarchicalHash;
pub use boxes::triangle_raster::{TriangleRaster, mean_edge};
pub use boxes::uniform_box_hash::UniformBoxHash;
pub use brute::{BruteBoxes, BrutePairs, BrutePoints};
pub use cells::cell_sort::CellSort;
pub use choice::find_neighbors::{FindNeighbors, WrongNeighbors};
pub use choice::kinds::{BroadPhaseKind, NeighborKind, OTHERS, PairKind};
pub use choice::neighbor_choice::{NeighborChoice, Structures};
pub use choice::settings::{HashFunction, SearchSettings};
pub use contract::{
    BroadPhase, IncrementalBroadPhase, ListPairs, NeighborSearch, PairSearch, Visits,
    for_each_overlap,
};
pub use lists::chunk_lists::ChunkLists;
pub use lists::compact_lists::CompactLists;
pub use lists::neighbor_lists::NeighborLists;
pub use pairs::linear_kd_tree::{
    CoherentLinearKdTree, LinearKdTree, LinearKdTree1, LinearKdTree2, LinearKdTreeSettings,
    RootCell,
};
pub use pairs::pairs_by_queries::PairsByQueries;
pub use pairs::row_sweep::RowSweep;
pub use pairs::sweep_and_prune::SweepAndPrune;
pub use points::cell_index::CellIndex;
pub use points::extended_hash::ExtendedHash;
pub use points::fixed_uniform_hash::FixedUniformHash;
pub use points::grid_cell_hash::GridCellHash;
pub use points::insertion_hash::InsertionHash;
pub use points::point_kd_tree::PointKdTree;
pub use points::sorted_cells::SortedCells;
pub use points::uniform_hash::UniformHash;
