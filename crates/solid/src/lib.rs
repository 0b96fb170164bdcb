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

mod contact;
mod contact_law;
mod convex_feature;
mod integral;
mod motion;
mod near_solid;
mod occlusion;
mod precision;
mod shapes;
mod solids;
mod surfaces;
mod union;

pub use contact::{Contact, Impulse, StepAcceleration, SweepBuffer, sweep_box};
pub use contact_law::{ContactLaw, Slip};
pub use hashfall_core::geometry::Sphere;
pub use integral::{LayerSums, NearSolids, PlaneTable, SolidFraction, SolidLayers};
pub use motion::{
    AxisAngle, BodyState, DriveError, Keyframe, KinematicLaw, SpeedSample, sample_times,
};
pub use near_solid::NearSolid;
pub use occlusion::Occlusion;
pub use solids::Solids;
pub use surfaces::{BodySpec, SurfaceId};
pub use union::UnionBoundary;
