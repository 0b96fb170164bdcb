//! The state of a body: where it is, which way it is turned, and how fast both change.
//!
//! A state is a value. The world holds one for each body that moves; snapshots and checkpoints copy
//! it, and a digest proves it. The shape, in the frame in which the scene places it, never changes:
//! its point x₀ is at x = R (x₀ − c) + p, and moves with v + ω × (x − p). The reference point of a
//! body that moves freely is its centre of mass.
//!
//! Symbols: c reference point in the frame of the scene, p its present position, both \[m\],
//! R orientation \[–\], v velocity \[m/s\], ω angular velocity in the axes of the world \[1/s\].

use crate::axis_rotation::AxisRotation;
use crate::orientation::Orientation;
use crate::pose::Pose;
use crate::velocity_field::VelocityField;
use crate::wrench::Twist;
use hashfall_core::digest::Digest;
use hashfall_core::geometry::Point;
use hashfall_core::has_real_square;
use nalgebra::{Matrix3, Quaternion, Rotation3, UnitQuaternion};

/// Degrees in a radian.
const DEGREES: f64 = 180.0 / std::f64::consts::PI;
/// The columns of a rotation are unit vectors at right angles, but for this much \[–\].
const ORTHONORMAL: f64 = 1e-6;

/// The state of a body, in double precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyState {
    /// Where the body's reference point is: the pivot of its motion \[m\].
    pub position: Point,
    /// The rotation from the frame in which the scene places the body.
    pub orientation: Orientation,
    /// The velocity of the reference point \[m/s\].
    pub velocity: Point,
    /// The angular velocity \[1/s\].
    pub angular_velocity: Point,
}

impl BodyState {
    /// How many numbers a state has, with a rotation matrix.
    pub const LENGTH: usize = 18;
    /// How many numbers it has with a quaternion.
    pub const QUATERNION_LENGTH: usize = 13;

    /// At rest, turned as the scene places the body, with its reference point at `position` \[m\].
    #[inline]
    pub fn at_rest(position: Point) -> Self {
        BodyState {
            position,
            orientation: Orientation::identity(),
            velocity: Point::zeros(),
            angular_velocity: Point::zeros(),
        }
    }

    /// Velocity and angular velocity.
    #[inline]
    pub fn twist(&self) -> Twist {
        Twist { velocity: self.velocity, spin: self.angular_velocity }
    }

    /// The same pose with another velocity and angular velocity.
    #[inline]
    pub fn with_twist(self, twist: Twist) -> Self {
        BodyState { velocity: twist.velocity, angular_velocity: twist.spin, ..self }
    }

    /// The same state, with its orientation by a quaternion.
    #[inline]
    pub fn with_quaternion(self) -> Self {
        BodyState { orientation: self.orientation.quaternion().into(), ..self }
    }

    /// The velocity \[m/s\] of the point of the body that is at `x` \[m\].
    #[inline]
    pub fn velocity_at(&self, x: &Point) -> Point {
        self.twist().velocity_at(&(x - self.position))
    }

    /// The state after `dt` \[s\] of constant velocity and angular velocity.
    pub fn advanced(&self, dt: f64) -> Self {
        if dt == 0.0 {
            return *self;
        }
        let position = self.position + self.velocity * dt;
        let speed = self.angular_velocity.norm();
        if speed == 0.0 {
            return BodyState { position, ..*self };
        }
        let axis = self.angular_velocity / speed;
        let turn = AxisRotation::from_degrees(&axis, speed * dt * DEGREES).matrix();
        let orientation = orthonormalized(&(turn * self.orientation.matrix())).into();
        BodyState { position, orientation, ..*self }
    }

    /// Position, orientation by rows, velocity, angular velocity.
    pub fn to_array(&self) -> [f64; Self::LENGTH] {
        let rows = self.orientation.matrix().transpose();
        let mut numbers =
            self.position.iter().chain(&rows).chain(&self.velocity).chain(&self.angular_velocity);
        std::array::from_fn(|_| numbers.next().copied().unwrap_or_default())
    }

    /// The state of such numbers, see [`BodyState::to_array`].
    pub fn from_array(numbers: &[f64; Self::LENGTH]) -> Self {
        BodyState {
            position: Point::from_row_slice(&numbers[..3]),
            orientation: Matrix3::from_row_slice(&numbers[3..12]).into(),
            velocity: Point::from_row_slice(&numbers[12..15]),
            angular_velocity: Point::from_row_slice(&numbers[15..]),
        }
    }

