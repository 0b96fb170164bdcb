//! Which relative speed a contact point is to keep.
//!
//! The solver is given n·u ≥ c for each point. Where a gap may close within the step, c = −gap/dt:
//! bodies come to touch, and what overlaps comes apart within a step, or in a few if it is deep. An
//! impact with restitution asks for c = e a instead, with a the speed of approach before (Newton).
//! It is one only if a is more than twice what the present forces give in a step: a ball that lies
//! on the ground is no impact, however it gets its weight. As long as such a point is still apart
//! nothing is asked of it: the drift meets it where and when it touches.

use crate::body::RigidBody;
use crate::contact_point::ContactPoint;
use hashfall_bodies::{BodyState, Twist};

/// Up to this gap a point touches, as part of the size of the smaller body \[–\].
pub(crate) const TOUCHING: f64 = 1e-5;
/// What deep overlaps lose in a step, at most, as part of the size of the smaller body \[–\].
const MAX_RECOVERY: f64 = 0.01;
/// An impact is faster than this multiple of what forces give in a step \[–\].
const IMPACT: f64 = 2.0;

/// What decides on all points of a solve.
pub(crate) struct Targets<'a> {
    pub(crate) bodies: &'a [RigidBody],
    /// Before the solve.
    pub(crate) states: &'a [BodyState],
    /// By wrenches alone.
    pub(crate) accelerations: &'a [Twist],
    /// The length of a step, by which forces are judged \[s\].
    pub(crate) dt: f64,
    /// The time in which gaps may close \[s\].
    pub(crate) horizon: f64,
}

impl Targets<'_> {
    /// c of a point \[m/s\]; none if nothing is asked of it.
    pub(crate) fn speed(&self, point: &ContactPoint) -> Option<f64> {
        let size = self.pair_size(point);
        if let Some(approach) = self.impact_speed(point) {
            let touches = point.gap <= TOUCHING * size;
            return touches.then_some(point.restitution * approach);
        }
        Some(-point.gap.max(-MAX_RECOVERY * size) / self.horizon)
    }

    /// c of a point at the instant of an impact \[m/s\]. What touches comes no nearer, or it would
    /// be the next impact; what would rebound and does not touch yet has its own later.
    pub(crate) fn impact_target(&self, point: &ContactPoint) -> Option<f64> {
        let touches = point.gap <= TOUCHING * self.pair_size(point);
        let speed = self.speed(point)?;
        match (touches, point.restitution > 0.0) {
            (true, _) => Some(speed.max(0.0)),
            (false, true) => None,
            (false, false) => Some(speed),
        }
    }

    /// The speed of approach if the point is one of an impact with restitution.
    pub(crate) fn impact_speed(&self, point: &ContactPoint) -> Option<f64> {
        if point.restitution == 0.0 {
            return None;
        }
        let along = |twist: &dyn Fn(usize) -> Twist| {
            let [a, b] = point.bodies.map(|body| {
                let arm = point.position - self.states[body as usize].position;
                twist(body as usize).velocity_at(&arm)
            });
            point.normal.dot(&(a - b))
        };
        let approach = along(&|body| self.states[body].twist());
        let gained = along(&|body| self.accelerations[body]).abs() * self.dt;
        (approach > IMPACT * gained).then_some(approach)
    }

    /// The size of the smaller body of a point \[m\].
    pub(crate) fn pair_size(&self, point: &ContactPoint) -> f64 {
        let [a, b] = point.bodies.map(|body| self.bodies[body as usize].shape().size());
        a.min(b)
    }
}
