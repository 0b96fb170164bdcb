//! How a body is turned.
//!
//! Laws of motion give rotation matrices; what turns freely between contacts is advanced by unit
//! quaternions. An orientation keeps the numbers that it was made of, so that none of them loses a
//! bit on a way there and back; the other form follows from them.

use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};

/// The rotation from the frame of a body to the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Orientation {
    /// By a rotation matrix.
    Matrix(Matrix3<f64>),
    /// By a unit quaternion.
    Quaternion(UnitQuaternion<f64>),
}

impl Orientation {
    /// That of a body which is turned as its frame is.
    pub fn identity() -> Self {
        Orientation::Matrix(Matrix3::identity())
    }

    /// The rotation matrix.
    #[inline]
    pub fn matrix(&self) -> Matrix3<f64> {
        match self {
            Orientation::Matrix(matrix) => *matrix,
            Orientation::Quaternion(unit) => unit.to_rotation_matrix().into_inner(),
        }
    }

    /// The unit quaternion; of a matrix, one of the two that there are.
    #[inline]
    pub fn quaternion(&self) -> UnitQuaternion<f64> {
        match self {
            Orientation::Matrix(matrix) => {
                UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(*matrix))
            }
            Orientation::Quaternion(unit) => *unit,
        }
    }

    /// A vector in the axes of the world, by its components in those of the body.
    #[inline]
    pub fn rotate(&self, x: &Vector3<f64>) -> Vector3<f64> {
        match self {
            Orientation::Matrix(matrix) => matrix * x,
            Orientation::Quaternion(unit) => unit * x,
        }
    }
}

impl From<Matrix3<f64>> for Orientation {
    #[inline]
    fn from(matrix: Matrix3<f64>) -> Self {
        Orientation::Matrix(matrix)
    }
}

impl From<UnitQuaternion<f64>> for Orientation {
    #[inline]
    fn from(unit: UnitQuaternion<f64>) -> Self {
        Orientation::Quaternion(unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AxisRotation, rotation_from_vector};
    use hashfall_core::geometry::random::Random;

    #[test]
    fn both_forms_are_the_same_rotation_and_keep_their_own_numbers() {
        let mut random = Random::new(15);
        for angle in [0.0, 1e-9, 0.5, 3.0, std::f64::consts::PI] {
            let axis = random.direction();
            let matrix = AxisRotation::from_radians(&axis, angle).matrix();
            let unit = rotation_from_vector(&(axis * angle));
            let x = random.point(-1.0, 1.0);
            let both = [Orientation::from(matrix), Orientation::from(unit)];
            for orientation in both {
                assert!((orientation.matrix() - matrix).amax() < 1e-15);
                assert!((orientation.rotate(&x) - matrix * x).norm() < 1e-15);
                assert!((orientation.quaternion() * x - matrix * x).norm() < 1e-15);
            }
            assert_eq!((both[0].matrix(), both[1].quaternion()), (matrix, unit));
        }
        assert_eq!(Orientation::identity().quaternion(), UnitQuaternion::identity());
    }
}
