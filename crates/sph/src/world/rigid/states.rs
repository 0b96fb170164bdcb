//! States of bodies as the solids and as contact have them.

use hashfall_geometry::Point;
use hashfall_rigid::RigidState;
use hashfall_solid::BodyState;
use nalgebra::{Matrix3, Rotation3, UnitQuaternion};

/// The state of a body of the solids about its reference point.
pub(super) fn rigid_state(state: &BodyState) -> RigidState {
    RigidState {
        position: state.position,
        orientation: quaternion(&state.orientation),
        velocity: state.velocity,
        spin: state.angular_velocity,
    }
}

/// The same for the solids.
pub(crate) fn body_state(state: &RigidState) -> BodyState {
    BodyState {
        position: Point::from(state.position),
        orientation: state.orientation.to_rotation_matrix().into_inner(),
        velocity: Point::from(state.velocity),
        angular_velocity: Point::from(state.spin),
    }
}

/// That of a rotation.
pub(crate) fn quaternion(rotation: &Matrix3<f64>) -> UnitQuaternion<f64> {
    UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(*rotation))
}
