//! Rigid bodies in double precision: their masses, shapes and contact.
//!
//! A [`RigidBody`] is what never changes: [`MassProperties`] by exact integrals, a [`Shape`], a
//! [`Material`], [`Locks`]. A [`RigidState`] is where it is and how fast it moves. A
//! [`RigidSystem`]
//! takes bodies through steps of a leapfrog: kicks by wrenches and contacts, and a drift through
//! which nothing passes anything. Between a solve and its acceptance it tells the [`Mobility`]: how
//! velocities answer other wrenches while contacts hold, for solvers that push bodies. Results have
//! the same bits for any number of threads and any broad phase, and no threshold has a unit.
//!
//! ```
//! use hashfall_rigid::{
//!     Amount, Material, RigidBody, RigidSettings, RigidSystem, Shape, Wrench, ball_mass,
//! };
//! use nalgebra::{Isometry3, Vector3};
//!
//! // A ball of 10 cm that falls to the ground and lies there.
//! let material = Material { friction: 0.5, restitution: 0.3 };
//! let ground = RigidBody::fixed(&Shape::half_space(Vector3::z())?, material);
//! let mass = ball_mass(0.1, Amount::Density(500.0))?;
//! let ball = RigidBody::free(&mass, &Shape::ball(0.1)?, material)?;
//! let weight = Wrench { force: Vector3::z() * (-9.81 * mass.mass), ..Wrench::default() };
//! let start = ball.state_at(&Isometry3::translation(0.0, 0.0, 0.3));
//! let states = vec![ground.state_at(&Isometry3::identity()), start];
//! let mut system = RigidSystem::new(vec![ground, ball], states, RigidSettings::default())?;
//!
//! let (dt, wrenches) = (1e-3, [Wrench::default(), weight]);
//! for _ in 0..1000 {
//!     system.begin_step(dt)?;
//!     system.kick(0.5 * dt, &wrenches)?;
//!     system.drift(dt)?;
//!     system.solve_contacts(0.5 * dt, &wrenches)?;
//!     system.accept();
//! }
//! assert!((system.states()[1].position.z - 0.1).abs() < 1e-8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
