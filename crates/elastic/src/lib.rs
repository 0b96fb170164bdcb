//! Elastic meshes: ropes, shells and solids of nodes in double precision, and their contact with
//! obstacles, with each other and with themselves.
//!
//! An [`ElasticMesh`] is the rest shape of a body: nodes, and segments, triangles or tetrahedra
//! between them. An [`ElasticState`] is where the nodes of all bodies are and how fast they move: a
//! value that is copied, saved and digested. [`Collisions`] changes the velocities of a substep so
//! that the straight motions of all nodes meet nothing.

mod account;
pub mod cases;
mod contact;
mod energy;
mod error;
mod fixing;
mod material;
mod mesh;
mod meshing;
mod quadratic_mesh;
mod rigid_motion;
mod singular_values;
mod state;
mod stepper;
mod symmetric;
mod system;

pub use account::ElasticAccount;
pub use contact::narrow;
pub use contact::{
    CellSize, Collisions, ContactCounts, ContactError, Drift, FullContact, Insertion, NoCollisions,
    NodeMotion, Rasterization, SolidMotion, SpatialHashContact, SpatialHashError,
    SpatialHashSettings,
};
pub use energy::{
    BendingLaw, Blocks, ContinuumElement, Element, Elements, Energies, Energy, Gradient,
    HessianBound, Hyperelastic, MODES, Mode, NeoHookeanMembrane, NeoHookeanSolid, NodeBound,
    QuadraturePoint, RodBending, ShellBending, SlotBuffer, Spring, gershgorin,
};
pub use error::{BuildError, MaterialError};
pub use fixing::Fixing;
pub use material::{
    BodyParts, ElementOrder, Material, Rope, Shell, Solid, SpringMass, SpringStiffness, Springs,
};
pub use mesh::{EDGES, ElasticMesh, MeshError};
pub use meshing::{
    Ball, BoxPattern, ImplicitShape, MAX_SUBDIVISIONS, MeshInterior, MeshQuality, MeshingError,
    SignedDistance, ball_surface, box_tetrahedra, rope, rope_ladder, sheet, spring_lattice, stuff,
};
pub use rigid_motion::RigidMotion;
pub use state::ElasticState;
pub use stepper::{
    Acceleration, ElasticStep, ElasticStepper, Integrator, StableSubstep, StepError, StepReport,
    Substep, SubstepBuffer, Symplectic, SymplecticOrder, SymplecticSettings,
};
pub use system::{BodySpec, ElasticBody, ElasticSystem};
