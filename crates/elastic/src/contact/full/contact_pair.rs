//! What contact found, for those who respond to it in their own way.

use super::group::Near;
use crate::contact::narrow::Nearest;

/// A vertex and a triangle, or two edges, that may come to their distance in a substep.
#[derive(Clone, Copy, Debug)]
pub struct ContactPair {
    /// The vertex and the corners, or the ends of both edges: nodes by their number, and behind
    /// them points of solids.
    pub points: [u32; 4],
    /// How many of them belong to the first primitive: 1 for a vertex, 2 for an edge.
    pub first_count: usize,
    /// The distance that they keep \[m\].
    pub distance: f64,
    /// Their nearest points where the substep starts.
    pub nearest: Nearest<4>,
}

impl From<&Near> for ContactPair {
    fn from(Near { pair, nearest }: &Near) -> Self {
        let (points, first_count, distance) = (pair.points, pair.first_count(), pair.distance);
        ContactPair { points, first_count, distance, nearest: *nearest }
    }
}
