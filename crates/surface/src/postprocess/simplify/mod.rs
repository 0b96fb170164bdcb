//! Fewer triangles: clean-up and decimation by edge collapses.

pub(crate) mod cleanup;
pub(crate) mod cluster;
pub(crate) mod collapse;
pub(crate) mod decimate;
pub(crate) mod deviation;
pub(crate) mod merged;
pub(crate) mod parts;
pub(crate) mod placement;
