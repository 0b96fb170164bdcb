//! Pressure schemes, and the sums that they are made of.

pub mod ballistic;
pub mod bounded_cg;
pub mod contact;
pub mod context;
pub mod continuity;
pub mod dfsph;
pub mod displacement;
pub mod force_sums;
pub mod free_flight;
mod kept_pressure;
pub mod mirrored_pressure;
pub mod multiphase;
pub mod pair_forces;
pub mod pressure_bounds;
pub mod pressure_matrix;
pub mod pressure_operator;
pub mod pressure_reactions;
pub mod projection;
pub mod registry;
mod right_hand_side;
pub mod scheme;
pub mod shifting;
pub mod solid_forces;
pub mod sound;
pub mod velocity_filter;
pub mod wcsph;
