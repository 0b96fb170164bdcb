//! Rigid bodies that the fluid moves.
//!
//! A free body is an entry of the solids with the law [`KinematicLaw::driven`] about its centre of
//! mass; the step sets its velocity in place of a caller. Place, orientation and velocity are state
//! and stand in the solids' [`BodyState`](hashfall_solid::BodyState); what stands here never
//! changes.
//!
//! Particles touch them. Walls, other solids and other free bodies do where the world has
//! [`RigidContact`](super::RigidContact); without, they pass through each other. No image of a body
//! stands behind a periodic side: along these axes it has to be locked.
//!
//! Symbols: m mass \[kg\], I inertia about the centre of mass \[kg m²\]; in the plane both are
//! those of a metre of depth.

use super::{Solver, World, WorldError};
use hashfall_bodies::Twist;
use hashfall_core::Dimension;
use hashfall_geometry::Point;
use nalgebra::Matrix3;

/// What never changes of a free body.
#[derive(Clone, Debug, PartialEq)]
pub struct FreeBody {
    /// Its number among [all bodies](hashfall_solid::Solids::body_count): entry k is k + 1.
    pub body: usize,
    /// m.
    pub mass: f64,
    /// I, turned as the scene places the body.
    pub inertia: Matrix3<f64>,
    /// Which of its motions are held: along x, y and z, then about them.
    pub locks: [bool; 6],
    /// Until this time it is held where it is \[s\].
    pub release: f64,
    /// What it begins to move with then.
    pub release_twist: Twist,
}

/// The locks of a body in a plane scene, which has y = 0.
pub const PLANE_LOCKS: [bool; 6] = [false, true, false, true, false, true];

impl FreeBody {
    /// Free from the start, at rest, without locks.
    pub fn new(body: usize, mass: f64, inertia: Matrix3<f64>) -> Self {
        let (locks, release_twist) = ([false; 6], Twist::default());
        FreeBody { body, mass, inertia, locks, release: 0.0, release_twist }
    }

    /// The same, held about and along these axes.
    pub fn with_locks(self, locks: [bool; 6]) -> Self {
        FreeBody { locks, ..self }
    }

    /// The same, let go at a time \[s\] with a twist.
    pub fn with_release(self, release: f64, release_twist: Twist) -> Self {
        FreeBody { release, release_twist, ..self }
    }

    /// A twist without what is locked.
    pub fn unlocked(&self, twist: &Twist) -> Twist {
        let numbers = twist.to_array();
        Twist::from(std::array::from_fn(|k| if self.locks[k] { 0.0 } else { numbers[k] }))
    }

    /// √(2 E/m), E its kinetic energy \[m/s\].
    fn speed(&self, orientation: &Matrix3<f64>, twist: &Twist) -> f64 {
        let own = orientation.transpose() * twist.spin;
        (twist.velocity.norm_squared() + own.dot(&(self.inertia * own)) / self.mass).sqrt()
    }

    /// Whether it is held at a time \[s\].
    pub fn is_held(&self, time: f64) -> bool {
        time < self.release
    }
}

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
        for free in &self.free_bodies {
            if free.is_held(before) && !free.is_held(self.time) {
                let Twist { velocity, spin } = free.unlocked(&free.release_twist);
                // Both were validated.
                let _ = self.solids.set_body_velocity(free.body, velocity, spin);
            }
        }
    }

    pub(super) fn validate_free_bodies(&self) -> Result<(), WorldError> {
        let refuse = |body, problem| Err(WorldError::FreeBody { body, problem });
        let mut last = 0;
        for free in &self.free_bodies {
            let state = self
                .solids
                .body_state(free.body)
                .copied()
                .unwrap_or_else(|| hashfall_solid::BodyState::at_rest(Point::repeat(f64::NAN)));
            let is_driven = self.solids.check_body_state(free.body, &state).is_ok();
            let locks = &free.locks;
            let leaves_plane = PLANE_LOCKS.iter().zip(locks).any(|(plane, own)| *plane && !own);
            let crosses = self.periodic.iter().zip(locks).any(|(periodic, own)| *periodic && !own);
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
        let individual = self.solver.halvings() > 0;
        match (individual, self.frame.is_some(), matches!(self.solver, Solver::Ballistic(_))) {
            (true, ..) => refuse(first.body, "it cannot move beside individual steps"),
            (_, true, _) => refuse(first.body, "it cannot move in a frame that moves"),
            _ => Ok(()),
        }
    }
}

/// Whether a matrix is symmetric and positive.
fn is_inertia(inertia: &Matrix3<f64>) -> bool {
    let skew = (inertia - inertia.transpose()).amax();
    skew <= 1e-9 * inertia.amax() && inertia.cholesky().is_some()
}
