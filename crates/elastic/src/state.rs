//! The state of all elastic bodies: a value.

use hashfall_core::digest::Digest;
use hashfall_geometry::Point;

/// Where the nodes of all elastic bodies are and how fast they move, body by body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ElasticState {
    /// \[m\]
    pub position: Vec<Point>,
    /// \[m/s\]
    pub velocity: Vec<Point>,
}

impl ElasticState {
    /// Nodes at rest.
    pub fn at_rest(position: Vec<Point>) -> Self {
        let velocity = vec![Point::zeros(); position.len()];
        ElasticState { position, velocity }
    }

    /// All positions, then all velocities, to the bit.
    pub fn digest(&self) -> u64 {
        let mut digest = Digest::default();
        let numbers = self.position.iter().chain(&self.velocity).flat_map(|vector| vector.iter());
        numbers.for_each(|number| digest.word(number.to_bits()));
        digest.value()
    }
}
