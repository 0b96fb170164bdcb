//! From a checked model to the [`World`](hashfall_sph::world::World) at the start.

mod balls;
mod blocks;
mod body_speed;
mod emitters;
mod initial_particles;
mod pieces;
mod resolved;
mod solids;
mod solver;
mod sound_speed;
mod take_over;
mod warnings;
mod world;

pub use resolved::{resolved, surface};
pub use world::build;
