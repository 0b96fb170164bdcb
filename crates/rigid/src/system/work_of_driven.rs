//! The work that bodies whose motion is prescribed do on free ones by contact.
//!
//! An impulse J on a free body at a place where the prescribed one moves with u brings J·u: what
//! the free body gains less than that is lost between the two.
//!
//! Symbols: J impulse \[N s\], u velocity \[m/s\].

use crate::body::{BodyKind, RigidBody};
use crate::contact_point::ContactPoint;
use hashfall_bodies::BodyState;
use nalgebra::Vector3;

/// What prescribed bodies bring to free ones by an impulse \[N s\] on the second body of a point
/// \[J\].
pub(super) fn work(
    bodies: &[RigidBody],
    states: &[BodyState],
    point: &ContactPoint,
    impulse: &Vector3<f64>,
) -> f64 {
    let [a, b] = point.bodies.map(|body| body as usize);
    let brings = |driver: usize, driven: usize, impulse: Vector3<f64>| {
        let kinds = [driver, driven].map(|body| bodies[body].kind());
        if kinds != [BodyKind::Prescribed, BodyKind::Free] {
            return 0.0;
        }
        let state = &states[driver];
        let arm = point.position - state.position;
        impulse.dot(&(state.velocity + state.angular_velocity.cross(&arm)))
    };
    brings(a, b, *impulse) + brings(b, a, -impulse)
}
