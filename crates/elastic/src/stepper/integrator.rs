//! What a time integrator does within the substeps that all share: see
//! [`ElasticStepper`](super::ElasticStepper).

use super::step::{ElasticStep, StepError};
use crate::state::ElasticState;
use crate::system::ElasticSystem;
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

/// A time integrator: the forces of a substep. It holds memory, and nothing that the state does not
/// say: a step depends on the state at its start alone.
pub trait Integrator: Debug + Send {
    /// Begins a step; `substep.dt` is the whole of it. Tied nodes have their velocities at its
    /// start.
    fn begin(&mut self, substep: &Substep<'_>, state: &ElasticState);

    /// Into how many substeps to divide the rest of the step, that of `substep`.
    ///
    /// # Errors
    /// If there would be too many.
    fn count(&mut self, substep: &Substep<'_>, state: &ElasticState) -> Result<u32, StepError>;

    /// Whether it moves nodes itself, through whole substeps: then there may be neither contact nor
    /// damping.
    fn moves_nodes(&self) -> bool {
        false
    }

    /// Moves the nodes through a substep, if it [does](Integrator::moves_nodes).
    fn advance(&mut self, _substep: &Substep<'_>, _state: &mut ElasticState) {}

    /// Sets the velocities with which the nodes are to drift. Tied nodes have those that take them
    /// to their places at the substep's end, and keep them.
    ///
    /// # Errors
    /// If there are none.
    fn before_drift(
        &mut self,
        substep: &Substep<'_>,
        state: &mut ElasticState,
    ) -> Result<(), StepError>;

    /// Completes the velocities after contact and the drift, which went on for `drifted` \[s\]: all
    /// of the substep, unless contact cut it.
    fn after_drift(&mut self, substep: &Substep<'_>, drifted: f64, state: &mut ElasticState);
}
