//! Settings of a system of bodies, and why it cannot go on.

use crate::pairs::PairError;
use hashfall_search::BroadPhaseKind;
use thiserror::Error;

/// How contacts are found and solved. No number here has a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidSettings {
    /// The structure that proposes pairs of bodies; results do not depend on it.
    pub broad_phase: BroadPhaseKind,
    /// The largest speed by which a contact misses its law, as part of the largest speed that
    /// contacts of its island have to undo \[–\].
    pub tolerance: f64,
    /// Iterations of a solve, at most.
    pub max_iterations: u32,
}

impl Default for RigidSettings {
    fn default() -> Self {
        RigidSettings {
            broad_phase: BroadPhaseKind::DynamicHierarchicalHash,
            tolerance: 1e-6,
            max_iterations: 100,
        }
    }
}

/// Why a system of bodies cannot go on.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum RigidError {
    /// A body is nowhere.
    #[error(transparent)]
    Pairs(#[from] PairError),
    /// There is not one entry for each body.
    #[error("{found} entries for {bodies} bodies")]
    Count {
        /// Entries given.
        found: usize,
        /// Bodies of the system.
        bodies: usize,
    },
    /// The bytes are not those of a state of this system.
    #[error("these bytes are no state of this system of bodies")]
    Bytes,
}
