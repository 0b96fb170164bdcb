//! Rigid bodies in double precision: their masses, shapes and contact.

mod body;
mod contact_point;
mod manifolds;
mod mass;
mod pairs;
mod shape;
mod solver;
mod system;

pub use body::{
    BodyError, BodyKind, InverseMass, Locks, Material, RigidBody, RigidState, Twist, Wrench,
};
pub use contact_point::ContactPoint;
pub use manifolds::{ContactLaw, Impact, MotionPair, ShapePair};
pub use mass::{
    Amount, Immersion, MassError, MassProperties, ball_mass, capsule_mass, cone_mass, cuboid_mass,
    cylinder_mass, floating_level, frustum_mass, mesh_mass, section_mass, triangles_mass,
};
pub use pairs::{BodyBox, PairError, PairFinder};
pub use shape::{
    Bounds, Decomposition, DecompositionSettings, Motion, Shape, ShapeError, decompose,
};
pub use solver::{ContactReport, ContactState, Mobility};
pub use system::{
    ContactSolution, DriftReport, RigidError, RigidSettings, RigidSnapshot, RigidSystem,
};
