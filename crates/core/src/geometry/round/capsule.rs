//! The meridian of a capsule: all that is within a radius of a piece of the axis.

use super::frustum::NearestOnMeridian;
use std::f64::consts::PI;

/// A capsule's measures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Capsule {
    pub length: f64,
    pub radius: f64,
}

impl Capsule {
    /// The nearest point to (z, ρ).
    #[inline]
    pub fn nearest(&self, z: f64, rho: f64) -> NearestOnMeridian {
        let beyond = z - z.clamp(0.0, self.length);
        let to_axis = (beyond * beyond + rho * rho).sqrt();
        let normal = if to_axis > 0.0 { [beyond / to_axis, rho / to_axis] } else { [0.0, 1.0] };
        NearestOnMeridian { normal, distance: to_axis - self.radius }
    }

    /// Its volume \[m³\].
    pub fn volume(&self) -> f64 {
        let square = self.radius * self.radius;
        PI * square * self.length + 4.0 / 3.0 * PI * square * self.radius
    }
}
