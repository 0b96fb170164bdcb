mod collisions;

pub use collisions::{Collisions, NoCollisions, NodeMotion};