    /// Position, unit quaternion (the part along x, y and z, then the scalar), velocity, angular
    /// velocity.
    pub fn to_quaternion_array(&self) -> [f64; Self::QUATERNION_LENGTH] {
        let quaternion = self.orientation.quaternion().into_inner().coords;
        let (velocity, spin) = (&self.velocity, &self.angular_velocity);
        let mut numbers = self.position.iter().chain(&quaternion).chain(velocity).chain(spin);
        std::array::from_fn(|_| numbers.next().copied().unwrap_or_default())
    }

    /// The state of such numbers to the last bit, see [`BodyState::to_quaternion_array`].
    pub fn from_quaternion_array(numbers: &[f64; Self::QUATERNION_LENGTH]) -> Self {
        let [_, _, _, i, j, k, w, ..] = *numbers;
        BodyState {
            position: Point::from_row_slice(&numbers[..3]),
            // It was a unit quaternion: to divide by its norm again would change bits.
            orientation: UnitQuaternion::new_unchecked(Quaternion::new(w, i, j, k)).into(),
            velocity: Point::from_row_slice(&numbers[7..10]),
            angular_velocity: Point::from_row_slice(&numbers[10..]),
        }
    }

    /// The unit quaternion of its orientation: scalar, then the part along x, y and z. Of the two
    /// that there are it is the one whose first number other than 0 is positive.
    pub fn quaternion(&self) -> [f64; 4] {
        let turn = Rotation3::from_matrix_unchecked(self.orientation.matrix());
        let unit = UnitQuaternion::from_rotation_matrix(&turn);
        let numbers = [unit.w, unit.i, unit.j, unit.k];
        let is_mirrored = numbers.iter().find(|x| **x != 0.0).is_some_and(|x| *x < 0.0);
        if is_mirrored { numbers.map(|x| 0.0 - x) } else { numbers }
    }

    /// Of position, such a quaternion, velocity and angular velocity.
    pub fn from_quaternion(numbers: &[f64; 13]) -> Self {
        let [_, _, _, w, i, j, k, ..] = *numbers;
        let turn = UnitQuaternion::from_quaternion(Quaternion::new(w, i, j, k));
        BodyState {
            position: Point::from_row_slice(&numbers[..3]),
            orientation: turn.to_rotation_matrix().into_inner().into(),
            velocity: Point::from_row_slice(&numbers[7..10]),
            angular_velocity: Point::from_row_slice(&numbers[10..]),
        }
    }

    /// Whether all its numbers are finite, and so [are their squares](has_real_square).
    pub fn is_finite(&self) -> bool {
        self.to_array().iter().all(|x| has_real_square(*x))
    }

    /// Whether its orientation is a rotation.
    pub fn is_rigid(&self) -> bool {
        let turn = self.orientation.matrix();
        let defect = turn * turn.transpose() - Matrix3::identity();
        defect.norm() < ORTHONORMAL && turn.determinant() > 0.0
    }

    /// Feeds all its bits to a digest.
    pub fn feed(&self, digest: &mut Digest) {
        self.to_array().iter().for_each(|x| digest.word(x.to_bits()));
    }

    /// Where the points of a body go whose reference point the scene places at `reference` \[m\].
    #[inline]
    pub fn pose(&self, reference: &Point) -> Pose {
        let turn = self.orientation.matrix();
        Pose { turn, shift: self.position - turn * reference }
    }

    /// The velocities of all points of the body.
    #[inline]
    pub fn flow(&self) -> VelocityField {
        let gradient = self.angular_velocity.cross_matrix();
        VelocityField { gradient, at_origin: self.velocity - gradient * self.position }
    }
}

