//! What a scene file holds, as plain data: SI units, double precision, no behaviour.

mod body_motion;
mod domain;
mod elastic;
mod elastic_shapes;
mod elastic_solvers;
mod emitters;
mod fluid_shapes;
mod fluids;
mod given_particles;
pub mod limits;
mod particle_columns;
mod round_solids;
mod scene;
mod solid_keys;
mod solids;
mod sphere_fields;
mod start;
mod viscosity;

pub use body_motion::{After, Between, BodyMotion, FreeMotion, KeyModel, LockedAxis};
pub use domain::{Domain, Region, Rotation, Up};
pub use elastic::{ElasticModel, ElementModel, FixingModel, MaterialModel, NodeSelection};
pub use elastic_shapes::{ElasticShape, SheetShape, SolidShape, TetrahedraShape};
pub use elastic_solvers::{ElasticSolverModel, OrderModel};
pub use emitters::{EmitterModel, Opening, SinkModel};
pub use fluid_shapes::{
    BallShape, BoxShape, CapsuleShape, ConeShape, CylinderShape, FillShape, FluidShape, MeshShape,
    ParticlesShape, PolygonShape, RandomShape,
};
pub use fluids::{FluidModel, InterfaceModel};
pub use given_particles::GivenParticles;
pub use hashfall_sph::world::SolidReference;
pub use particle_columns::ParticleColumns;
pub use round_solids::{CapsuleModel, ConeModel, CylinderModel};
pub use scene::Model;
pub use solid_keys::SolidKeys;
pub use solids::{BoxModel, Inside, MeshModel, PolygonModel, SolidModel};
pub use sphere_fields::{BallsModel, LatticeField, RandomField, SizeLaw, SphereField, SphereModel};
pub use start::{Jitter, Start, StartPressure, VelocityField};
pub use viscosity::ViscosityModel;
