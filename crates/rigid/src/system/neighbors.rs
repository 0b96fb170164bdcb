//! What lies near bodies, for those who see more of a system than its contacts.

use super::contacts::{are_apart, pose, shape_pair};
use super::rigid_system::RigidSystem;
use crate::manifolds::ShapePair;
use crate::pairs::PairError;
use crate::shape::{Bounds, Shape};
use nalgebra::Isometry3;

impl RigidSystem {
    /// Pairs of bodies of which one is free and that may be within `distance` \[m\] of each other
    /// where they are, sorted: all that are, and some whose boxes and balls around them are.
    ///
    /// # Errors
    /// If a body is nowhere.
    pub fn pairs_within(&mut self, distance: f64) -> Result<Vec<[u32; 2]>, PairError> {
        let reach = vec![0.5 * distance; self.bodies.len()];
        let mut pairs = self.contacts.pairs_within(&self.bodies, &self.states, &reach)?;
        let (bodies, states) = (&self.bodies, &self.states);
        pairs.retain(|pair| !are_apart(&shape_pair(bodies, states, *pair), distance));
        Ok(pairs)
    }

    /// The box around a body where it is.
    pub fn bounds(&self, body: usize) -> Bounds {
        self.bodies[body].shape().bounding_box(&pose(&self.states[body]))
    }

    /// Whether a body where it is and a shape at a pose have a point in common.
    pub fn meets(&self, body: usize, shape: &Shape, at: &Isometry3<f64>) -> bool {
        let shapes = [self.bodies[body].shape(), shape];
        let pair = ShapePair::new(shapes, [pose(&self.states[body]), *at]);
        !are_apart(&pair, 0.0) && pair.distance() <= 0.0
    }
}
