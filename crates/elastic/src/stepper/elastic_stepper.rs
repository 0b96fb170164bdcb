//! Advances elastic bodies through a step of the world: substeps, with contact and held nodes.
//!
//! In each substep the integrator gives the velocities, contact changes them so that the straight
//! motions of all nodes meet nothing, and the nodes drift. Tied nodes go straight, too, from where
//! they are to their place on the body's arc at the end of the substep. Where contact cuts a
//! substep, all stop there, and the rest of the step is divided anew.
//!
//! Substeps have one length, so that a symplectic integrator stays one; it is asked anew each
//! [`SUBSTEPS_PER_CHECK`] of them whether it still holds at what has become of the bodies, and
//! whether substeps of [high order](super::high_order) are possible: after one that is not, those
//! up to then are of the common kind.

use super::high_order::HighOrderSubstep;
use super::integrator::{HighOrder, Integrator, Substep};
use super::step::{ElasticStep, StepError, StepReport};
use crate::contact::{Collisions, Drift, SolidMotion};
use crate::state::ElasticState;
use crate::system::ElasticSystem;
use hashfall_core::{has_real_square, parallel};
use hashfall_geometry::Point;
use std::sync::Arc;

/// Substeps of one length, before it is asked whether it still holds.
const SUBSTEPS_PER_CHECK: u64 = 8;

/// Cut substeps in a row that go nowhere, before a step is given up.
const MAX_CUTS: u32 = 1000;

/// Advances the state of elastic bodies. What it holds is memory: a step depends on the state at
/// its start alone.
#[derive(Debug)]
pub struct ElasticStepper {
    system: Arc<ElasticSystem>,
    integrator: Box<dyn Integrator>,
    collisions: Box<dyn Collisions>,
    high_order: HighOrderSubstep,
}

impl ElasticStepper {
    /// Of bodies, by an integrator, with contact.
    pub fn new(
        system: Arc<ElasticSystem>,
        integrator: Box<dyn Integrator>,
        collisions: Box<dyn Collisions>,
    ) -> Self {
        let high_order = HighOrderSubstep::default();
        ElasticStepper { system, integrator, collisions, high_order }
    }

    /// The bodies.
    pub fn system(&self) -> &Arc<ElasticSystem> {
        &self.system
    }

    /// What contact knows.
    pub fn collisions(&mut self) -> &mut dyn Collisions {
        &mut *self.collisions
    }

    /// Into how many substeps a step from a state would be divided, if bodies stayed as they are.
    ///
    /// # Errors
    /// If they are too many.
    pub fn planned_substeps(
        &mut self,
        state: &ElasticState,
        step: &ElasticStep<'_>,
    ) -> Result<u32, StepError> {
        let ElasticStep { time, dt, .. } = *step;
        let system = &*self.system;
        let whole = Substep { system, step, time, dt, parts: [0.0, 1.0] };
        self.integrator.count(&whole, state)
    }

    /// Advances a state by a step.
    ///
    /// # Errors
    /// If it needs too many substeps, contact finds no motion, or a node or an element is not
    /// finite at the end. The state is then somewhere within the step.
    ///
    /// # Panics
    /// If nodes are tied to solids whose motions are not given.
    pub fn advance(
        &mut self,
        state: &mut ElasticState,
        step: &ElasticStep<'_>,
    ) -> Result<StepReport, StepError> {
        assert!(step.motions.len() >= self.system.tied_bodies(), "nodes are tied to more solids");
        // Within a pool's thread the loops of small systems do not wait for one.
        parallel::inside_pool(|| self.advance_substeps(state, step))
    }

    fn advance_substeps(
        &mut self,
        state: &mut ElasticState,
        step: &ElasticStep<'_>,
    ) -> Result<StepReport, StepError> {
        let mut report = StepReport { shortest: step.dt, ..StepReport::default() };
        if step.dt <= 0.0 {
            return Ok(report);
        }
        let system = self.system.clone();
        let high_order = self.high_order(step)?;
        let substep = |done: f64, dt: f64, end: f64| Substep {
            system: &system,
            step,
            time: step.time + done,
            dt,
            parts: [done / step.dt, end],
        };
        let whole = substep(0.0, step.dt, 1.0);
        set_instant_velocities(&whole, 0.0, state);
        self.integrator.begin(&whole, state);
        let (mut done, mut dt, mut useless_cuts) = (0.0, f64::INFINITY, 0);
        let mut is_high_order = false;
        // Anything below a rounding of a step's many parts is none.
        while step.dt - done > 1e-12 * step.dt {
            let left = step.dt - done;
            if report.substeps.is_multiple_of(SUBSTEPS_PER_CHECK) {
                let count = self.integrator.count(&substep(done, left, 1.0), state);
                // A state that is not finite has no stable substep, either: say what is wrong.
                let finite = || check(&system, state, step.time + done);
                let count = count.or_else(|error| finite().and(Err(error)))?;
                let longest = left / f64::from(count);
                // Only what is too long changes.
                dt = if dt <= longest * (1.0 + 1e-9) { dt } else { longest };
                is_high_order = high_order > 0;
            }
            if is_high_order {
                let most = dt * f64::from(high_order);
                let count = (left / most - 1e-9).ceil().max(1.0);
                let (now, end) = (left / count, done + left / count);
                let end = if count > 1.0 { end } else { step.dt };
                let now = substep(done, now, end / step.dt);
                if self.advance_high_order(&now, state)? {
                    report.substeps += 1;
                    report.high_order_substeps += 1;
                    report.shortest = report.shortest.min(now.dt);
                    done = end;
                    continue;
                }
                is_high_order = false;
            }
            let is_last = left <= dt * (1.0 + 1e-9);
            let now = if is_last {
                substep(done, left, 1.0)
            } else {
                substep(done, dt, (done + dt) / step.dt)
            };
            report.shortest = report.shortest.min(now.dt);
            let drifted = self.advance_substep(&now, state)?;
            report.substeps += 1;
            done = if is_last && drifted == now.dt { step.dt } else { done + drifted };
            if drifted < now.dt {
                report.cut_substeps += 1;
                useless_cuts = if drifted > 0.0 { 0 } else { useless_cuts + 1 };
                let left = step.dt - done;
                dt = left / (left / dt - 1e-9).ceil().max(1.0);
            }
            if useless_cuts == MAX_CUTS {
                return Err(StepError::Stuck { time: now.time, cuts: useless_cuts });
            }
        }
        set_instant_velocities(&whole, 1.0, state);
        report.contact = self.collisions.take_counts();
        check(&system, state, step.time + step.dt)?;
        Ok(report)
    }

