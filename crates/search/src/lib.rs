//! Neighbour search and broad phases: the structures of five papers and of our own behind three
//! small contracts.
//!
//! Points → neighbour lists:
//!
//! ```
//! use hashfall_search::{FindNeighbors, NeighborLists, SortedCells, Vec3};
//!
//! let points = [[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.2, 0.0, 0.0]].map(Vec3::from);
//! let mut lists = NeighborLists::default();
//! SortedCells::default().find(&points, 0.15, &mut lists);
//! assert_eq!(lists.of(1), [0, 2]);
//! ```
//!
//! Boxes → overlaps, of all pairs and of one query:
//!
//! ```
//! use hashfall_search::{Aabb, BroadPhase, HierarchicalHash, Vec3, for_each_overlap};
//! use hashfall_search::{ListPairs, PairSearch, RowSweep};
//!
//! let cube = |x| Aabb::new(Vec3::new(x, 0.0, 0.0), Vec3::new(x + 1.0, 1.0, 1.0));
//! let boxes = [cube(0.0), cube(0.5), cube(2.0)];
//! let mut pairs = RowSweep::default();
//! PairSearch::rebuild(&mut pairs, &boxes);
//! assert_eq!(pairs.pairs(&ListPairs).concat(), [[0, 1]]);
//!
//! let mut hash = HierarchicalHash::default();
//! hash.rebuild(&boxes, 0.1);
//! let mut found = Vec::new();
//! for_each_overlap(&hash, &boxes, &cube(1.2), |id| found.push(id));
//! found.sort();
//! assert_eq!(found, [1, 2]);
//! ```
//!
//! # Contracts
//!
//! - [`NeighborSearch`]: points near a point, for the sums of a fluid. [`FindNeighbors`] is the
//!   same behind one call, as a trait object.
//! - [`BroadPhase`]: boxes near a box, for collisions with solids.
//! - [`PairSearch`]: pairs of boxes that overlap, for collisions of many bodies.
//!
//! A search proposes candidates, and one test for each contract decides: [`ChunkLists`] owns that
//! of the radius, [`for_each_overlap`] that of the boxes. Some structures make the test themselves,
//! to the same bits: [`SortedCells`] for many points at a time, [`InsertionHash`] on insertion,
//! broad phases that keep their boxes ([`IS_EXACT`](BroadPhase::IS_EXACT)), and structures for
//! pairs. Brute force is the oracle of every other structure in the tests.
//!
//! The crate knows points, boxes and numbers, nothing of fluids. Results are the same for any
//! number of threads and on any CPU.
//!
//! # Layout
//!
//! `contract` holds the traits; `cells` keys, tables and sorting; `lanes` distance tests of sixteen
//! points; `lists` neighbour lists; `points`, `boxes` and `pairs` the structures, a file or folder
//! each with its paper; `choice` their names and settings.
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

pub use boxes::box_blocks::{BlockIndex, BlockQuery, BoxBlocks};
pub use boxes::box_index::BoxIndex;
pub use boxes::box_kd_tree::BoxKdTree;
#[cfg(feature = "bvh")]
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
pub use cells::hilbert::hilbert_key;
pub use cells::rows::{CellRows, OccupiedCells};
pub use choice::find_neighbors::{FindNeighbors, WrongNeighbors};
pub use choice::kinds::{BroadPhaseKind, NeighborKind, OTHERS, PairKind};
pub use choice::neighbor_choice::{NeighborChoice, Structures};
pub use choice::settings::{HashFunction, SearchSettings};
pub use contract::{
    BroadPhase, IncrementalBroadPhase, ListPairs, NeighborSearch, PairSearch, Visits,
    for_each_overlap, for_each_overlap_of_all,
};
pub use hashfall_core::geometry::Aabb;
pub use hashfall_core::{Real, Vec3};
pub use lists::chunk_lists::ChunkLists;
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
