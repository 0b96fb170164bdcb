//! Solids: the broad phase over them, their part in sums over neighbours, contact, and the forces
//! that they take.

pub mod acting_surface;
pub mod boundary_share;
pub mod boundary_terms;
pub mod broad_phase;
pub mod cell_reach;
pub mod confinement;
pub mod contact_plane;
pub mod drift;
#[cfg(test)]
mod fine_mesh_tests;
pub mod mirror;
pub mod openings;
pub mod raster_lists;
pub mod reactions;
pub mod sliding;
mod surroundings;
