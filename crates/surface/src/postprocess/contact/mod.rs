//! Flat contact with walls and solids.

pub(crate) mod flat;
pub(crate) mod flat_shared;
pub(crate) mod objects;
