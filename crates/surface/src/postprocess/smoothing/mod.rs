//! Smoothing, and the steps that keep volumes and orientation.

pub(crate) mod fluid_components;
pub(crate) mod junction_curves;
pub(crate) mod pressure;
pub(crate) mod repair;
pub(crate) mod repair_folds;
pub(crate) mod smooth;
pub(crate) mod volume;
pub(crate) mod walk;
pub(crate) mod weights;
