//! The free bodies of a world: their releases and speeds, and what is wrong with them.

use super::{FreeBody, PLANE_LOCKS, World, WorldError};
use hashfall_bodies::{BodyState, Twist};
use hashfall_core::Dimension;
use hashfall_geometry::Point;
use nalgebra::Matrix3;

impl World {
    /// The first time \[s\] after the present one at which a body is let go.
    pub(crate) fn next_release(&self) -> Option<f64> {
        let later = self.free_bodies.iter().map(|body| body.release).filter(|t| *t > self.time);
        later.min_by(f64::total_cmp)
    }

    /// The largest speed of a free body, as that which has its kinetic energy \[m/s\].
    pub(crate) fn body_speed(&self) -> f64 {
        let speed = |free: &FreeBody| {
            let state = self.solids.body_state(free.body)?;
            Some(free.speed(&state.orientation.matrix(), &state.twist()))
        };
        self.free_bodies.iter().filter_map(speed).fold(0.0, f64::max)
    }

    /// The same of those that are held, and are let go by the time `until` \[s\].
    pub(crate) fn release_speed(&self, until: f64) -> f64 {
        let held = self.free_bodies.iter().filter(|free| free.is_held(self.time));
        let speed = |free: &FreeBody| {
            let state = self.solids.body_state(free.body)?;
            let twist = free.unlocked(&free.release_twist);
            Some(free.speed(&state.orientation.matrix(), &twist))
        };
        let released = held.filter(|free| !free.is_held(until));
        released.filter_map(speed).fold(0.0, f64::max)
    }

    /// Gives bodies that are let go by now, but were not at the time `before` \[s\], their motion.
    pub(crate) fn release_bodies(&mut self, before: f64) {
        let is_let_go = |free: &FreeBody| free.is_held(before) && !free.is_held(self.time);
        if !self.free_bodies.iter().any(is_let_go) {
            return;
        }
        let [kinetic, _] = self.free_body_energy();
        for free in &self.free_bodies {
            if free.is_held(before) && !free.is_held(self.time) {
                let Twist { velocity, spin } = free.unlocked(&free.release_twist);
                // Both were validated.
                let _ = self.solids.set_body_velocity(free.body, velocity, spin);
            }
        }
        self.open_boundaries.budget.outside.bodies += self.free_body_energy()[0] - kinetic;
    }

    pub(super) fn validate_free_bodies(&self) -> Result<(), WorldError> {
        let refuse = |body, problem| Err(WorldError::FreeBody { body, problem });
        let mut last = 0;
        for free in &self.free_bodies {
            let state = self
                .solids
                .body_state(free.body)
                .copied()
                .unwrap_or_else(|| BodyState::at_rest(Point::repeat(f64::NAN)));
            let is_driven = self.solids.check_body_state(free.body, &state).is_ok();
            let locks = &free.locks;
            let leaves_plane = PLANE_LOCKS.iter().zip(locks).any(|(plane, lock)| *plane && !lock);
            let crosses =
                self.periodic.iter().zip(locks).any(|(periodic, lock)| *periodic && !lock);
            let release = free.release_twist.to_array();
            let numbers = release.iter().chain(&free.inertia);
            let problems = [
                (free.body <= last, "bodies stand in the order of their numbers, each once"),
                (!is_driven, "its law is not `KinematicLaw::driven` about its centre of mass"),
                (!(free.mass.is_finite() && free.mass > 0.0), "its mass is not positive"),
                (!numbers.copied().all(f64::is_finite), "a number is not finite"),
                (!is_inertia(&free.inertia), "its inertia is not symmetric and positive"),
                (free.release.is_nan(), "its release is not a time"),
                (leaves_plane && self.dimension == Dimension::Two, "it can leave the plane"),
                (crosses, "it can cross a periodic side; lock it along that axis"),
            ];
            if let Some((_, problem)) = problems.into_iter().find(|(is_there, _)| *is_there) {
                return refuse(free.body, problem);
            }
            last = free.body;
        }
        let Some(first) = self.free_bodies.first() else { return Ok(()) };
        if self.solver.settings().halvings() > 0 {
            return refuse(first.body, "it cannot move beside individual steps");
        }
        match self.frame {
            Some(_) => refuse(first.body, "it cannot move in a frame that moves"),
            None => Ok(()),
        }
    }
}

/// Whether a matrix is symmetric and positive.
fn is_inertia(inertia: &Matrix3<f64>) -> bool {
    let skew = (inertia - inertia.transpose()).amax();
    skew <= 1e-9 * inertia.amax() && inertia.cholesky().is_some()
}
