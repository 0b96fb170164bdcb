//! The structures by name, for scenes, commands, tests and benchmarks: a structure is one file and
//! one entry here.

use serde::{Deserialize, Serialize};

/// An enum of structures and the list of all of them, so that none can be left out of the list.
macro_rules! kinds {
    ($(#[$about:meta])* $kind:ident {
        $($(#[doc = $what:literal])+ $(#[$of:ident])? $variant:ident,)+
    }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        pub enum $kind {
            $($(#[doc = $what])+ $(#[$of])? $variant,)+
        }

        impl $kind {
            /// Every kind, for tests, help and benchmarks.
            pub const ALL: [$kind; [$(stringify!($variant)),+].len()] = [$($kind::$variant),+];

            /// What it is, and when it wins.
            pub fn about(self) -> &'static str {
                match self {
                    $($kind::$variant => concat!($($what),+).trim_ascii(),)+
                }
            }
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
        CellIndex,
        /// Points in the order of their cells, tested 16 at a time.
        #[default]
        SortedCells,
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
        /// Hash table of cells of one size (Teschner et al. 2003). Wins where boxes are alike.
        UniformHash,
        /// Boxes sorted along one axis (Baraff 1992). Wins where boxes are few or lie in a row.
        SweepAndPrune,
        /// Tree of boxes split at medians. Wins where memory counts and queries are large.
        KdTree,
        /// Tree split by area, of the `bvh` crate (Wald 2007). Wins where queries are many.
        Bvh,
        /// Hierarchical hash whose objects move one by one (Pouchol). Wins where few of many move.
        DynamicHierarchicalHash,
    }
}

kinds! {
    /// The structures that find all pairs of boxes.
    PairKind {
        /// Compares every pair: the oracle.
        Brute,
        /// A query to the flat hierarchical hash for each box.
        #[default]
        HierarchicalHash,
        /// A query to the multilevel hash for each box (Eitz & Lixu 2007).
        MultilevelHash,
        /// One sweep along an axis (Baraff 1992). Wins where boxes lie in a row and hardly move.
        SweepAndPrune,
        /// A query to the tree of the `bvh` crate for each box (Wald 2007).
        Bvh,
    }
}

/// Binds the type named by a [`PairKind`]: the only match over the kinds.
#[macro_export]
macro_rules! with_pair_search {
    ($kind:expr, $search:ident => $body:expr) => {
        match $kind {
            $crate::search::PairKind::Brute => {
                type $search = $crate::search::PairsByQueries<$crate::search::BruteBoxes>;
                $body
            }
            $crate::search::PairKind::HierarchicalHash => {
                type $search = $crate::search::PairsByQueries<$crate::search::HierarchicalHash>;
                $body
            }
            $crate::search::PairKind::MultilevelHash => {
                type $search = $crate::search::PairsByQueries<$crate::search::MultilevelHash>;
                $body
            }
            $crate::search::PairKind::SweepAndPrune => {
                type $search = $crate::search::SweepAndPrune;
                $body
            }
            $crate::search::PairKind::Bvh => {
                type $search = $crate::search::PairsByQueries<$crate::search::Bvh>;
                $body
            }
        }
    };
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
            $crate::search::NeighborKind::SortedCells => {
                type $search = $crate::search::SortedCells;
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
            $crate::search::BroadPhaseKind::UniformHash => {
                type $broad = $crate::search::UniformBoxHash;
                $body
            }
            $crate::search::BroadPhaseKind::SweepAndPrune => {
                type $broad = $crate::search::SweepAndPrune;
                $body
            }
            $crate::search::BroadPhaseKind::KdTree => {
                type $broad = $crate::search::BoxKdTree;
                $body
            }
            $crate::search::BroadPhaseKind::Bvh => {
                type $broad = $crate::search::Bvh;
                $body
            }
            $crate::search::BroadPhaseKind::DynamicHierarchicalHash => {
                type $broad = $crate::search::DynamicHierarchicalHash;
                $body
            }
        }
    };
}
