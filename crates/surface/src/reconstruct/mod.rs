//! From particles to surfaces.

pub(crate) mod fluid_fields;
pub(crate) mod fluids;
pub(crate) mod single;
