//! Who is near whom: the papers' structures, a file each, behind two small contracts.
//!
//! - [`NeighborSearch`]: points near a point, for the sums of the fluid.
//! - [`BroadPhase`]: boxes near a box, for collisions with solids.
//!
//! A search proposes candidates; one function for each contract decides
//! ([`NeighborLists::build`] owns the radius test, [`for_each_overlap`] the box test). Brute force
//! is a sibling and the oracle of every other structure. Knows points, boxes and numbers, nothing
//! of fluids.
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

mod brute;
mod buckets;
mod cell_index;
mod cell_range;
mod cell_table;
mod classes;
#[cfg(test)]
mod contract;
mod fixed_hash;
mod hierarchical_hash;
mod lists;
mod multilevel_hash;
mod plain_hierarchical_hash;
mod radix_sort;
mod uniform_hash;

pub use brute::{BruteBoxes, BrutePoints};
pub use cell_index::CellIndex;
pub use fixed_hash::{FixedHash, FixedHierarchicalHash, FixedMultilevelHash};
pub use hierarchical_hash::HierarchicalHash;
pub use lists::NeighborLists;
pub use multilevel_hash::MultilevelHash;
pub use plain_hierarchical_hash::PlainHierarchicalHash;
pub use uniform_hash::UniformHash;

use crate::base::{Real, Vec3};
use crate::geometry::Aabb;
use serde::{Deserialize, Serialize};

/// A structure over points, rebuilt every step.
pub trait NeighborSearch: Default + Send + Sync {
    /// Indexes `points` for queries of radius `support_radius` \[m\]. The cells of that size that
    /// hold them must lie within [`CELL_LIMIT`](crate::base::cell::CELL_LIMIT).
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

    /// Visits a superset of the boxes that overlap `query`, each once, in any order.
    fn candidates(&self, query: &Aabb, visit: impl FnMut(u32));

    /// How many entries a query looks at to find its candidates.
    fn examined(&self, query: &Aabb) -> usize;

    /// Bytes that queries read, all in all.
    fn bytes(&self) -> usize;

    /// Panics unless the structure holds each box in every cell where it belongs.
    fn assert_well_formed(&self, boxes: &[Aabb]);
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
    broad_phase.candidates(query, |id| {
        if B::IS_EXACT || boxes[id as usize].overlaps(query) {
            visit(id);
        }
    });
}

/// Panics unless all boxes are finite and hold a point: cells have no place for others.
fn assert_boxes(boxes: &[Aabb]) {
    for (object, b) in boxes.iter().enumerate() {
        let is_sound = (0..3).all(|a| b.min[a].is_finite() && b.max[a].is_finite())
            && (0..3).all(|a| b.min[a] <= b.max[a]);
        assert!(is_sound, "box {object} is not finite or empty: {b:?}");
    }
}

/// An enum of structures and the list of all of them, so that none can be left out of the list.
macro_rules! kinds {
    ($(#[$about:meta])* $kind:ident { $($(#[$of:meta])* $variant:ident,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        pub enum $kind {
            $($(#[$of])* $variant,)+
        }

        impl $kind {
            /// Every kind, for tests, help and benchmarks.
            pub const ALL: [$kind; [$(stringify!($variant)),+].len()] = [$($kind::$variant),+];
        }
    };
}

kinds! {
    /// The neighbour structures a scene can name.
    NeighborKind {
        /// Compares every pair: the oracle.
        Brute,
        /// Hash table of cells of size h (Teschner et al. 2003).
        UniformHash,
        /// Cells sorted by radix sort, found by index (Onderik & Ďurikovič 2008).
        #[default]
        CellIndex,
    }
}

kinds! {
    /// The broad phases a scene can name.
    BroadPhaseKind {
        /// Compares with every box: the oracle.
        Brute,
        /// Hierarchical hash, flat and with SIMD (after Pouchol et al. 2009).
        #[default]
        HierarchicalHash,
        /// Top-down hierarchical hash (Pouchol et al. 2009).
        PlainHierarchicalHash,
        /// The same in a table of fixed length.
        FixedHierarchicalHash,
        /// Multilevel hash (Eitz & Lixu 2007).
        MultilevelHash,
        /// The same in a table of fixed length.
        FixedMultilevelHash,
    }
}

/// Binds the type named by a [`NeighborKind`]: the only match over the kinds.
#[macro_export]
macro_rules! with_neighbor_search {
    ($kind:expr, $search:ident => $body:expr) => {
        match $kind {
            $crate::search::NeighborKind::Brute => {
                type $search = $crate::search::BrutePoints;
                $body
            }
            $crate::search::NeighborKind::UniformHash => {
                type $search = $crate::search::UniformHash;
                $body
            }
            $crate::search::NeighborKind::CellIndex => {
                type $search = $crate::search::CellIndex;
                $body
            }
        }
    };
}

/// Binds the type named by a [`BroadPhaseKind`]: the only match over the kinds.
#[macro_export]
macro_rules! with_broad_phase {
    ($kind:expr, $broad:ident => $body:expr) => {
        match $kind {
            $crate::search::BroadPhaseKind::Brute => {
                type $broad = $crate::search::BruteBoxes;
                $body
            }
            $crate::search::BroadPhaseKind::HierarchicalHash => {
                type $broad = $crate::search::HierarchicalHash;
                $body
            }
            $crate::search::BroadPhaseKind::PlainHierarchicalHash => {
                type $broad = $crate::search::PlainHierarchicalHash;
                $body
            }
            $crate::search::BroadPhaseKind::FixedHierarchicalHash => {
                type $broad = $crate::search::FixedHierarchicalHash;
                $body
            }
            $crate::search::BroadPhaseKind::MultilevelHash => {
                type $broad = $crate::search::MultilevelHash;
                $body
            }
            $crate::search::BroadPhaseKind::FixedMultilevelHash => {
                type $broad = $crate::search::FixedMultilevelHash;
                $body
            }
        }
    };
}
