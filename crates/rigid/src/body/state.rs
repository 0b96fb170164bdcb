//! The state of a rigid body: where its centre of mass is, how it is turned, how fast both change.
//!
//! A state is a value: snapshots and checkpoints copy it, a digest proves it. The body's shape is
//! given in a frame of its own, in which the centre of mass is at c; its point x₀ there is at
//! x = q (x₀ − c) q* + p in the world, and moves with v + ω × (x − p).
//!
//! Symbols: p position of the centre \[m\], q unit quaternion from the body's frame to the world,
//! v velocity of the centre \[m/s\], ω spin in the world's axes \[rad/s\].

use hashfall_bodies::Twist;
use hashfall_core::digest::Digest;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

/// Position, orientation, velocity and spin of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidState {
    /// p, of the centre of mass \[m\].
    pub position: Vector3<f64>,
    /// q, from the body's frame to the world.
    pub orientation: UnitQuaternion<f64>,
    /// v, of the centre of mass \[m/s\].
    pub velocity: Vector3<f64>,
    /// ω, in the world's axes \[rad/s\].
    pub spin: Vector3<f64>,
}

impl RigidState {
    /// How many numbers a state has.
    pub const LENGTH: usize = 13;
    /// How many bytes it has.
    pub const BYTES: usize = 8 * Self::LENGTH;

    /// At rest, turned as its frame is, with its centre of mass at `position` \[m\].
    pub fn at_rest(position: Vector3<f64>) -> Self {
        RigidState {
            position,
            orientation: UnitQuaternion::identity(),
            velocity: Vector3::zeros(),
            spin: Vector3::zeros(),
        }
    }

    /// Velocity and spin.
    pub fn twist(&self) -> Twist {
        Twist { velocity: self.velocity, spin: self.spin }
    }

    /// The same pose with another velocity and spin.
    pub fn with_twist(self, twist: Twist) -> Self {
        RigidState { velocity: twist.velocity, spin: twist.spin, ..self }
    }

    /// The velocity \[m/s\] of the point of the body that is at `x` \[m\].
    pub fn velocity_at(&self, x: &Vector3<f64>) -> Vector3<f64> {
        self.twist().velocity_at(&(x - self.position))
    }

    /// Position, orientation (vector part, then the scalar), velocity, spin.
    pub fn to_array(&self) -> [f64; Self::LENGTH] {
        let quaternion = self.orientation.quaternion().coords;
        let mut numbers =
            self.position.iter().chain(&quaternion).chain(&self.velocity).chain(&self.spin);
        std::array::from_fn(|_| numbers.next().copied().unwrap_or_default())
    }

    /// The state of such numbers to the last bit, see [`RigidState::to_array`].
    pub fn from_array(numbers: &[f64; Self::LENGTH]) -> Self {
        let [_, _, _, i, j, k, w, ..] = *numbers;
        RigidState {
            position: Vector3::from_row_slice(&numbers[..3]),
            // It was a unit quaternion: to divide by its norm again would change bits.
            orientation: UnitQuaternion::new_unchecked(Quaternion::new(w, i, j, k)),
            velocity: Vector3::from_row_slice(&numbers[7..10]),
            spin: Vector3::from_row_slice(&numbers[10..]),
        }
    }

    /// Whether all its numbers are finite.
    pub fn is_finite(&self) -> bool {
        self.to_array().iter().all(|x| x.is_finite())
    }

    /// Feeds all its bits to a digest.
    pub fn feed(&self, digest: &mut Digest) {
        self.to_array().iter().for_each(|x| digest.word(x.to_bits()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_its_numbers_and_any_bit_changes_the_digest() {
        let state = RigidState {
            position: Vector3::new(1.0, 2.0, 3.0),
            orientation: UnitQuaternion::from_euler_angles(0.1, 0.2, 0.3),
            velocity: Vector3::new(0.1, 0.2, 0.3),
            spin: Vector3::new(-1.0, 0.0, 2.0),
        };
        let numbers = state.to_array();
        assert_eq!(RigidState::from_array(&numbers), state);
        let digest = |state: &RigidState| {
            let mut digest = Digest::default();
            state.feed(&mut digest);
            digest.value()
        };
        for k in 0..RigidState::LENGTH {
            let mut other = numbers;
            other[k] = f64::from_bits(other[k].to_bits() ^ 1);
            assert_ne!(digest(&RigidState::from_array(&other)), digest(&state), "number {k}");
            other[k] = f64::NAN;
            assert!(!RigidState::from_array(&other).is_finite());
        }
    }

    #[test]
    fn points_move_with_the_spin_about_the_centre() {
        let mut state = RigidState::at_rest(Vector3::x());
        state.spin = Vector3::z() * 3.0;
        assert_eq!(state.velocity_at(&Vector3::new(3.0, 0.0, 1.0)), Vector3::y() * 6.0);
    }
}
