//! Balls.

use crate::{Real, Vec3};

/// A solid ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    /// Centre \[m\].
    pub centre: Vec3,
    /// Radius \[m\], positive.
    pub radius: Real,
}
