//! A neighbour structure as a scene chooses it, with its parameters, behind one call a step.
//!
//! The structures are known by type inside their loops, and by this one trait object outside: so a
//! step is compiled once for all of them, and the cost is one indirect call a step.

use crate::choice::find_neighbors::FindNeighbors;
use crate::choice::kinds::{BroadPhaseKind, NeighborKind, with_neighbor_search};
use crate::choice::settings::SearchSettings;
use crate::choice::verified::Verified;
use crate::contract::NeighborSearch;
use hashfall_core::Real;

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
