//! Emitters, sinks, and the account of both.

use super::ranges::{all_finite, finite, not_negative, out_of_range, positive};
use crate::world::{Emitter, EmitterState, Sink, World, WorldError};
use hashfall_core::Dimension;

/// The most layers of a nozzle, far more than a support radius is deep.
const MAX_DEPTH: u32 = 1000;
/// The normal of an opening is of length 1, and in the plane, but for this much \[–\].
const UNIT: f64 = 1e-6;

impl World {
    pub(super) fn validate_emitters(&self) -> Result<(), WorldError> {
        let open = &self.open_boundaries;
        for (emitter, it) in open.emitters.iter().enumerate() {
            if let Some(problem) = self.problem_of(it) {
                return Err(WorldError::Emitter { emitter, problem });
            }
        }
        open.sinks.iter().enumerate().try_for_each(|(k, sink)| validate_sink(k, sink))?;
        self.validate_account()
    }

    /// Why an emitter can give no fluid.
    fn problem_of(&self, emitter: &Emitter) -> Option<&'static str> {
        let Emitter { phase, places, normal, velocity, start, end, depth, tunnel, rim } = emitter;
        let mut all = places.iter().chain(tunnel).chain(rim).flat_map(|x| x.iter());
        // NaN is not near 1.
        let is_unit = (normal.iter().map(|n| n * n).sum::<f64>() - 1.0).abs() < UNIT;
        let is_plane = self.dimension == Dimension::Two;
        let leaves_plane = velocity[1].abs().max(normal[1].abs()) > UNIT;
        let problems = [
            (usize::from(*phase) >= self.fluids.len(), "a fluid that is not there"),
            (places.is_empty(), "no place for a particle"),
            (!all.all(|x| x.is_finite()), "a place that is not finite"),
            (!velocity.iter().all(|v| v.is_finite()), "a velocity that is not finite"),
            (!is_unit, "a normal that is not of length 1"),
            (emitter.speed_across() <= 0.0, "no speed out of its opening"),
            (is_plane && leaves_plane, "a direction out of the plane"),
            (!start.is_finite(), "a start that is not finite"),
            (end.is_nan(), "an end that is no time"),
            (!(1..=MAX_DEPTH).contains(depth), "a nozzle of no layer, or of more than 1000"),
        ];
        problems.into_iter().find(|(is_there, _)| *is_there).map(|(_, problem)| problem)
    }

    fn validate_account(&self) -> Result<(), WorldError> {
        let (open, d) = (&self.open_boundaries, f64::from(self.spacing()));
        let account = &open.budget;
        all_finite("open_boundaries.budget", &[account.energy, account.work])?;
        if !open.is_open() {
            return Ok(());
        }
        let counts = [account.emitted.len(), account.removed.len()];
        let is_of_fluids = counts.iter().all(|&count| count == self.fluids.len());
        if !is_of_fluids || account.emitters.len() != open.emitters.len() {
            return Err(WorldError::Account);
        }
        for (k, (emitter, state)) in open.emitters.iter().zip(&account.emitters).enumerate() {
            let EmitterState { travelled, layers, rests_until, .. } = state;
            let name = |field: &str| format!("open_boundaries.budget.emitters[{k}].{field}");
            not_negative(&name("travelled"), *travelled)?;
            finite(&name("rests_until"), *rests_until)?;
            let due = emitter.layers_due(self.time, *travelled, d);
            if due.saturating_sub(*layers) > u64::from(emitter.depth) + 1 {
                let range = "as many as its fluid's way holds";
                return Err(out_of_range(&name("layers"), *layers as f64, range));
            }
        }
        Ok(())
    }
}

fn validate_sink(k: usize, sink: &Sink) -> Result<(), WorldError> {
    let name = |field: &str| format!("open_boundaries.sinks[{k}].{field}");
    match sink {
        Sink::Box { min, max } => (0..3).try_for_each(|a| match min[a] <= max[a] {
            true => Ok(()),
            false => Err(out_of_range(&name("min"), min[a], "no more than `max`")),
        }),
        Sink::Ball { centre, radius } => {
            all_finite(&name("centre"), centre)?;
            positive(&name("radius"), *radius)
        }
    }
}
