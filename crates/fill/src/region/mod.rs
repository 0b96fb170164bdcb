//! Regions of space, or of the plane, that fluid fills: what lies inside, how far away their
//! boundary is, how much they hold.

mod ball;
mod composition;
mod cuboid;
mod mesh;
mod quadrature;
#[expect(clippy::module_inception, reason = "the trait that the module is about")]
mod region;
mod round;
mod sites;
#[cfg(test)]
mod tests;

pub use ball::Ball;
pub use composition::{Composition, Operation};
pub use cuboid::Cuboid;
pub use mesh::MeshRegion;
pub use region::Region;
pub use round::Round;
pub use sites::{ROUNDING, Sites, particle_volume};
