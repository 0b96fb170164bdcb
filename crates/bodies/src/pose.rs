//! Poses: where the points of a rigid body go.

use hashfall_core::geometry::Point;
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
    #[inline]
    pub fn apply(&self, x: &Point) -> Point {
        self.turn * x + self.shift
    }

    /// Where a point comes from \[m\].
    #[inline]
    pub fn apply_inverse(&self, x: &Point) -> Point {
        self.turn.transpose() * (x - self.shift)
    }

    /// Whether every point stays where it is.
    pub fn is_identity(&self) -> bool {
        self.turn == Matrix3::identity() && self.shift == Point::zeros()
    }

    /// What leads from `before` to this.
    #[inline]
    pub fn relative_to(&self, before: &Pose) -> Pose {
        let turn = self.turn * before.turn.transpose();
        Pose { turn, shift: self.shift - turn * before.shift }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AxisRotation;
    use hashfall_core::geometry::random::Random;

    #[test]
    fn a_pose_takes_points_there_and_back_and_follows_another() {
        let mut random = Random::new(14);
        for _ in 0..100 {
            let mut pose = || {
                let turn = AxisRotation::from_radians(&random.direction(), random.number(0.0, 6.0));
                Pose { turn: turn.matrix(), shift: random.point(-1.0, 1.0) }
            };
            let (before, after) = (pose(), pose());
            let x = random.point(-1.0, 1.0);
            assert!((after.apply_inverse(&after.apply(&x)) - x).norm() < 1e-14);
            let way = after.relative_to(&before);
            assert!((way.apply(&before.apply(&x)) - after.apply(&x)).norm() < 1e-14);
            assert!(!after.is_identity());
        }
    }
}
