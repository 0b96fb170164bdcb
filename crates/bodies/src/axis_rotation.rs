//! Rotations about an axis: Rodrigues' formula, and its inverse.
//!
//! R = cos θ I + sin θ k× + (1 − cos θ) k kᵀ, and R x = x cos θ + k × x sin θ + k (k·x) (1 − cos θ)
//! without the matrix.
//!
//! Symbols: k axis, a unit vector, θ angle, counter-clockwise seen against the axis.

use crate::sine::sin_cos;
use hashfall_core::geometry::Point;
use nalgebra::Matrix3;

/// A rotation about an axis through the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisRotation {
    /// k.
    axis: Point,
    sin: f64,
    cos: f64,
}

impl AxisRotation {
    /// About a unit vector by an angle in degrees; whole quarter turns are exact ([`sin_cos`]).
    pub fn from_degrees(axis: &Point, degrees: f64) -> Self {
        let (sin, cos) = sin_cos(degrees);
        AxisRotation { axis: *axis, sin, cos }
    }

    /// About a unit vector by an angle in radians.
    pub fn from_radians(axis: &Point, angle: f64) -> Self {
        AxisRotation { axis: *axis, sin: libm::sin(angle), cos: libm::cos(angle) }
    }

    /// R.
    pub fn matrix(&self) -> Matrix3<f64> {
        let AxisRotation { axis, sin, cos } = *self;
        Matrix3::identity() * cos
            + axis.cross_matrix() * sin
            + axis * axis.transpose() * (1.0 - cos)
    }

    /// Where a point goes: R x, of other roundings than those of the matrix.
    pub fn apply(&self, x: &Point) -> Point {
        let AxisRotation { axis, sin, cos } = *self;
        x * cos + axis.cross(x) * sin + axis * (axis.dot(x) * (1.0 - cos))
    }
}

/// The axis of a rotation and its angle, from 0 to π \[rad\], by the quaternion whose largest
/// component is found first (Shepperd 1978).
pub fn axis_angle(r: &Matrix3<f64>) -> (Point, f64) {
    let trace = r.trace();
    let squares = [trace, r[(0, 0)], r[(1, 1)], r[(2, 2)]];
    let largest = (1..4).fold(0, |best, k| if squares[k] > squares[best] { k } else { best });
    let vector = Point::new(r[(2, 1)] - r[(1, 2)], r[(0, 2)] - r[(2, 0)], r[(1, 0)] - r[(0, 1)]);
    // Four times the product of the largest component with each: all have the same scale.
    let (real, imaginary) = if largest == 0 {
        (1.0 + trace, vector)
    } else {
        let k = largest - 1;
        let sums = (r + r.transpose()).column(k).into_owned();
        let mut imaginary = sums;
        imaginary[k] = 1.0 + 2.0 * r[(k, k)] - trace;
        (vector[k], imaginary)
    };
    let sign = if real < 0.0 { -1.0 } else { 1.0 };
    let norm = imaginary.norm();
    if norm == 0.0 {
        return (Point::z(), 0.0);
    }
    (imaginary * (sign / norm), 2.0 * libm::atan2(norm, sign * real))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::random::Random;
    use std::f64::consts::PI;

    /// exp A by its series for A/2ⁿ, squared n times.
    fn exponential(a: &Matrix3<f64>) -> Matrix3<f64> {
        let halvings = (2.0 * a.amax()).log2().ceil().max(0.0) as u32;
        let small = a / f64::from(1 << halvings);
        let (mut term, mut sum) = (Matrix3::identity(), Matrix3::identity());
        for k in 1..20 {
            term = term * small / f64::from(k);
            sum += term;
        }
        (0..halvings).fold(sum, |power, _| power * power)
    }

    #[test]
    fn a_rotation_is_the_exponential_of_a_skew_matrix_at_tiny_and_large_angles() {
        let mut random = Random::new(12);
        for angle in [0.0, 1e-300, 1e-16, 1e-9, 1e-4, 0.3, 1.5, PI - 1e-9, PI, 4.0, 100.0] {
            for _ in 0..50 {
                let axis = random.direction();
                let exact = exponential(&(axis.cross_matrix() * angle));
                let rotation = AxisRotation::from_radians(&axis, angle);
                let in_degrees = AxisRotation::from_degrees(&axis, angle.to_degrees());
                let x = random.point(-1.0, 1.0);
                // The squarings of the exponential round, too.
                let slack = 1e-15 + 1e-14 * angle;
                for rotation in [rotation, in_degrees] {
                    let r = rotation.matrix();
                    assert!((r - exact).amax() <= slack, "{angle}: {r} for {exact}");
                    assert!((rotation.apply(&x) - r * x).norm() < 1e-15);
                    assert!((r.determinant() - 1.0).abs() < 1e-14);
                }
            }
        }
    }

    #[test]
    fn small_turns_keep_their_digits() {
        // Off the diagonal stands θ k× alone, whose relative error is that of rounding.
        let axis = Point::new(2.0, -3.0, 6.0) / 7.0;
        for angle in [1e-300, 1e-20, 1e-10] {
            let r = AxisRotation::from_radians(&axis, angle).matrix();
            let skew = (r - r.transpose()) * 0.5 - axis.cross_matrix() * angle;
            assert!(skew.amax() <= 1e-15 * angle, "{angle}");
        }
    }

    #[test]
    fn axis_and_angle_are_those_of_the_rotation() {
        let mut random = Random::new(13);
        for angle in [1e-12, 1e-5, 0.3, 1.5, 3.0, PI - 1e-9] {
            for _ in 0..50 {
                let axis = random.direction();
                let (found, theta) = axis_angle(&AxisRotation::from_radians(&axis, angle).matrix());
                assert!((theta - angle).abs() < 1e-14, "{theta} for {angle}");
                assert!((found * theta - axis * angle).norm() < 1e-14, "{found} for {axis}");
            }
        }
        assert_eq!(axis_angle(&Matrix3::identity()).1, 0.0);
        let half_turn = AxisRotation::from_degrees(&Point::y(), 180.0).matrix();
        assert_eq!(axis_angle(&half_turn), (Point::y(), PI));
    }
}
