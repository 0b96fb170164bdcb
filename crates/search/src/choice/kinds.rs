//! The structures by name, for scenes, commands, tests and benchmarks: a structure is one file and
//! one line here, beside its re-export.

use crate::choice::settings::SearchSettings;
#[cfg(feature = "serde")]
use schemars::JsonSchema;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// One table makes the enum, the list of all of it, the names, and the macro that binds the type of
/// a structure: a structure has one entry, and none can be left out.
macro_rules! kinds {
    ($(#[$about:meta])* $kind:ident, default $default:ident, macro $with:ident {
        $($(#[doc = $what:literal])+ $variant:ident: $structure:ident $(<$inner:ident>)?,)+
    }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema))]
        pub enum $kind {
            $($(#[doc = $what])+ $variant,)+
        }

        impl Default for $kind {
            fn default() -> Self {
                $kind::$default
            }
        }

        impl $kind {
            /// Every kind, for tests, help and benchmarks.
            pub const ALL: [$kind; [$(stringify!($variant)),+].len()] = [$($kind::$variant),+];

            /// Its name, as a scene has it.
            pub fn name(self) -> &'static str {
                match self {
                    $($kind::$variant => stringify!($variant),)+
                }
            }

            /// What it is, and when it wins.
            pub fn about(self) -> &'static str {
                match self {
                    $($kind::$variant => concat!($($what),+).trim_ascii(),)+
                }
            }
        }

        kinds! { @with ($) $kind $with $($variant: ($structure $(<$inner>)?),)+ }
    };
    // `$d` is a dollar sign: the macro that is made has arguments of its own.
    (@with ($d:tt) $kind:ident $with:ident
        $($variant:ident: ($structure:ident $(<$inner:ident>)?),)+
    ) => {
        /// Binds the type that a kind names.
        #[doc(hidden)]
        #[macro_export]
        macro_rules! $with {
            ($d choice:expr, $d name:ident => $d body:expr) => {
                match $d choice {
                    $($crate::$kind::$variant => {
                        type $d name = $crate::$structure $(<$crate::$inner>)?;
                        $d body
                    })+
                }
            };
        }
        #[allow(unused_imports, reason = "some are for other crates alone")]
        pub(crate) use $with;
    };
}

/// A table with a row for what the crate `bvh` builds, in braces of its own.
#[cfg(feature = "bvh")]
macro_rules! kinds_with_bvh {
    ({ $($head:tt)* } { $($before:tt)* } { $($bvh:tt)* } { $($after:tt)* }) => {
        kinds! { $($head)* { $($before)* $($bvh)* $($after)* } }
    };
}

/// The table without that row.
#[cfg(not(feature = "bvh"))]
macro_rules! kinds_with_bvh {
    ({ $($head:tt)* } { $($before:tt)* } { $($bvh:tt)* } { $($after:tt)* }) => {
        kinds! { $($head)* { $($before)* $($after)* } }
    };
}

kinds! {
    /// The neighbour structures a scene can name.
    NeighborKind, default SortedCells, macro with_neighbor_search {
        /// Compares every pair: the oracle. Wins where there are a few dozen points.
        Brute: BrutePoints,
        /// Hash table of cells of size h (Teschner et al. 2003), of any length.
        /// The quickest of the hashes on a lattice; wins nowhere against sorted cells.
        UniformHash: UniformHash,
        /// Hash table of fixed length with time stamps (Teschner et al. 2003; Ahmad).
        /// Wins nowhere that is known: it is the form of the paper, to compare with.
        FixedUniformHash: FixedUniformHash,
        /// Buckets of grid cells of points, in a table of fixed length (excerpt, §6.4.2).
        /// Wins against the form before it, whose queries meet points of other cells.
        GridCellHash: GridCellHash,
        /// Hash table of cells smaller than h with an H-mask (Onderik & Ďurikovič 2008, §4.1).
        /// Wins where points have radii of their own that differ by twice or more, with H = 0.
        ExtendedHash: ExtendedHash,
        /// Cells sorted by radix sort, found by index (Onderik & Ďurikovič 2008, §4.2).
        /// The next after sorted cells, where points come sorted; slower with each subdivision.
        CellIndex: CellIndex,
        /// Hierarchical hash, neighbours found on insertion (Pouchol et al. 2009, listing 3).
        /// Wins over the uniform hash where points in space are sparse, or close in the plane.
        InsertionHash: InsertionHash,
        /// Balanced kd-tree with leaves of a few points.
        /// Wins over the hashes where points are sparse.
        KdTree: PointKdTree,
        /// Points in the order of their cells, tested 16 at a time. Wins nearly always.
        SortedCells: SortedCells,
    }
}

impl NeighborKind {
    /// Whether it takes [`SearchSettings::subdivision`].
    pub fn takes_subdivision(self) -> bool {
        matches!(self, NeighborKind::ExtendedHash | NeighborKind::CellIndex)
    }

