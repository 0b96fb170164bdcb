//! Builds the [`World`](hashfall_sph::world::World) of a checked model at t = 0.

mod balls;
mod blocked;
mod body_contact;
mod body_speed;
mod elastic;
mod elastic_fixings;
mod elastic_places;
mod elastic_size;
mod elastic_start;
mod emitters;
mod empty_shapes;
mod expected_speed;
mod filled_shapes;
#[cfg(test)]
mod filling_tests;
mod free_bodies;
mod free_body_reports;
mod initial_particles;
mod initial_velocities;
mod replacement;
mod resolved;
mod shape_reports;
mod solids;
mod solver;
mod vessels;
mod warnings;
mod world;

pub use elastic::ElasticFiles;
pub use resolved::{output, resolved, surface};
pub use world::build;
