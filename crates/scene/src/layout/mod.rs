//! Geometry of a scene before anything is built: regions, openings, motions.

pub mod body_entries;
pub mod body_motion;
pub mod filled_shape;
pub mod fluid_regions;
pub mod hydrostatic;
pub mod nozzle;
pub mod opening;
pub mod round_solid;
pub mod solid_parts;
pub mod velocity_field;
