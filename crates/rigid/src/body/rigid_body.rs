//! A rigid body: what of it never changes.
//!
//! A free body moves by wrenches and contacts, a prescribed one as its caller says, a fixed one not
//! at all; the last two push others and are not pushed. The shape is held about the centre of mass,
//! which is where a [`BodyState`] has its position.

use super::inverse_mass::InverseMass;
use super::locks::Locks;
use super::material::Material;
use super::rotation::Rotation;
use crate::mass::MassProperties;
use crate::shape::Shape;
use hashfall_bodies::{BodyState, SymmetricEigen};
use nalgebra::{Isometry3, Matrix3, Rotation3, Translation3, UnitQuaternion, Vector3};

/// What moves a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyKind {
    /// Wrenches and contacts.
    Free,
    /// Its caller.
    Prescribed,
    /// Nothing.
    Fixed,
}

/// Why a body cannot be free.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BodyError {
    /// The mass is not positive and finite.
    #[error("the mass {0} kg is not positive and finite")]
    Mass(f64),
    /// A principal moment of inertia is not positive and finite.
    #[error("the moment of inertia {0} kg m² is not positive and finite")]
    Inertia(f64),
    /// The shape has no inside.
    #[error("a half space or a surface cannot move freely")]
    Shape,
}

/// A body's shape, mass, material and locks.
#[derive(Clone, Debug)]
pub struct RigidBody {
    kind: BodyKind,
    /// About the centre of mass.
    shape: Shape,
    /// c, in the frame of the given shape \[m\].
    center: Vector3<f64>,
    material: Material,
    mass: f64,
    rotation: Rotation,
    locks: Locks,
}

impl RigidBody {
    /// A body that wrenches and contacts move. The mass properties and the shape are given in one
    /// frame.
    ///
    /// # Errors
    /// If the mass or a principal moment is not positive and finite, or the shape has no inside.
    pub fn free(
        properties: &MassProperties,
        shape: &Shape,
        material: Material,
    ) -> Result<Self, BodyError> {
        let MassProperties { mass, center, inertia } = *properties;
        if !(mass > 0.0 && mass.is_finite()) {
            return Err(BodyError::Mass(mass));
        }
        if shape.is_fixed_only() {
            return Err(BodyError::Shape);
        }
        let (moments, frame) = SymmetricEigen::new(&inertia).ascending();
        if let Some(moment) = moments.iter().find(|i| !(**i > 0.0 && i.is_finite())) {
            return Err(BodyError::Inertia(*moment));
        }
        let frame = Rotation3::from_matrix_unchecked(frame);
        let axes = UnitQuaternion::from_rotation_matrix(&frame);
        Ok(RigidBody {
            kind: BodyKind::Free,
            shape: shape.placed(&Translation3::from(-center).into()),
            center,
            material,
            mass,
            rotation: Rotation::new(moments, axes, Locks::NONE),
            locks: Locks::NONE,
        })
    }

    /// A body whose caller says how it moves, about the origin of the shape's frame.
    pub fn prescribed(shape: &Shape, material: Material) -> Self {
        RigidBody {
            kind: BodyKind::Prescribed,
            shape: shape.clone(),
            center: Vector3::zeros(),
            material,
            mass: f64::INFINITY,
            rotation: Rotation::new(Vector3::repeat(1.0), UnitQuaternion::identity(), Locks::NONE),
            locks: Locks::NONE,
        }
    }

    /// A body that stays where it is.
    pub fn fixed(shape: &Shape, material: Material) -> Self {
        RigidBody { kind: BodyKind::Fixed, ..Self::prescribed(shape, material) }
    }

    /// The same body with axes of the world locked.
    pub fn with_locks(mut self, locks: Locks) -> Self {
        self.locks = locks;
        self.rotation = self.rotation.with_locks(locks);
        self
    }

    /// What moves it.
    pub fn kind(&self) -> BodyKind {
        self.kind
    }

    /// Its shape, in a frame whose origin is the centre of mass.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Its surface.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// Its mass \[kg\]; infinite where no wrench moves it.
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// Which axes are locked.
    pub fn locks(&self) -> Locks {
        self.locks
    }

    /// At rest with the frame of its given shape at a pose.
    pub fn state_at(&self, pose: &Isometry3<f64>) -> BodyState {
        let position = pose.rotation * self.center + pose.translation.vector;
        BodyState { orientation: pose.rotation.into(), ..BodyState::at_rest(position) }
    }

    /// The pose of the frame of its given shape.
    pub fn pose(&self, state: &BodyState) -> Isometry3<f64> {
        let orientation = state.orientation.quaternion();
        let origin = state.position - orientation * self.center;
        Isometry3::from_parts(Translation3::from(origin), orientation)
    }

