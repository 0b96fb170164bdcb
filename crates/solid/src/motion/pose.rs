//! Poses, which take the frame of the scene to the present, and fields of velocity of rigid bodies.

use hashfall_geometry::{Point, sin_cos};
use nalgebra::Matrix3;

/// A place and a turn: x ↦ R x + shift.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// R.
    pub turn: Matrix3<f64>,
    /// Where the origin goes \[m\].
    pub shift: Point,
}

impl Pose {
    /// Where a point goes \[m\].
    pub fn apply(&self, x: &Point) -> Point {
        self.turn * x + self.shift
    }

    /// Where a point comes from \[m\].
    pub fn apply_inverse(&self, x: &Point) -> Point {
        self.turn.transpose() * (x - self.shift)
    }

    /// Whether every point stays where it is.
    pub fn is_identity(&self) -> bool {
        self.turn == Matrix3::identity() && self.shift == Point::zeros()
    }

    /// What leads from `before` to this.
    pub fn relative_to(&self, before: &Pose) -> Pose {
        let turn = self.turn * before.turn.transpose();
        Pose { turn, shift: self.shift - turn * before.shift }
    }
}

/// A field of velocities: v = G x + v₀.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VelocityField {
    /// G; ω × of a rotation \[1/s\].
    pub gradient: Matrix3<f64>,
    /// v₀ \[m/s\].
    pub at_origin: Point,
}

impl VelocityField {
    /// No motion.
    pub fn none() -> Self {
        VelocityField { gradient: Matrix3::zeros(), at_origin: Point::zeros() }
    }

    /// What takes each point along a step's way in `dt` \[s\]: straight and evenly.
    pub fn along(step: &Pose, dt: f64) -> Self {
        VelocityField {
            gradient: (step.turn - Matrix3::identity()) / dt,
            at_origin: step.shift / dt,
        }
    }

    /// The velocity at a place \[m/s\].
    pub fn at(&self, x: &Point) -> Point {
        self.gradient * x + self.at_origin
    }

    /// The angular velocity \[1/s\].
    pub fn spin(&self) -> Point {
        let g = &self.gradient;
        0.5 * Point::new(g[(2, 1)] - g[(1, 2)], g[(0, 2)] - g[(2, 0)], g[(1, 0)] - g[(0, 1)])
    }
}

/// Rodrigues' formula.
pub fn rotation(axis: &Point, degrees: f64) -> Matrix3<f64> {
    let (sin, cos) = sin_cos(degrees);
    Matrix3::identity() * cos + axis.cross_matrix() * sin + axis * axis.transpose() * (1.0 - cos)
}
