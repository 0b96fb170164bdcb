//! Rotations by their vectors: the axis times the angle. The exponential map to unit quaternions,
//! q = (cos θ/2, sin θ/2 k), and back.
//!
//! Symbols: k axis, a unit vector, θ angle \[rad\].

use hashfall_core::geometry::Point;
use nalgebra::{Quaternion, UnitQuaternion};

/// The rotation by a vector, θ k \[rad\]. Its quaternion is of length one but for rounding.
pub fn rotation_from_vector(vector: &Point) -> UnitQuaternion<f64> {
    let angle = vector.norm();
    let half = 0.5 * angle;
    // sin(θ/2)/θ; its series is exact to rounding where the quotient is not.
    let factor = if half < 1e-4 { 0.5 - half * half / 12.0 } else { libm::sin(half) / angle };
    let [i, j, k] = (vector * factor).into();
    UnitQuaternion::new_unchecked(Quaternion::new(libm::cos(half), i, j, k))
}

/// The vector of a rotation, of length π at most \[rad\].
pub fn rotation_vector(rotation: &UnitQuaternion<f64>) -> Point {
    let imaginary = rotation.imag();
    let sin = imaginary.norm();
    if sin == 0.0 {
        return Point::zeros();
    }
    // The quaternion and its negative are one rotation.
    let sign = if rotation.w < 0.0 { -1.0 } else { 1.0 };
    imaginary * (sign * 2.0 * libm::atan2(sin, rotation.w.abs()) / sin)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AxisRotation;
    use hashfall_core::geometry::random::Random;
    use std::f64::consts::PI;

    #[test]
    fn small_and_large_turns_are_rotations_by_their_length() {
        let mut random = Random::new(7);
        for angle in [1e-300, 1e-12, 1e-5, 1.999e-4, 2.001e-4, 0.1, 3.0] {
            let n = random.direction();
            let q = rotation_from_vector(&(n * angle));
            assert!((q.norm() - 1.0).abs() < 1e-15);
            assert!((q.quaternion().imag() - n * libm::sin(0.5 * angle)).norm() < 1e-15 * angle);
            let matrix = AxisRotation::from_radians(&n, angle).matrix();
            assert!((q.to_rotation_matrix().into_inner() - matrix).amax() < 1e-15);
        }
    }

    #[test]
    fn a_rotation_gives_its_vector_back_by_the_shorter_turn() {
        let mut random = Random::new(8);
        for angle in [0.0, 1e-12, 1e-5, 0.1, 3.0, PI - 1e-9] {
            let vector = random.direction() * angle;
            let q = rotation_from_vector(&vector);
            let opposite = UnitQuaternion::new_unchecked(-q.into_inner());
            for q in [q, opposite] {
                assert!((rotation_vector(&q) - vector).norm() < 1e-14, "{angle}");
            }
        }
        let more = rotation_vector(&rotation_from_vector(&(Point::z() * 4.0)));
        assert!((more + Point::z() * (2.0 * PI - 4.0)).norm() < 1e-14);
    }
}
