//! The drift of a step: all bodies to its end, through impacts where they are fast.

use super::contacts::motion;
use super::impacts;
use super::rigid_system::{DriftReport, RigidSystem};
use super::settings::RigidError;
use crate::body::{BodyKind, RigidBody};
use hashfall_bodies::BodyState;

impl RigidSystem {
    /// Moves all bodies for `dt` \[s\], through impacts where they are fast, and finds where they
    /// touch then.
    ///
    /// # Errors
    /// If a body is nowhere.
    pub fn drift(&mut self, dt: f64) -> Result<DriftReport, RigidError> {
        let report = if self.needs_sweep(dt) {
            impacts::drift(self, dt)?
        } else {
            for (state, body) in self.states.iter_mut().zip(&*self.bodies) {
                *state = body.advanced(state, dt);
            }
            DriftReport::default()
        };
        for (state, end) in self.states.iter_mut().zip(&self.ends) {
            *state = end.unwrap_or(*state);
        }
        self.ends.fill(None);
        self.update_contacts()?;
        Ok(report)
    }

    /// Whether a body moves farther than its contacts were looked for, or meets another with
    /// restitution.
    fn needs_sweep(&self, dt: f64) -> bool {
        let limit = impacts::slow_motion(&self.bodies);
        let bodies = self.bodies.iter().zip(&self.states).zip(&self.contacts.reach);
        let is_fast = |((body, state), reach): ((&RigidBody, &BodyState), &f64)| {
            body.kind() != BodyKind::Fixed && motion(body, &state.twist(), dt) > reach.min(limit)
        };
        let targets = self.targets(&self.accelerations);
        bodies.into_iter().any(is_fast)
            || self.contacts.points.iter().any(|p| targets.impact_speed(p).is_some())
    }
}
