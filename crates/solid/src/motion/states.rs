//! The states of the bodies that move: read, set, restored, and their digest.

use super::kinematic_body::KinematicBody;
#[cfg(doc)]
use super::kinematic_law::KinematicLaw;
use crate::solids::Solids;
use hashfall_bodies::BodyState;
use hashfall_core::digest::Digest;
use hashfall_geometry::Point;
use thiserror::Error;

/// Why a body can not be driven.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum DriveError {
    /// It stands, or moves by a law of its own.
    #[error("body {0} is not driven: give it `KinematicLaw::driven`")]
    NotDriven(usize),
    /// The mesh does not deform.
    #[error("mesh {0} does not deform: name its entry in `Solids::with_deforming`")]
    NotDeforming(usize),
    /// So many places or velocities do not fit the mesh.
    #[error("mesh {mesh} has {count} vertices, but {found} were given")]
    WrongCount {
        /// The mesh, by its number among all.
        mesh: usize,
        /// How many vertices it has.
        count: usize,
        /// How many were told.
        found: usize,
    },
    /// A number is not finite.
    #[error("the state of body {0} is not finite")]
    NotFinite(usize),
    /// The orientation stretches or mirrors.
    #[error("the orientation of body {0} is not a rotation")]
    NotARotation(usize),
}

impl Solids {
    /// Whether any body moves or deforms.
    pub fn has_moving_bodies(&self) -> bool {
        !self.states.is_empty() || self.has_deforming()
    }

    /// The states of the bodies that move as a whole, in the order of the entries.
    pub fn body_states(&self) -> &[BodyState] {
        &self.states
    }

    /// The state of a body, by its number among [all bodies](Solids::body_count): the walls are 0,
    /// entry k is k + 1; `None` if it stands.
    pub fn body_state(&self, body: usize) -> Option<&BodyState> {
        self.moving_index(body).map(|at| &self.states[at])
    }

    /// Where the scene places the reference point of a body that moves \[m\], by its number among
    /// all bodies.
    pub fn rest_position(&self, body: usize) -> Option<&Point> {
        Some(self.shapes.bodies[self.moving_index(body)?].motion.pivot())
    }

    /// Sets velocity \[m/s\] and angular velocity \[1/s\] of a [driven](KinematicLaw::driven) body,
    /// by its number among [all bodies](Solids::body_count). In the next steps the body moves by
    /// them.
    ///
    /// So a solver of rigid bodies couples to a fluid: after each step it reads the impulse on the
    /// body (`Stepper::take_impulses`, numbered alike), and sets the velocity for the next.
    ///
    /// ```
    /// use hashfall_core::Vec3;
    /// use hashfall_geometry::{Aabb, Point};
    /// use hashfall_solid::{KinematicLaw, Solids, Sphere};
    ///
    /// let domain = Aabb::new(Vec3::zeros(), Vec3::repeat(1.0));
    /// let ball = Sphere { centre: Vec3::repeat(0.5), radius: 0.1 };
    /// let law = KinematicLaw::driven([0.5, 0.5, 0.5]); // angular velocities are about this point
    /// let mut solids =
    ///     Solids::new(domain, vec![ball], vec![]).with_kinematic_laws(vec![Some(law)]);
    ///
    /// let (mass, dt, force) = (2.0, 0.01, Point::new(0.0, 0.0, -19.62));
    /// for step in 1..=10 {
    ///     let state = *solids.body_state(1).unwrap();
    ///     let velocity = state.velocity + force * (dt / mass);
    ///     solids.set_body_velocity(1, velocity, state.angular_velocity)?;
    ///     // What a step of the fluid does with its solids:
    ///     solids.begin_step(dt * f64::from(step), dt);
    ///     solids.move_bodies();
    ///     solids.end_step();
    /// }
    /// assert!((solids.body_state(1).unwrap().velocity.z + 0.981).abs() < 1e-12);
    /// assert!((solids.spheres()[0].centre.z - (0.5 - 0.053955)).abs() < 1e-6);
    /// # Ok::<(), hashfall_solid::DriveError>(())
    /// ```
    ///
    /// # Errors
    /// If the body is not driven, or a number is not finite.
    pub fn set_body_velocity(
        &mut self,
        body: usize,
        velocity: Point,
        angular_velocity: Point,
    ) -> Result<(), DriveError> {
        let state = *self.body_state(body).ok_or(DriveError::NotDriven(body))?;
        self.set_body_state(body, BodyState { velocity, angular_velocity, ..state })
    }

    /// Sets the state of a [driven](KinematicLaw::driven) body, by its number among all bodies.
    ///
    /// A new position or orientation is a leap, past all that is on the way; use it before a
    /// stepper is made. Between steps set the velocity.
    ///
    /// # Errors
    /// If the body is not driven, a number is not finite, or the orientation is not a rotation.
    pub fn set_body_state(&mut self, body: usize, state: BodyState) -> Result<(), DriveError> {
        let at = self.driven_index(body, &state)?;
        self.set_state(at, state);
        Ok(())
    }

    /// Whether a body is [driven](KinematicLaw::driven), and a state may be its.
    ///
    /// # Errors
    /// As of [`Solids::set_body_state`].
    pub fn check_body_state(&self, body: usize, state: &BodyState) -> Result<(), DriveError> {
        self.driven_index(body, state).map(|_| ())
    }

    /// The number among the moving bodies of a driven one that may be put into a state.
    pub(super) fn driven_index(&self, body: usize, state: &BodyState) -> Result<usize, DriveError> {
        let driven = |at: &usize| self.shapes.bodies[*at].motion.is_driven();
        let at = self.moving_index(body).filter(driven).ok_or(DriveError::NotDriven(body))?;
        if !state.is_finite() {
            return Err(DriveError::NotFinite(body));
        }
        if !state.is_rigid() {
            return Err(DriveError::NotARotation(body));
        }
        Ok(at)
    }

    /// Puts the moving bodies into these states, one for each in the order of the entries, as if
    /// no step were under way.
    ///
    /// # Panics
    /// If there are more or fewer of them than bodies that move.
    pub fn restore(&mut self, states: &[BodyState]) {
        assert_eq!(states.len(), self.states.len(), "a state for each body that moves");
        states.iter().enumerate().for_each(|(body, state)| self.set_state(body, *state));
    }

    /// A digest of the states of all bodies that move or deform, to the bit.
    pub fn body_digest(&self) -> u64 {
        let mut digest = Digest::default();
        for (body, state) in self.shapes.bodies.iter().zip(&self.states) {
            digest.word(body.surface.body() as u64);
            state.feed(&mut digest);
        }
        let of_deforming = self.deforming_states().flatten().flatten().flat_map(|x| x.iter());
        of_deforming.for_each(|x| digest.word(x.to_bits()));
        digest.value()
    }

    /// The obstacles that move as a whole, by their numbers, ascending.
    pub fn moving_obstacles(&self) -> impl Iterator<Item = usize> {
        self.shapes.bodies.iter().map(KinematicBody::obstacle)
    }

    /// Whether a solid of revolution moves, by its number.
    pub fn is_moving_round(&self, round: usize) -> bool {
        self.shapes.bodies.iter().any(|body| body.rounds.contains(&round))
    }

    /// Whether a ball moves.
    pub fn has_moving_balls(&self) -> bool {
        self.shapes.bodies.iter().any(|body| !body.balls.is_empty())
    }

    /// Whether a mesh moves or deforms, by its number.
    pub fn is_moving_mesh(&self, mesh: usize) -> bool {
        self.moving_body_of_mesh(mesh).is_some() || self.is_deforming_mesh(mesh)
    }
}
