//! From a checked model to the [`World`](hashfall_sph::world::World) at the start.

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
