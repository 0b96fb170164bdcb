//! What carrying takes of memory, kept from one particle to the next.

use super::moving_feature::MovingFeature;
use crate::convex_feature::Nearest;
use hashfall_geometry::Point;

/// The buffers of carrying, reused from one particle to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct CarryBuffer {
    pub(super) features: Vec<MovingFeature>,
    /// The nearest point of each, from the present position of the particle.
    pub(super) nearest: Vec<Nearest>,
    /// The features within reach of a move, nearest first.
    pub(super) near: Vec<u32>,
    /// The planes that the particle has to be in front of.
    pub(super) planes: Vec<Plane>,
}

/// The plane through the nearest point of a feature, square to the line to the particle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    pub(super) normal: Point,
    pub(super) distance: f64,
    pub(super) is_hard: bool,
}
