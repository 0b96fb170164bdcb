//! Rigid bodies in double precision: their masses, shapes and contact.
//!
//! A block of 2 kg lies 0.1 mm above a floor, and falls on it:
//!
//! ```
//! use hashfall_rigid::{Amount, ContactLaw, Impact, Motion, MotionPair, Shape, ShapePair};
//! use hashfall_rigid::cuboid_mass;
//! use nalgebra::{Isometry3, Vector3};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let half_extents = Vector3::new(0.3, 0.2, 0.1);
//! let mass = cuboid_mass(half_extents, Amount::Mass(2.0))?;
//! assert_eq!(mass.mass, 2.0);
//!
//! let shapes = [&Shape::half_space(Vector3::z())?, &Shape::cuboid(half_extents)?];
//! let poses = [Isometry3::identity(), Isometry3::translation(0.0, 0.0, 0.1001)];
//! let law = ContactLaw { bodies: [0, 1], friction: 0.5, restitution: 0.0 };
//! let mut points = Vec::new();
//! ShapePair::new(shapes, poses).contact_points(&law, 1e-3, &mut points);
//! assert_eq!(points.len(), 4);
//! assert!(points.iter().all(|point| (point.gap - 1e-4).abs() < 1e-12));
//!
//! let start = poses[1];
//! let fall = Motion { start, velocity: -Vector3::z(), spin: Vector3::zeros() };
//! let pair = MotionPair { shapes, motions: [Motion::at_rest(poses[0]), fall] };
//! assert!(matches!(pair.time_of_impact(1.0, 1e-6), Impact::At(time) if time < 1e-4));
//! # Ok(())
//! # }
//! ```
//!
//! # Layout
//!
//! `mass` holds masses, centres and inertia by exact integrals; `shape` what bodies are, and convex
//! parts of concave solids; `pairs` which bodies are near each other; `manifolds` where two shapes
//! touch, and when they will; `body` masses, locks and rotation; `solver` contact with friction,
//! and
//! how a contact state answers wrenches; `system` steps of many bodies.

mod body;
mod contact_point;
mod manifolds;
mod mass;
mod pairs;
mod shape;
mod solver;
mod system;

pub use body::{BodyError, BodyKind, InverseMass, Locks, Material, RigidBody};
pub use contact_point::ContactPoint;
pub use hashfall_bodies::{BodyState, Twist, Wrench};
pub use manifolds::{ContactLaw, Impact, MotionPair, ShapePair};
pub use mass::{
    Amount, Immersion, MassError, MassProperties, ball_mass, capsule_mass, cone_mass, cuboid_mass,
    cylinder_mass, disc_mass, floating_level, frustum_mass, mesh_mass, section_mass,
    triangles_mass,
};
pub use pairs::{BodyBox, PairError, PairFinder};
pub use shape::{
    Bounds, Decomposition, DecompositionSettings, Motion, Shape, ShapeError, decompose, hull_volume,
};
pub use solver::{ContactReport, ContactState, Mobility};
pub use system::{
    ContactSolution, DriftReport, RigidError, RigidSettings, RigidSnapshot, RigidSystem,
};
