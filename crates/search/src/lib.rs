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

mod box_index;
mod box_kd_tree;
mod box_records;
mod brute;
mod buckets;
mod bvh;
mod candidates;
mod cell_index;
mod cell_range;
mod cell_sort;
mod cell_table;
mod classes;
mod compact_lists;
#[cfg(test)]
mod contract;
mod dynamic_hash;
mod extended_hash;
mod fixed_hash;
mod fixed_uniform_hash;
mod grid_cell_hash;
mod h_mask;
mod hashed_cells;
mod hierarchical_hash;
mod incremental;
mod insertion_hash;
mod kinds;
mod lanes;
mod linear_kd_tree;
mod lists;
mod multilevel_hash;
mod neighbor_choice;
mod pairs;
mod plain_hierarchical_hash;
mod point_kd_tree;
mod radix_sort;
mod row_sweep;
mod rows;
mod sorted_cells;
mod sweep_and_prune;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod triangle_raster;
mod uniform_box_hash;
mod uniform_hash;
mod verified;

pub use self::bvh::Bvh;
pub use box_index::BoxIndex;
pub use box_kd_tree::BoxKdTree;
pub use brute::{BruteBoxes, BrutePairs, BrutePoints};
pub use cell_index::CellIndex;
pub use cell_sort::CellSort;
pub use compact_lists::CompactLists;
pub use dynamic_hash::DynamicHierarchicalHash;
pub use extended_hash::ExtendedHash;
pub use fixed_hash::{FixedHash, FixedHierarchicalHash, FixedMultilevelHash};
pub use fixed_uniform_hash::FixedUniformHash;
pub use grid_cell_hash::GridCellHash;
pub use hierarchical_hash::HierarchicalHash;
pub use incremental::IncrementalBroadPhase;
pub use insertion_hash::InsertionHash;
pub use kinds::{BroadPhaseKind, NeighborKind, OTHERS, PairKind};
pub use linear_kd_tree::{
    CoherentLinearKdTree, LinearKdTree, LinearKdTree1, LinearKdTree2, LinearKdTreeSettings,
    RootCell,
};
pub use lists::{ChunkLists, NeighborLists};
pub use multilevel_hash::MultilevelHash;
pub use neighbor_choice::{
    FindNeighbors, HashFunction, NeighborChoice, SearchSettings, Structures,
};
pub use pairs::{ListPairs, PairSearch, PairsByQueries, Visits};
pub use plain_hierarchical_hash::PlainHierarchicalHash;
pub use point_kd_tree::PointKdTree;
pub use row_sweep::RowSweep;
pub use sorted_cells::SortedCells;
pub use sweep_and_prune::SweepAndPrune;
pub use triangle_raster::{TriangleRaster, mean_edge};
pub use uniform_box_hash::UniformBoxHash;
pub use uniform_hash::UniformHash;
pub use verified::WrongNeighbors;

use hashfall_core::cell::{NO_KEY, key_of_point};
use hashfall_core::geometry::Aabb;
use hashfall_core::{Real, Vec3};
use rayon::prelude::*;
use std::ops::Range;

/// A structure over points, rebuilt every step.
pub trait NeighborSearch: Default + Send + Sync + Sized {
    /// Takes what of the settings concerns this structure, for all rebuilds from now on.
    fn configure(&mut self, _settings: &SearchSettings) {}

    /// Indexes `points` for queries of radius `support_radius` \[m\].
    ///
    /// # Panics
    /// If a point is not finite, or its cell of that size not
    /// [within the limit](hashfall_core::cell::is_within_limit): it could not be found again. If
    /// there are more points than places of 32 bits.
    fn rebuild(&mut self, points: &[Vec3], support_radius: Real);

    /// Visits a superset of the points closer than the support radius to `at`, each once, in any
    /// order; `at` itself is visited if it was indexed.
    fn candidates(&self, at: &Vec3, visit: impl FnMut(u32));

    /// As [`NeighborSearch::candidates`] for the indexed point `point`, which lies at `at`, many
    /// candidates at a time: quicker where a structure remembers where its points are.
    #[inline]
    fn candidate_runs(&self, _point: usize, at: &Vec3, mut visit: impl FnMut(&[u32])) {
        self.candidates(at, |candidate| visit(&[candidate]));
    }

