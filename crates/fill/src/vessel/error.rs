//! Why a vessel cannot be filled.

/// Why a vessel cannot be filled.
#[derive(Clone, Debug, PartialEq)]
pub enum FillError {
    /// The place to fill from lies outside the domain.
    OutsideDomain,
    /// It lies in a solid.
    InSolid,
    /// There is no room for a particle around it.
    Cramped,
    /// It lies above the level.
    AboveLevel,
    /// The level lies above the domain.
    LevelAboveDomain {
        /// Where that ends \[m\].
        top: f64,
    },
    /// Below the level the fluid runs over a rim, or out of a hole.
    RunsOver {
        /// The highest place of its way out \[m\].
        at: [f64; 3],
    },
    /// There is less room than was asked for \[m³, in the plane m²\].
    TooMuch {
        /// So much there is room for.
        most: f64,
        /// Where the fluid would run over with more, unless the domain is full \[m\].
        rim: Option<[f64; 3]>,
    },
    /// It is less than the lowest layer of cells that particles fit in.
    TooLittle {
        /// So much that layer holds \[m³, in the plane m²\].
        least: f64,
    },
    /// The space to look at has so many cells, which are too many.
    TooLarge(f64),
}