    /// How many others a substep of high order is long; 0 if there are none in this step.
    fn high_order(&self, step: &ElasticStep<'_>) -> Result<u32, StepError> {
        let kind = self.integrator.high_order();
        let unsupported = if kind == HighOrder::Always && !self.collisions.is_none() {
            "contact"
        } else if self.system.is_damped() {
            "damping"
        } else if step.acceleration.is_velocity_dependent() {
            "forces that depend on velocity, such as Coriolis forces in a rotating frame"
        } else {
            return Ok(match kind {
                HighOrder::Never => 0,
                HighOrder::WherePossible(length) => length,
                HighOrder::Always => 1,
            });
        };
        match kind {
            HighOrder::Always => Err(StepError::HighOrder { unsupported }),
            HighOrder::Never | HighOrder::WherePossible(_) => Ok(0),
        }
    }

    /// One substep of high order; returns whether it was possible.
    fn advance_high_order(
        &mut self,
        substep: &Substep<'_>,
        state: &mut ElasticState,
    ) -> Result<bool, StepError> {
        set_mean_velocities(substep, state);
        self.high_order.advance(substep, &mut *self.integrator, &mut *self.collisions, state)
    }

    /// One substep; returns for how long the nodes drifted \[s\].
    fn advance_substep(
        &mut self,
        substep: &Substep<'_>,
        state: &mut ElasticState,
    ) -> Result<f64, StepError> {
        let Substep { system, step, time, dt, parts } = *substep;
        set_mean_velocities(substep, state);
        let part = self.integrator.before_drift(substep, &mut *self.collisions, state)?;
        let (inverse_mass, motions) = (system.inverse_mass(), step.motions);
        let end = if part < 1.0 { parts[0] + part * (parts[1] - parts[0]) } else { parts[1] };
        let solids = SolidMotion { motions, parts: [parts[0], end] };
        let drifted = dt * part;
        let drift = Drift { inverse_mass, time, dt: drifted, solids };
        self.collisions.drift(&drift, &mut state.position, &mut state.velocity);
        self.integrator.after_drift(substep, drifted, state);
        Ok(drifted)
    }
}

/// Sets the velocities of tied nodes to those that take them to their places at the substep's end.
fn set_mean_velocities(substep: &Substep<'_>, state: &mut ElasticState) {
    let Substep { system, step, dt, parts, .. } = substep;
    for (node, fixing) in system.fixings() {
        let node = *node as usize;
        let place = fixing.place(step.motions, parts[1]);
        let way = place.map_or_else(Point::zeros, |(x, _)| x - state.position[node]);
        state.velocity[node] = way / *dt;
    }
}

/// Sets the velocities of tied nodes at an instant of the step, from 0 to 1; fixed ones rest.
fn set_instant_velocities(substep: &Substep<'_>, part: f64, state: &mut ElasticState) {
    let Substep { system, step, .. } = substep;
    for (node, fixing) in system.fixings() {
        let rate = fixing.place(step.motions, part).map_or_else(Point::zeros, |(_, rate)| rate);
        state.velocity[*node as usize] = rate / step.dt;
    }
}

/// Refuses nodes that are not finite or out of reach, and elements that are not finite.
fn check(system: &ElasticSystem, state: &ElasticState, time: f64) -> Result<(), StepError> {
    let is_finite = |x: &Point| x.iter().all(|x| has_real_square(*x));
    let mut nodes = state.position.iter().zip(&state.velocity);
    if let Some(at) = nodes.position(|(x, v)| !is_finite(x) || !is_finite(v)) {
        let (body, node) = system.locate(at);
        return Err(StepError::NotFinite {
            body: body.name.clone(),
            node,
            place: state.position[at].into(),
            velocity: state.velocity[at].into(),
            time,
        });
    }
    for energy in system.energies().iter() {
        if let Some(index) = energy.first_invalid(&state.position) {
            let corner = energy.nodes()[index * energy.corner_count()] as usize;
            return Err(StepError::Collapsed {
                body: system.locate(corner).0.name.clone(),
                element: energy.element_name(),
                index,
                place: state.position[corner].into(),
                time,
            });
        }
    }
    Ok(())
}
