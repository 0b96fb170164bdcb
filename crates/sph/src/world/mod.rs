//! The world as a value: particles, solids, settings and clock. Clone it, compare it, digest it.

mod audit;
mod body_force;
mod builder;
mod elastic;
mod energy;
mod energy_limit;
mod error;
mod free_body;
mod inflow;
mod particles;
mod probes;
mod rigid;
mod settings;
mod state;
mod transfer;
mod validate;

pub use audit::Audit;
pub use body_force::{BodyField, CoriolisTurn, RotationField};
pub use builder::WorldBuilder;
pub use elastic::{ContactMode, Elastic, ElasticAudit, ElasticSolver};
pub use energy::{EnergyScales, EnergySource};
pub use energy_limit::EnergyLimit;
pub use error::WorldError;
pub use free_body::{FreeBody, PLANE_LOCKS};
pub use inflow::{Budget, Emitter, EmitterState, OpenBoundaries, Sink, Wait};
pub use particles::Particles;
pub use probes::{Axis, Column, Face, Probe, Probes, SolidReference};
pub use rigid::{BodyOverlap, FreeShape, RigidContact, free_shapes};
pub(crate) use rigid::{from_z, in_matrix};
pub use settings::{
    Ballistic, BodyForce, Density, Dfsph, Fluid, Interface, Multiphase, Solver, ViscositySolver,
    Wcsph,
};
pub use state::World;
