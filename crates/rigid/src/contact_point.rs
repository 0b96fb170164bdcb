//! A contact point: what the narrow phase tells the contact solver.
//!
//! The narrow phase fills it from a pair of shapes; the solver puts an unknown impulse of three
//! components on it: one along the normal, two across.

use nalgebra::Vector3;

/// One point where two bodies touch or nearly touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    /// Indices of the two bodies; the second may be a fixed one.
    pub bodies: [u32; 2],
    /// Midway between the surfaces \[m\].
    pub position: Vector3<f64>,
    /// Unit vector from the first body to the second.
    pub normal: Vector3<f64>,
    /// Distance of the surfaces along the normal \[m\]; negative where they overlap.
    pub gap: f64,
    /// Coefficient of friction \[–\].
    pub friction: f64,
    /// Coefficient of restitution, 0 to 1 \[–\].
    pub restitution: f64,
    /// Names the point between steps, for warm starts: equal for the same features of the same
    /// pair of bodies, and unique among the points of a pair.
    pub feature: u64,
}
