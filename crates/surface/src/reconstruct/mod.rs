//! From particles to surfaces: all steps in order, for one fluid and for several.

pub(crate) mod fluid_fields;
pub(crate) mod fluids;
pub(crate) mod single;