/// The rotation nearest to a product of rotations, which rounding has taken a little away from one.
fn orthonormalized(m: &Matrix3<f64>) -> Matrix3<f64> {
    let x = m.column(0).normalize();
    let z = x.cross(&m.column(1)).normalize();
    Matrix3::from_columns(&[x, z.cross(&x), z])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_its_numbers_and_any_bit_changes_the_digest() {
        let state = BodyState {
            position: Point::new(1.0, 2.0, 3.0),
            orientation: AxisRotation::from_degrees(&Point::z(), 30.0).matrix().into(),
            velocity: Point::new(0.1, 0.2, 0.3),
            angular_velocity: Point::new(-1.0, 0.0, 2.0),
        };
        let numbers = state.to_array();
        assert_eq!(BodyState::from_array(&numbers), state);
        assert!((numbers[4] + 0.5).abs() < 1e-15, "the orientation is stored by rows");
        let digest = |state: &BodyState| {
            let mut digest = Digest::default();
            state.feed(&mut digest);
            digest.value()
        };
        for k in 0..BodyState::LENGTH {
            let mut other = numbers;
            other[k] = f64::from_bits(other[k].to_bits() ^ 1);
            assert_ne!(digest(&BodyState::from_array(&other)), digest(&state), "number {k}");
        }
    }

    #[test]
    fn a_state_with_a_quaternion_is_its_numbers_to_the_last_bit() {
        let state = BodyState {
            position: Point::new(1.0, 2.0, 3.0),
            orientation: UnitQuaternion::from_euler_angles(0.1, 0.2, 0.3).into(),
            velocity: Point::new(0.1, 0.2, 0.3),
            angular_velocity: Point::new(-1.0, 0.0, 2.0),
        };
        let numbers = state.to_quaternion_array();
        assert_eq!(BodyState::from_quaternion_array(&numbers), state);
        for k in 0..BodyState::QUATERNION_LENGTH {
            let mut other = numbers;
            other[k] = f64::from_bits(other[k].to_bits() ^ 1);
            assert_eq!(BodyState::from_quaternion_array(&other).to_quaternion_array(), other);
            other[k] = f64::NAN;
            assert!(!BodyState::from_quaternion_array(&other).is_finite());
        }
        assert_eq!(state.with_quaternion(), state);
        let in_matrix = BodyState { orientation: state.orientation.matrix().into(), ..state };
        let back = in_matrix.with_quaternion().orientation.quaternion();
        assert!(back.angle_to(&state.orientation.quaternion()) < 1e-7);
    }

    #[test]
    fn points_move_with_the_spin_about_the_centre() {
        let twist = Twist { velocity: Point::x(), spin: Point::z() * 3.0 };
        let state = BodyState::at_rest(Point::x()).with_twist(twist);
        assert_eq!(state.velocity_at(&Point::new(3.0, 0.0, 1.0)), Point::new(1.0, 6.0, 0.0));
        assert_eq!(state.twist(), twist);
    }

    #[test]
    fn a_quaternion_turns_as_the_matrix_does() {
        let axes = [Point::x(), Point::new(0.6, 0.0, -0.8), Point::new(1.0, 2.0, -2.0) / 3.0];
        for axis in axes {
            for degrees in [0.0, 1e-6, 89.0, 179.9, 180.0, 270.0] {
                let state = BodyState {
                    orientation: AxisRotation::from_degrees(&axis, degrees).matrix().into(),
                    velocity: Point::new(0.1, 0.2, 0.3),
                    ..BodyState::at_rest(Point::new(1.0, 2.0, 3.0))
                };
                let q = state.quaternion();
                assert!((q.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-14);
                assert!(q[0] >= 0.0, "{q:?}");
                let half = (0.5 * degrees).to_radians();
                let sign = if half.cos() < -1e-15 { -1.0 } else { 1.0 };
                let along = axis * (half.sin() * sign);
                let is_same = (Point::from_row_slice(&q[1..]) - along).norm() < 1e-8
                    || (degrees == 180.0 && (Point::from_row_slice(&q[1..]) + along).norm() < 1e-8);
                assert!(is_same, "{axis:?} {degrees}: {q:?}");
                let mut numbers = [0.0; 13];
                numbers[..3].copy_from_slice(state.position.as_slice());
                numbers[3..7].copy_from_slice(&q);
                numbers[7..10].copy_from_slice(state.velocity.as_slice());
                let back = BodyState::from_quaternion(&numbers);
                assert!((back.orientation.matrix() - state.orientation.matrix()).norm() < 1e-14);
                assert_eq!((back.position, back.velocity), (state.position, state.velocity));
            }
        }
    }

    #[test]
    fn a_constant_velocity_carries_a_body_straight_and_round() {
        let angular_velocity = Point::new(0.0, 0.0, std::f64::consts::TAU);
        let velocity = Point::new(1.0, -2.0, 0.0);
        let start = BodyState { velocity, angular_velocity, ..BodyState::at_rest(Point::x()) };
        let mut state = start;
        for _ in 0..1000 {
            state = state.advanced(1e-3);
        }
        assert!((state.position - Point::new(2.0, -2.0, 0.0)).norm() < 1e-12);
        assert!(
            (state.orientation.matrix() - Matrix3::identity()).norm() < 1e-10,
            "one turn in a second"
        );
        assert!(state.is_rigid() && state.is_finite());
    }
}