    /// Whether it takes [`SearchSettings::table_size`] and the hash function.
    pub fn takes_table(self) -> bool {
        matches!(self, NeighborKind::FixedUniformHash | NeighborKind::GridCellHash)
    }

    /// Whether it takes all settings that are not as usual.
    pub fn takes(self, settings: &SearchSettings) -> bool {
        let SearchSettings { subdivision, table_size, hash_function } = SearchSettings::default();
        let table = (settings.table_size, settings.hash_function) == (table_size, hash_function);
        (settings.subdivision == subdivision || self.takes_subdivision())
            && (table || self.takes_table())
    }
}

kinds_with_bvh! {
    {
        /// The broad phases a scene can name.
        BroadPhaseKind, default HierarchicalHash, macro with_broad_phase
    }
    {
        /// Compares with every box: the oracle. Wins where there are a few dozen boxes.
        Brute: BruteBoxes,
        /// Hierarchical hash, flat, with SIMD and many boxes in blocks (after Pouchol et al. 2009).
        /// Wins where queries are many and small, and nearly always from 16 384 boxes on.
        HierarchicalHash: HierarchicalHash,
        /// Top-down hierarchical hash (Pouchol et al. 2009).
        /// Wins against the multilevel hash where boxes are few and queries many.
        PlainHierarchicalHash: PlainHierarchicalHash,
        /// The same in a table of fixed length.
        /// Wins over it nearly always where boxes are as many as queries.
        FixedHierarchicalHash: FixedHierarchicalHash,
        /// Multilevel hash: every class of size is asked (Eitz & Lixu 2007).
        /// Wins over the plain hierarchical hash where sizes are very mixed.
        MultilevelHash: MultilevelHash,
        /// The same in a table of fixed length.
        /// Wins over it where boxes are as many as queries; over all, if these are a thousand to
        /// ten thousand, and alike.
        FixedMultilevelHash: FixedMultilevelHash,
        /// Hash table of cells of one size (Teschner et al. 2003).
        /// Wins over all but the flat hash where boxes are few, queries many and sizes alike.
        UniformHash: UniformBoxHash,
        /// Boxes sorted along one axis (Baraff 1992). Wins where boxes are few or lie in a row.
        SweepAndPrune: SweepAndPrune,
        /// Tree of boxes split at medians.
        /// Wins where boxes are many and queries few.
        KdTree: BoxKdTree,
    }
    {
        /// Tree split by area, of the `bvh` crate (Wald 2007).
        /// Wins over the hashes but the flat one where sizes are mixed, from ten thousand boxes on.
        Bvh: Bvh,
    }
    {
        /// Hierarchical hash whose objects move one by one (Pouchol).
        /// Wins where no more than one in a hundred move.
        DynamicHierarchicalHash: DynamicHierarchicalHash,
        /// Linear kd-tree: parts of boxes sorted by cell (Poirrier 2009).
        /// Made for pairs: a query has to search for every cell around it.
        LinearKdTree: LinearKdTree2,
    }
}

kinds_with_bvh! {
    {
        /// The structures that find all pairs of boxes.
        PairKind, default RowSweep, macro with_pair_search
    }
    {
        /// Compares every pair: the oracle. Wins below some dozens of boxes.
        Brute: BrutePairs,
        /// Sweep and prune within rows of a grid, by classes of size. Wins nearly always.
        RowSweep: RowSweep,
        /// Linear kd-tree that proposes a pair up to eight times (Poirrier 2009, kd-tree-1).
        /// Wins over the second where the test of a pair costs nothing.
        LinearKdTree1: LinearKdTree1,
        /// Linear kd-tree that reports each pair once (Poirrier 2009, kd-tree-2).
        /// Wins against trees, which take longer to build.
        LinearKdTree2: LinearKdTree2,
        /// The second linear kd-tree, which mends its last order (Poirrier 2009, §7.1).
        /// Wins over it where few boxes leave their cells.
        CoherentLinearKdTree: CoherentLinearKdTree,
        /// One sweep along an axis (Baraff 1992). Wins up to some hundred boxes, or in a row.
        SweepAndPrune: SweepAndPrune,
        /// A query to the flat hierarchical hash for each box.
        /// Wins nowhere that is known: it is made for few boxes and many queries.
        HierarchicalHash: PairsByQueries<HierarchicalHash>,
        /// A query to the multilevel hash for each box (Eitz & Lixu 2007).
        /// Wins nowhere that is known.
        MultilevelHash: PairsByQueries<MultilevelHash>,
    }
    {
        /// A query to the tree of the `bvh` crate for each box (Wald 2007).
        /// Wins over the hashes where sizes are mixed.
        Bvh: PairsByQueries<Bvh>,
    }
    {
    }
}

/// Structures of no kind, as those of a kind are told: the name, and what it is and when it wins.
pub const OTHERS: [(&str, &str); 1] = [(
    "TriangleRaster",
    "Points in cells, which triangles walk (Ahmad). Wins nowhere that is measured: it takes 1.1 to \
     1.5 times as long as the uniform hash of the triangles' boxes, asked by each point.",
)];
