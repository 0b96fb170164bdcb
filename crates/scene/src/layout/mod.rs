//! Geometry of a scene before anything is built: lattices, openings, fields of balls, motions.

pub mod body_entries;
pub mod body_motion;
pub mod filled_shape;
pub mod hydrostatic;
pub mod lattice;
pub mod nozzle;
pub mod opening;
pub mod packing;
pub mod random_places;
pub mod region;
pub mod round_solid;
pub mod rounded_box_tree;
pub mod solid_parts;
pub mod sphere_field;
pub mod velocity_field;
pub mod vessel;
