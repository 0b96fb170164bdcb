//! Elastic meshes: ropes, shells and solids of nodes in double precision, and their contact with
//! obstacles, with each other and with themselves.
//!
//! An [`ElasticMesh`] is the rest shape of a body: nodes, and segments, triangles or tetrahedra
//! between them. A [`Material`] makes elements of it: an [`Element`] is a few nodes with an energy.
//! An [`ElasticSystem`] holds what never changes of all bodies, and an [`ElasticState`] is where
//! their nodes are and how fast they move: a value that is copied, saved and digested.
//! [`ElasticStepper::advance`] takes a state through a step of the world, in substeps of an
//! [`Integrator`]; [`Collisions`] changes the velocities of each so that the straight motions of
//! all nodes meet nothing. Results have the same bits for any number of threads.
//!
//! ```
//! use hashfall_elastic::{
//!     Acceleration, BodySpec, ElasticAccount, ElasticStep, ElasticStepper, ElasticSystem, Fixing,
//!     Material, NoCollisions, Rope, Symplectic, SymplecticSettings, rope,
//! };
//! use hashfall_geometry::Point;
//! use std::sync::Arc;
//!
//! // A rope of 1 m, level, that swings from one end for 0.2 s.
//! let mesh = rope(Point::zeros(), Point::x(), 20)?;
//! let material = Material::Rope(Rope::rod(1e5, 1000.0, 0.02));
//! let fixings = vec![(0, Fixing::Fixed)];
//! let spec = BodySpec { fixings, ..BodySpec::new("rope", mesh, material) };
//! let system = Arc::new(ElasticSystem::new(vec![spec])?);
//! let integrator = Box::new(Symplectic::new(SymplecticSettings::default()));
//! let mut stepper = ElasticStepper::new(system.clone(), integrator, Box::new(NoCollisions));
//!
//! let gravity = Point::z() * -9.81;
//! let acceleration = Acceleration::Uniform(gravity);
//! let step = ElasticStep { time: 0.0, dt: 0.2, acceleration, motions: &[] };
//! let mut state = system.start().clone();
//! stepper.advance(&mut state, &step)?;
//! assert!(state.position[20].z < -0.1);
//! let account = ElasticAccount::new(&system, &state, &gravity);
//! assert!(account.energy().abs() < 1e-3 * account.kinetic);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod account;
mod contact;
mod energy;
mod error;
mod fixing;
mod material;
mod mesh;
mod meshing;
mod quadratic_mesh;
mod singular_values;
mod state;
mod stepper;
mod system;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use account::ElasticAccount;
pub use contact::narrow;
pub use contact::{
    CellSize, Collisions, ContactCounts, ContactError, ContactPair, Drift, FullContact, Insertion,
    Intersection, NoCollisions, NodeMotion, Rasterization, SolidMotion, SpatialHashContact,
    SpatialHashError, SpatialHashSettings, body_intersections, intersections,
};
pub use energy::{
    BendingLaw, Blocks, ContinuumElement, Element, Elements, Energies, Energy, Gradient,
    HessianBound, Hyperelastic, MODES, Mode, NeoHookeanMembrane, NeoHookeanSolid, NodeBound,
    QuadraturePoint, RodBending, ShellBending, SlotBuffer, Spring, gershgorin,
};
pub use error::{BuildError, MaterialError};
pub use fixing::Fixing;
pub use hashfall_bodies::RigidMotion;
pub use material::{
    BodyParts, ElementOrder, Material, Rope, Shell, Solid, SpringMass, SpringStiffness, Springs,
};
pub use mesh::{EDGES, ElasticMesh, MeshError};
pub use meshing::{
    Ball, BoxPattern, ImplicitShape, MAX_SUBDIVISIONS, MeshInterior, MeshQuality, MeshingError,
    SignedDistance, ball_surface, box_tetrahedra, rope, rope_ladder, sheet, spring_lattice, stuff,
};
pub use state::ElasticState;
pub use stepper::{
    Acceleration, ElasticStep, ElasticStepper, HighOrder, Implicit, ImplicitSettings, Integrator,
    SolverCounts, StableSubstep, StepError, StepReport, Substep, SubstepBuffer, Symplectic,
    SymplecticOrder, SymplecticSettings,
};
pub use system::{BodySpec, ElasticBody, ElasticSystem};
