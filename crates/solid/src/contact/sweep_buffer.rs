//! What a sweep needs and leaves, and how far it stays from solids.

use super::carrying::CarryBuffer;
use crate::convex_feature::ConvexFeature;
use crate::surfaces::SurfaceId;
use hashfall_geometry::Point;

/// Thickness of the skin in r: above the rounding of positions, far below what is seen.
pub(crate) const SKIN: f64 = 1e-4;
/// How far a centre that a solid pushes out stays from the meshes beyond, in r: more than rounding
/// brings them nearer.
pub(crate) const CLEARANCE: f64 = 0.01;

/// What a sweep needs and leaves, kept from one to the next.
#[derive(Clone, Debug, Default)]
pub struct SweepBuffer {
    /// The features that the motion can come to.
    pub(super) reached: Vec<(SurfaceId, ConvexFeature)>,
    pub(super) impulses: Vec<Impulse>,
    /// Moving bodies near a particle.
    pub(super) bodies: Vec<usize>,
    /// Of particles that surfaces carry.
    pub(super) carry: CarryBuffer,
}

impl SweepBuffer {
    /// What surfaces gave to the particle of the last sweep, one after the other.
    pub fn impulses(&self) -> &[Impulse] {
        &self.impulses
    }
}

/// What a surface gave to a particle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impulse {
    /// The surface.
    pub surface: SurfaceId,
    /// Away from it.
    pub normal: Point,
    /// How fast it moves there \[m/s\].
    pub velocity: Point,
    /// The centre of the particle \[m\].
    pub at: Point,
    /// The change of its velocity \[m/s\].
    pub change: Point,
}
