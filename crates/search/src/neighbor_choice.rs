//! A neighbour structure as a scene chooses it, with its parameters, behind one call a step.
//!
//! The structures are known by type inside their loops, and by this one trait object outside: so a
//! step is compiled once for all of them, and the cost is one indirect call a step.

use super::cell_table::{additive_hash, hash};
use super::verified::{Verified, WrongNeighbors};
use super::{BroadPhaseKind, NeighborKind, NeighborLists, NeighborSearch};
use crate::with_neighbor_search;
use hashfall_core::cell::Cell;
use hashfall_core::{Real, Vec3};
#[cfg(feature = "serde")]
use schemars::JsonSchema;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

/// The structures of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Structures {
    /// Who finds the fluid's neighbours.
    pub neighbors: NeighborChoice,
    /// Who finds the solids near a particle.
    pub broad_phase: BroadPhaseKind,
}

/// Who finds neighbours, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NeighborChoice {
    /// The structure.
    pub kind: NeighborKind,
    /// Its parameters.
    pub settings: SearchSettings,
    /// Whether a sample of its lists is compared with brute force after each search.
    pub is_verified: bool,
}

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
    pub(super) fn slots(&self, points: usize) -> usize {
        self.table_size.map_or(points, |slots| slots as usize).max(1)
    }
}

impl HashFunction {
    /// The slot of a cell in a table of `slots`, at least one: modulo, as the papers have it.
    #[inline(always)]
    pub(super) fn slot(self, cell: Cell, slots: usize) -> usize {
        let number = match self {
            HashFunction::Xor => hash(cell),
            HashFunction::Additive => additive_hash(cell),
        };
        (number % slots as u64) as usize
    }
}

impl NeighborChoice {
    /// The size of the cells that points must have a place in, or a little less \[m\].
    pub fn cell_size(&self, support_radius: Real) -> Real {
        let is_divided = self.kind.takes_subdivision();
        let cells = if is_divided { 2 * self.settings.subdivision + 1 } else { 1 };
        support_radius / cells as Real
    }

    /// The structure, with nothing in it yet.
    pub fn structure(&self) -> Box<dyn FindNeighbors> {
        let structure: Box<dyn FindNeighbors> = with_neighbor_search!(self.kind, Search => {
            let mut search = Search::default();
            search.configure(&self.settings);
            Box::new(search)
        });
        if self.is_verified { Box::new(Verified::new(structure)) } else { structure }
    }
}

impl From<NeighborKind> for Structures {
    fn from(kind: NeighborKind) -> Self {
        Structures { neighbors: kind.into(), ..Structures::default() }
    }
}

impl From<NeighborKind> for NeighborChoice {
    fn from(kind: NeighborKind) -> Self {
        NeighborChoice { kind, ..NeighborChoice::default() }
    }
}

/// What a step asks of its neighbour structure.
pub trait FindNeighbors: Debug + Send + Sync {
    /// Indexes points, and lists for each those closer than the support radius \[m\].
    ///
    /// # Panics
    /// As [`NeighborSearch::rebuild`].
    fn find(&mut self, points: &[Vec3], support_radius: Real, lists: &mut NeighborLists) {
        self.find_for(points, support_radius, &[], lists);
    }

    /// As [`FindNeighbors::find`], but for points that are `idle`, if that is not empty: their
    /// lists may be anything.
    ///
    /// # Panics
    /// As [`NeighborSearch::rebuild`].
    fn find_for(
        &mut self,
        points: &[Vec3],
        support_radius: Real,
        idle: &[bool],
        lists: &mut NeighborLists,
    );

    /// The first list that was found to be wrong, if the structure is
    /// [verified](NeighborChoice::is_verified).
    fn fault(&self) -> Option<WrongNeighbors> {
        None
    }
}

impl<S: NeighborSearch + Debug> FindNeighbors for S {
    fn find_for(
        &mut self,
        points: &[Vec3],
        support_radius: Real,
        idle: &[bool],
        lists: &mut NeighborLists,
    ) {
        self.rebuild(points, support_radius);
        lists.build_for(self, points, support_radius, idle);
    }
}
