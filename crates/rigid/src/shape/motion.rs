//! The motion of a body over a time step: a straight line of its origin, and a constant spin.

use hashfall_bodies::{rotation_from_vector, rotation_vector};
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};

/// A pose that moves: velocity of the origin of the shape's frame and spin are constant in the
/// world's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Where it begins \[m\].
    pub start: Isometry3<f64>,
    /// Velocity of the origin \[m/s\].
    pub velocity: Vector3<f64>,
    /// Angular velocity, in the world's frame \[rad/s\].
    pub spin: Vector3<f64>,
}

impl Motion {
    /// One that stays where it is.
    pub fn at_rest(start: Isometry3<f64>) -> Self {
        Motion { start, velocity: Vector3::zeros(), spin: Vector3::zeros() }
    }

    /// The motion from one pose to another in `duration` \[s\], by the shorter turn.
    pub fn between(start: &Isometry3<f64>, end: &Isometry3<f64>, duration: f64) -> Self {
        let travel = end.translation.vector - start.translation.vector;
        let turn = rotation_vector(&(end.rotation * start.rotation.inverse()));
        Motion { start: *start, velocity: travel / duration, spin: turn / duration }
    }

    /// The pose after `time` \[s\].
    pub fn pose_at(&self, time: f64) -> Isometry3<f64> {
        let place = self.start.translation.vector + self.velocity * time;
        let turn = rotation_from_vector(&(self.spin * time));
        let turned = UnitQuaternion::new_normalize(turn.into_inner()) * self.start.rotation;
        Isometry3::from_parts(Translation3::from(place), turned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::random::Random;

    #[test]
    fn a_motion_between_poses_begins_and_ends_there() {
        let mut random = Random::new(11);
        for _ in 0..500 {
            let pose = |random: &mut Random| {
                let turn = rotation_from_vector(&random.point(-4.0, 4.0));
                Isometry3::from_parts(Translation3::from(random.point(-1.0, 1.0)), turn)
            };
            let (start, end) = (pose(&mut random), pose(&mut random));
            let motion = Motion::between(&start, &end, 0.01);
            assert_eq!(motion.pose_at(0.0), start);
            let reached = motion.pose_at(0.01);
            let point = nalgebra::Point3::from(random.point(-1.0, 1.0));
            assert!((reached * point - end * point).norm() < 1e-13);
            assert!(motion.spin.norm() * 0.01 <= std::f64::consts::PI + 1e-12);
        }
    }

    #[test]
    fn a_quarter_turn_in_a_second_about_z_takes_x_to_y() {
        let spin = Vector3::z() * std::f64::consts::FRAC_PI_2;
        let motion = Motion { spin, ..Motion::at_rest(Isometry3::identity()) };
        let turned = motion.pose_at(1.0) * Vector3::x();
        assert!((turned - Vector3::y()).norm() < 1e-15);
    }
}
