//! Solids: the domain's walls, spheres and triangle meshes, by their exact geometry. Some move
//! ([`Solids::move_to`]).
//!
//! The broad phase offers *objects* (spheres first, then the triangles of each mesh, numbered
//! through); the narrow phase here finds distances ([`Solids::near`]), contacts
//! ([`Solids::sweep`]) and the solid's part of the density ([`SolidFraction`]), that of meshes by
//! an integral over their triangles. How each surface acts on the fluid a [`ContactLaw`] says.
//!
//! - Walls are few and are always looked at.
//! - Distances to triangles are unsigned: a particle's centre never comes closer than its radius,
//!   so the side it is on is the side it started on, and a thin plate may have fluid on both.
//! - Lists of objects ascend, so that no result depends on the order in which a structure visits.
//! - Distances and contacts are computed in double precision; only their results are rounded.

mod blocked;
mod bodies;
mod body_state;
mod boundary_integral;
mod carry;
mod cone;
mod contact;
#[cfg(test)]
mod contact_tests;
mod fall;
mod impact;
mod law;
mod layers;
mod mesh_integral;
mod motion;
mod movers;
mod near;
mod piece;
mod plane_table;
mod shapes;
mod solids;
mod touching;
mod union;

pub use blocked::Occupied;
pub use bodies::{Obstacle, SurfaceId};
pub use body_state::BodyState;
pub use boundary_integral::SolidFraction;
pub use contact::{Contact, Impulse, SweepBuffer, sweep_box};
pub use fall::Fall;
pub use law::{ContactLaw, Slip};
pub use layers::{LayerSums, SolidLayers};
pub use motion::{Key, Motion, Pace, Turn, looks};
pub use movers::DriveError;
pub use near::NearSolids;
pub use plane_table::PlaneTable;
pub use solids::Solids;
pub use union::UnionBoundary;

pub use hashfall_core::geometry::Sphere;
use hashfall_core::{Real, Vec3};

/// The nearest point of one solid, seen from a particle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearSolid {
    /// Unit vector from the solid to the particle's centre.
    pub normal: Vec3,
    /// Distance from the surface to the particle's centre \[m\]; negative inside walls and spheres.
    pub distance: Real,
    /// 1/R of a sphere \[1/m\]; 0 where the solid is taken for flat.
    pub curvature: Real,
    /// What it is the surface of.
    pub surface: SurfaceId,
}
