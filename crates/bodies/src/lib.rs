//! What rigid bodies are made of: poses, states, twists and wrenches, rotations, screw motions, and
//! the eigenvalues of symmetric matrices.
//!
//! All of it is in double precision, and is computed by sums, products, quotients, square roots and
//! the sines of [`sin_cos`] or `libm`: the same bits on every machine.
//!
//! ```
//! use hashfall_bodies::{AxisRotation, Pose};
//! use nalgebra::Vector3;
//!
//! // A quarter turn about z, then a metre along x.
//! let turn = AxisRotation::from_degrees(&Vector3::z(), 90.0).matrix();
//! let pose = Pose { turn, shift: Vector3::x() };
//! assert_eq!(pose.apply(&Vector3::x()), Vector3::new(1.0, 1.0, 0.0));
//! assert_eq!(pose.apply_inverse(&Vector3::new(1.0, 1.0, 0.0)), Vector3::x());
//! ```

mod axis_rotation;
mod body_state;
mod largest_eigenvalue;
mod orientation;
mod pose;
mod rigid_motion;
mod rotation_vector;
mod sine;
mod symmetric_eigen;
mod velocity_field;
mod wrench;

pub use axis_rotation::{AxisRotation, axis_angle};
pub use body_state::BodyState;
pub use largest_eigenvalue::largest_eigenvalue;
pub use orientation::Orientation;
pub use pose::Pose;
pub use rigid_motion::RigidMotion;
pub use rotation_vector::{rotation_from_vector, rotation_vector};
pub use sine::sin_cos;
pub use symmetric_eigen::{JacobiRotation, SymmetricEigen};
pub use velocity_field::VelocityField;
pub use wrench::{Twist, Wrench};
