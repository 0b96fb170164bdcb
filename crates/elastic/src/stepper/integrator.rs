//! What a time integrator does within the substeps that all share: see
//! [`ElasticStepper`](super::ElasticStepper).

use super::step::{ElasticStep, StepError};
use crate::contact::{Collisions, NodeMotion, SolidMotion};
use crate::state::ElasticState;
use crate::system::ElasticSystem;
use hashfall_geometry::Point;
use std::fmt::Debug;

/// Where a substep is.
#[derive(Clone, Copy, Debug)]
pub struct Substep<'a> {
    /// The bodies.
    pub system: &'a ElasticSystem,
    /// The step of the world.
    pub step: &'a ElasticStep<'a>,
    /// When the substep begins \[s\].
    pub time: f64,
    /// How long it is to be \[s\].
    pub dt: f64,
    /// Which part of the step it is: where it begins and ends, from 0 to 1.
    pub parts: [f64; 2],
}

impl Substep<'_> {
    /// Changes velocities so that nodes with these inverse masses meet nothing; returns the free
    /// part of the substep.
    ///
    /// # Errors
    /// If there is no motion without an intersection.
    pub fn resolve(
        &self,
        collisions: &mut dyn Collisions,
        inverse_mass: &[f64],
        position: &[Point],
        velocity: &mut [Point],
    ) -> Result<f64, StepError> {
        let Substep { time, dt, parts, .. } = *self;
        let solids = SolidMotion { motions: self.step.motions, parts };
        let motion = NodeMotion { position, inverse_mass, time, dt, solids };
        Ok(collisions.resolve(&motion, velocity)?.clamp(0.0, 1.0))
    }
}

/// When an integrator goes through whole substeps itself, by a scheme of high order: without
/// contact, damping and forces that depend on velocity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HighOrder {
    /// It has none.
    Never,
    /// Wherever nothing forbids it; such a substep is as long as this number of others.
    WherePossible(u32),
    /// Always: what forbids it is an error.
    Always,
}

/// A time integrator: the forces of a substep. It holds memory, and nothing that the state does not
/// say: a step depends on the state at its start alone.
pub trait Integrator: Debug + Send {
    /// Begins a step; `substep.dt` is the whole of it. Tied nodes have their velocities at its
    /// start. Also called after a substep of high order that was not possible, with that substep
    /// and the mean velocities of tied nodes.
    fn begin(&mut self, substep: &Substep<'_>, state: &ElasticState);

    /// Into how many substeps to divide the rest of the step, that of `substep`.
    ///
    /// # Errors
    /// If there would be too many.
    fn count(&mut self, substep: &Substep<'_>, state: &ElasticState) -> Result<u32, StepError>;

    /// Whether it has substeps of high order, and for what.
    fn high_order(&self) -> HighOrder {
        HighOrder::Never
    }

    /// How far nodes may go from straight ways in a substep of high order \[m\], by a guess that
    /// is seldom too small.
    fn guess_deviations(&self, _substep: &Substep<'_>, _deviation: &mut Vec<f64>) {}

    /// Moves the nodes through a substep of high order, and tells where they are after each drift,
    /// and which part of the substep that is.
    fn advance(
        &mut self,
        _substep: &Substep<'_>,
        _state: &mut ElasticState,
        _see: &mut dyn FnMut(f64, &[Point]),
    ) {
    }

    /// Sets the velocities with which the nodes are to drift, so that they meet nothing for the
    /// part of the substep that is returned. Tied nodes have those that take them to their places
    /// at the substep's end, and keep them.
    ///
    /// # Errors
    /// If there are none.
    fn before_drift(
        &mut self,
        substep: &Substep<'_>,
        collisions: &mut dyn Collisions,
        state: &mut ElasticState,
    ) -> Result<f64, StepError>;

    /// Completes the velocities after contact and the drift, which took `drifted` \[s\]:
    /// all of the substep, unless contact cut it.
    fn after_drift(&mut self, substep: &Substep<'_>, drifted: f64, state: &mut ElasticState);
}
