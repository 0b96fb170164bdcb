//! A run of bodies alone: the stepper, their state and the time.

use crate::contact::{Collisions, NoCollisions};
use crate::state::ElasticState;
use crate::stepper::{
    Acceleration, ElasticStep, ElasticStepper, Integrator, StepError, StepReport, Symplectic,
    SymplecticSettings,
};
use crate::system::ElasticSystem;
use hashfall_bodies::RigidMotion;
use hashfall_geometry::Point;
use std::sync::Arc;

/// Bodies, and how they step.
#[derive(Debug)]
pub struct Run {
    stepper: ElasticStepper,
    /// Where they are, and how fast they move.
    pub state: ElasticState,
    /// \[s\]
    pub time: f64,
}

/// The symplectic integrator.
pub fn symplectic(settings: SymplecticSettings) -> Box<dyn Integrator> {
    Box::new(Symplectic::new(settings))
}

impl Run {
    /// Of bodies that touch nothing.
    pub fn new(system: ElasticSystem, integrator: Box<dyn Integrator>) -> Self {
        Run::with_collisions(system, integrator, Box::new(NoCollisions))
    }

    /// The same, with contact.
    pub fn with_collisions(
        system: ElasticSystem,
        integrator: Box<dyn Integrator>,
        collisions: Box<dyn Collisions>,
    ) -> Self {
        let state = system.start().clone();
        let stepper = ElasticStepper::new(Arc::new(system), integrator, collisions);
        Run { stepper, state, time: 0.0 }
    }

    /// What never changes of the bodies.
    pub fn system(&self) -> &ElasticSystem {
        self.stepper.system()
    }

    /// Advances by a step in a uniform gravity.
    ///
    /// # Errors
    /// If a step fails.
    pub fn advance(&mut self, dt: f64, gravity: &Point) -> Result<StepReport, StepError> {
        self.advance_with(dt, gravity, &[])
    }

    /// The same, with solids that move.
    ///
    /// # Errors
    /// If a step fails.
    pub fn advance_with(
        &mut self,
        dt: f64,
        gravity: &Point,
        motions: &[RigidMotion],
    ) -> Result<StepReport, StepError> {
        self.advance_by(dt, Acceleration::Uniform(*gravity), motions)
    }

    /// The same, in any field.
    ///
    /// # Errors
    /// If a step fails.
    pub fn advance_by(
        &mut self,
        dt: f64,
        acceleration: Acceleration<'_>,
        motions: &[RigidMotion],
    ) -> Result<StepReport, StepError> {
        let step = ElasticStep { time: self.time, dt, acceleration, motions };
        let report = self.stepper.advance(&mut self.state, &step)?;
        self.time += dt;
        Ok(report)
    }
}
