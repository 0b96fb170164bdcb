//! Substeps of high order, in which nothing can touch.
//!
//! Splitting schemes of order above two go back and forth in time, and contact cannot act on their
//! way. So a substep is one of them only if contact says that nothing can touch on it: first by a
//! guess of how far the nodes will go from straight ways, which costs no force, and then, if one
//! went farther, by how far they went. If it is not clear, the state is what it was before.
//!
//! The answer depends on the state where the substep starts alone, and so does the step.

use super::integrator::{Integrator, Substep};
use super::step::StepError;
use crate::contact::{Collisions, NodeMotion, SolidMotion};
use crate::fixing::Fixing;
use crate::state::ElasticState;
use hashfall_core::parallel;

/// Memory of a substep.
#[derive(Clone, Debug, Default)]
pub(super) struct HighOrderSubstep {
    start: ElasticState,
    /// By node \[m\].
    guess: Vec<f64>,
    deviation: Vec<f64>,
}

impl HighOrderSubstep {
    /// Advances a state by a substep if nothing can touch; returns whether it did. Tied nodes have
    /// the velocities that take them to their places at its end.
    ///
    /// # Errors
    /// If nodes are where none can be.
    pub fn advance(
        &mut self,
        substep: &Substep<'_>,
        integrator: &mut dyn Integrator,
        collisions: &mut dyn Collisions,
        state: &mut ElasticState,
    ) -> Result<bool, StepError> {
        if collisions.is_none() {
            integrator.advance(substep, state, &mut |_, _| {});
            return Ok(true);
        }
        let HighOrderSubstep { start, guess, deviation } = self;
        integrator.guess_deviations(substep, guess);
        guess_deviations_of_tied(substep, state, guess);
        if !is_clear(substep, collisions, state, guess)? {
            return Ok(false);
        }
        start.position.clone_from(&state.position);
        start.velocity.clone_from(&state.velocity);
        deviation.clear();
        deviation.resize(start.position.len(), 0.0);
        let ElasticState { position: x, velocity: v } = &*start;
        integrator.advance(substep, state, &mut |part, position| {
            let way = part * substep.dt;
            parallel::fill(deviation, |node, most| {
                let now = (position[node] - x[node] - v[node] * way).norm();
                // What is not a number stays.
                *most = if *most >= now || most.is_nan() { *most } else { now };
            });
        });
        let is_within = deviation.iter().zip(&*guess).all(|(found, guess)| found <= guess);
        let is_finite = deviation.iter().all(|deviation| deviation.is_finite());
        if is_within || (is_finite && is_clear(substep, collisions, start, deviation)?) {
            return Ok(true);
        }
        state.position.clone_from(&start.position);
        state.velocity.clone_from(&start.velocity);
        integrator.begin(substep, state);
        Ok(false)
    }
}

/// Twice what the arcs of tied nodes make of theirs: schemes go a little back and forth.
fn guess_deviations_of_tied(substep: &Substep<'_>, state: &ElasticState, deviation: &mut [f64]) {
    for (node, fixing) in substep.system.fixings() {
        if let Fixing::Tied { body, .. } = fixing {
            let (node, motion) = (*node as usize, &substep.step.motions[*body as usize]);
            let chord_squared = (state.velocity[node] * substep.dt).norm_squared();
            deviation[node] =
                2.0 * motion.deviation(&state.position[node], substep.parts, chord_squared);
        }
    }
}

fn is_clear(
    substep: &Substep<'_>,
    collisions: &mut dyn Collisions,
    state: &ElasticState,
    deviation: &[f64],
) -> Result<bool, StepError> {
    let Substep { system, step, time, dt, parts } = *substep;
    let (position, inverse_mass) = (&state.position[..], system.inverse_mass());
    let solids = SolidMotion { motions: step.motions, parts };
    let motion = NodeMotion { position, inverse_mass, time, dt, solids };
    Ok(collisions.is_clear(&motion, &state.velocity, deviation)?)
}
