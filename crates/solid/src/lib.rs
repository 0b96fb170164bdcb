//! Solids for particle fluids: walls, spheres, solids of revolution and triangle meshes, by their
//! exact geometry instead of boundary particles.
//!
//! A broad phase (any of `hashfall-search`) offers *objects*: spheres first, then cylinders,
//! capsules and cones, then the triangles of each mesh, numbered through. The narrow phase here
//! finds contacts of moving particles ([`Solids::sweep`]), distances ([`Solids::distance`],
//! [`Solids::near`]) and the part of the smoothing kernel that solids cover ([`SolidFraction`]). A
//! [`ContactLaw`] says how each surface acts on the fluid.
//!
//! ```
//! use hashfall_core::Vec3;
//! use hashfall_geometry::Aabb;
//! use hashfall_solid::{Solids, Sphere, SweepBuffer};
//!
//! // A ball on the floor of a box of 1 m, and a particle of radius 1 cm that falls on it.
//! let domain = Aabb::new(Vec3::zeros(), Vec3::repeat(1.0));
//! let ball = Sphere { centre: Vec3::new(0.5, 0.5, 0.2), radius: 0.2 };
//! let solids = Solids::new(domain, vec![ball], vec![]);
//! let (objects, r) = ([0], 0.01); // the ball; walls are always looked at
//! let (from, velocity) = (Vec3::new(0.5, 0.5, 0.6), Vec3::new(0.0, 0.0, -1.0));
//! assert!((solids.distance(&objects, &from) - 0.2).abs() < 1e-6);
//!
//! let buffer = &mut SweepBuffer::default();
//! let contact = solids.sweep(&objects, &from, &(from + velocity), &velocity, r, buffer);
//! assert!((contact.position.z - 0.41).abs() < 1e-4 && contact.velocity.norm() < 1e-6);
//! assert_eq!(buffer.impulses()[0].surface.body(), 1); // 0 is the walls
//! ```
//!
//! Some bodies move, by a [`KinematicLaw`] or by velocities that the caller sets
//! ([`Solids::set_body_velocity`]). Their [`BodyState`]s are values; shapes never change, and all
//! clones share them.
//!
//! - Walls are few and are always looked at.
//! - Distances to triangles are unsigned: a particle's centre never comes closer than its radius,
//!   so the side it is on is the side it started on, and a thin plate may have fluid on both.
//! - Lists of objects ascend, so that no result depends on the order in which a structure visits.
//! - Distances and contacts are computed in double precision; only their results are rounded.

mod contact;
mod contact_angle;
mod contact_law;
mod convex_feature;
mod features;
mod integral;
mod line_of_sight;
mod mesh_tree;
mod motion;
mod near_solid;
mod occlusion;
mod precision;
mod rest_shapes;
mod shapes;
mod shared_shapes;
mod solids;
mod surfaces;
mod union;

pub use contact::{Contact, Impulse, StepAcceleration, SweepBuffer, sweep_box, sweep_reach};
pub use contact_angle::ContactAngle;
pub use contact_law::{ContactLaw, Slip};
pub use hashfall_bodies::{BodyState, Pose};
pub use hashfall_core::geometry::{RoundSolid, Sphere};
pub use integral::{LayerSums, NearSolids, PlaneTable, SolidFraction, SolidLayers};
pub use line_of_sight::LineOfSight;
pub use motion::{
    AxisAngle, DriveError, DrivenBody, FrameMotion, Keyframe, KinematicLaw, Recording, SpeedSample,
    sample_times,
};
pub use near_solid::NearSolid;
pub use occlusion::Occlusion;
pub use shared_shapes::SharedShapes;
pub use solids::Solids;
pub use surfaces::{BodySpec, SurfaceId};
pub use union::{Screens, UnionBoundary};