    /// Its inertia in the axes of the world \[kg m²\].
    pub fn inertia(&self, orientation: &UnitQuaternion<f64>) -> Matrix3<f64> {
        self.rotation.inertia(orientation)
    }

    /// Its inverse mass, zero where no wrench moves it.
    pub fn inverse_mass(&self, state: &BodyState) -> InverseMass {
        match self.kind {
            BodyKind::Free => {
                let inertia = self.inertia(&state.orientation.quaternion());
                InverseMass::new(self.mass, &inertia, self.locks)
            }
            _ => InverseMass::default(),
        }
    }

    /// Its angular momentum about its centre \[kg m²/s\].
    pub fn angular_momentum(&self, state: &BodyState) -> Vector3<f64> {
        let orientation = state.orientation.quaternion();
        self.rotation.angular_momentum(&orientation, &state.angular_velocity)
    }

    /// Its kinetic energy \[J\]; zero where no wrench moves it.
    pub fn kinetic_energy(&self, state: &BodyState) -> f64 {
        if self.kind != BodyKind::Free {
            return 0.0;
        }
        let turning = self.angular_momentum(state).dot(&state.angular_velocity);
        0.5 * (self.mass * state.velocity.norm_squared() + turning)
    }

    /// Its state after `dt` \[s\] in which nothing acts on it.
    pub fn advanced(&self, state: &BodyState, dt: f64) -> BodyState {
        if self.kind == BodyKind::Fixed {
            return *state;
        }
        let position = state.position + state.velocity * dt;
        let start = state.orientation.quaternion();
        let (end, angular_velocity) = self.rotation.advance(start, state.angular_velocity, dt);
        BodyState { position, orientation: end.into(), velocity: state.velocity, angular_velocity }
    }

    /// The spin \[rad/s\] at another orientation, with the angular momentum of a state.
    pub(crate) fn spin_at(
        &self,
        state: &BodyState,
        orientation: &UnitQuaternion<f64>,
    ) -> Vector3<f64> {
        if self.kind != BodyKind::Free || *orientation == state.orientation.quaternion() {
            return state.angular_velocity;
        }
        let momentum = self.angular_momentum(state);
        InverseMass::new(1.0, &self.inertia(orientation), self.locks).angular * momentum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_turns_about_its_centre_of_mass_and_its_shape_stays_with_it() {
        let center = Vector3::new(0.5, 0.0, 0.0);
        let properties = MassProperties { mass: 2.0, center, inertia: Matrix3::identity() };
        let ball = Shape::ball(0.1).unwrap();
        let body = RigidBody::free(&properties, &ball, Material::default()).unwrap();
        let pose = Isometry3::translation(1.0, 2.0, 3.0);
        let mut state = body.state_at(&pose);
        assert_eq!(state.position, Vector3::new(1.5, 2.0, 3.0));
        assert!((body.pose(&state).translation.vector - pose.translation.vector).norm() < 1e-15);
        state.angular_velocity = Vector3::z();
        let half_turn = body.advanced(&state, std::f64::consts::PI);
        let there = body.pose(&half_turn).translation.vector;
        assert!((there - Vector3::new(2.0, 2.0, 3.0)).norm() < 1e-14, "{there}");
        // The shape's own centre is where the pose of its frame is.
        let own =
            Isometry3::from_parts(half_turn.position.into(), half_turn.orientation.quaternion());
        let bounds = body.shape().bounding_box(&own);
        assert!(((bounds.min + bounds.max) * 0.5 - there).norm() < 1e-14);
    }

    #[test]
    fn what_has_no_mass_or_no_inside_cannot_be_free() {
        let ball = Shape::ball(0.1).unwrap();
        let with = |mass: f64, moment: f64, shape: &Shape| {
            let inertia = Matrix3::identity() * moment;
            let properties = MassProperties { mass, center: Vector3::zeros(), inertia };
            RigidBody::free(&properties, shape, Material::default()).err()
        };
        assert_eq!(with(1.0, 1.0, &ball), None);
        assert_eq!(with(0.0, 1.0, &ball), Some(BodyError::Mass(0.0)));
        assert!(matches!(with(f64::NAN, 1.0, &ball), Some(BodyError::Mass(_))));
        assert_eq!(with(1.0, -1.0, &ball), Some(BodyError::Inertia(-1.0)));
        let ground = Shape::half_space(Vector3::z()).unwrap();
        assert_eq!(with(1.0, 1.0, &ground), Some(BodyError::Shape));
    }
}
