//! Builds the [`World`](hashfall_sph::world::World) of a checked model at t = 0.

mod balls;
mod blocked;
mod body_speed;
mod emitters;
mod expected_speed;
mod filled_shapes;
mod initial_particles;
mod replacement;
mod resolved;
mod solids;
mod solver;
mod warnings;
mod world;

pub use resolved::{resolved, surface};
pub use world::build;
