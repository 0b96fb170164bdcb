//! Parameters of the papers' structures.

use crate::cells::cell_table::{additive_hash, hash};
use hashfall_core::cell::Cell;
#[cfg(feature = "serde")]
use schemars::JsonSchema;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// Parameters of the papers' structures; each structure takes those that concern it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
pub struct SearchSettings {
    /// H of the H-mask: cells have the size h/(2H + 1) (Onderik & Ďurikovič 2008, §4.1); 0 to 3.
    #[cfg_attr(feature = "serde", schemars(range(min = 0, max = 3)))]
    pub subdivision: u32,
    /// Slots of a table of fixed length; by the number of points if none is given.
    #[cfg_attr(feature = "serde", schemars(range(min = 1, max = 268_435_456)))]
    pub table_size: Option<u32>,
    /// How a cell becomes a place in such a table.
    pub hash_function: HashFunction,
}

/// How the coordinates of a cell, each multiplied by a prime, become one number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema))]
pub enum HashFunction {
    /// i·p₁ ⊕ j·p₂ ⊕ k·p₃ (Teschner et al. 2003).
    #[default]
    Xor,
    /// i·p₁ + j·p₂ + k·p₃ (Ahmad).
    Additive,
}

impl SearchSettings {
    /// The slots of a table for some points, at least one: as many as points unless given (Ahmad).
    pub(crate) fn slots(&self, points: usize) -> usize {
        self.table_size.map_or(points, |slots| slots as usize).max(1)
    }
}

impl HashFunction {
    /// The slot of a cell in a table of `slots`, at least one: modulo, as the papers have it.
    #[inline(always)]
    pub(crate) fn slot(self, cell: Cell, slots: usize) -> usize {
        let number = match self {
            HashFunction::Xor => hash(cell),
            HashFunction::Additive => additive_hash(cell),
        };
        (number % slots as u64) as usize
    }
}