    /// Appends the lists of the points at `places`: those of the indexed `points` whose squared
    /// distance is below `limit`. Of points that are `idle`, if that is not empty, they may be
    /// anything.
    fn list(
        &self,
        points: &[Vec3],
        places: Range<usize>,
        limit: Real,
        _idle: &[bool],
        lists: &mut ChunkLists,
    ) {
        places.for_each(|i| lists.push(self, points, i, limit));
    }

    /// Bytes that the structure holds, all in all.
    fn bytes(&self) -> usize;

    /// The place of each point, in a structure that lists points in an order of its own; else none.
    fn places(&self) -> &[u32] {
        &[]
    }

    /// Panics unless the structure holds each point once, where it belongs.
    fn assert_well_formed(&self, points: &[Vec3]);
}

/// A structure over boxes of any sizes.
pub trait BroadPhase: Default + Send + Sync {
    /// Whether candidates are the boxes that overlap, and no other.
    const IS_EXACT: bool = false;

    /// Indexes `boxes`. No query is expected to be smaller than `smallest` \[m\]; those up to four
    /// times as large may be the quickest. Panics if a box is not finite, or is empty.
    fn rebuild(&mut self, boxes: &[Aabb], smallest: Real);

    /// Visits a superset of the boxes that overlap `query`, each once, in any order. Nothing
    /// overlaps a query that is empty, or one of whose coordinates is no number.
    fn candidates(&self, query: &Aabb, visit: impl FnMut(u32));

    /// How many entries a query looks at to find its candidates.
    fn examined(&self, query: &Aabb) -> usize;

    /// Bytes that queries read, all in all.
    fn bytes(&self) -> usize;

    /// Panics unless the structure holds each box in every cell where it belongs.
    fn assert_well_formed(&self, boxes: &[Aabb]);
}

/// The most points that a search takes: blocks of 16 places may begin at each and end in 32 bits.
const MOST_POINTS: usize = u32::MAX as usize - lanes::LANES;

/// Panics if there are more points than a search takes.
fn assert_count(points: usize) {
    assert!(points <= MOST_POINTS, "{points} points are more than {MOST_POINTS}, the most");
}

/// Panics if a point has no cell of size `cell_size` \[m\].
fn assert_cells(points: &[Vec3], cell_size: Real) {
    if points.par_iter().any(|p| key_of_point(p, cell_size) == NO_KEY) {
        refuse(points, cell_size);
    }
}

/// Ends a rebuild over points of which one has no cell.
#[cold]
fn refuse(points: &[Vec3], cell_size: Real) -> ! {
    let unfit = |p: &Vec3| key_of_point(p, cell_size) == NO_KEY;
    let at = points.iter().position(unfit).unwrap_or_default();
    refuse_point(points, at, cell_size.into())
}

/// Ends a rebuild over points of which the one at `at` has no cell.
#[cold]
fn refuse_point(points: &[Vec3], at: usize, cell_size: f64) -> ! {
    let place = points.get(at).map(|p| (p.x, p.y, p.z));
    panic!("point {at} at {place:?} is not finite or too far away for cells of {cell_size} m")
}

/// Visits every box that overlaps `query` (touching counts), each once: the one place that owns
/// the test, but for structures that keep the boxes and make it themselves.
#[inline]
pub fn for_each_overlap<B: BroadPhase>(
    broad_phase: &B,
    boxes: &[Aabb],
    query: &Aabb,
    mut visit: impl FnMut(u32),
) {
    if !B::IS_EXACT && query.is_empty() {
        return;
    }
    broad_phase.candidates(query, |id| {
        if B::IS_EXACT || boxes[id as usize].overlaps(query) {
            visit(id);
        }
    });
}

/// Panics unless all boxes are finite and hold a point: cells have no place for others.
fn assert_boxes(boxes: &[Aabb]) {
    boxes.iter().enumerate().for_each(|(object, b)| assert_box(object, b));
}

/// Panics unless a box is finite and holds a point.
#[inline]
fn assert_box(object: usize, b: &Aabb) {
    let is_sound = (0..3).all(|a| b.min[a].is_finite() && b.max[a].is_finite())
        && (0..3).all(|a| b.min[a] <= b.max[a]);
    assert!(is_sound, "box {object} is not finite or empty: {b:?}");
}
