//! Velocity Verlet: a symplectic integrator of second order.
//!
//! v += h a/2, x += h v, a = f(x, v̂)/m + g − α v̂, v += h a/2. Damping and velocity-dependent fields
//! see the velocity extrapolated to the end of the substep, v̂ = v + h a/2 with the acceleration
//! before, so that they are of second order, too, with one evaluation of the forces in a substep.
//! Without them the map is symplectic and reversible: energy swings about a constant. Forces that
//! sum to zero, with moments that do, keep momentum and angular momentum to rounding.
//!
//! After a drift that contact cut to the part s, the second kick is over (s − ½) h, so that forces
//! act for as long as nodes move.
//!
//! Symbols: x place, v velocity, a acceleration, f elastic force, m mass, g field, α damping rate,
//! h substep.

use super::integrator::{Integrator, Substep};
use super::stable_substep::{StableSubstep, SubstepBuffer};
use super::step::StepError;
use crate::energy::SlotBuffer;
use crate::state::ElasticState;
use hashfall_core::parallel;
use hashfall_geometry::Point;

/// How long symplectic substeps are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SymplecticSettings {
    /// A substep over the longest stable one, above 0, below 1.
    pub substep_ratio: f64,
    /// The most substeps in a step.
    pub max_substeps: u32,
}

impl Default for SymplecticSettings {
    fn default() -> Self {
        SymplecticSettings { substep_ratio: 0.5, max_substeps: 1_000_000 }
    }
}

/// The integrator's memory.
#[derive(Debug, Default)]
pub struct Symplectic {
    settings: SymplecticSettings,
    slots: SlotBuffer<Point>,
    substep: SubstepBuffer,
    force: Vec<Point>,
    /// a at the present state \[m/s²\].
    acceleration: Vec<Point>,
    /// v̂ \[m/s\].
    predicted: Vec<Point>,
}

impl Symplectic {
    /// With substeps of a length.
    pub fn new(settings: SymplecticSettings) -> Self {
        Symplectic { settings, ..Symplectic::default() }
    }

    /// Computes a, with v̂ for the velocity.
    fn update_acceleration(&mut self, substep: &Substep<'_>, time: f64, position: &[Point]) {
        let (system, predicted) = (substep.system, &self.predicted);
        self.force.resize(position.len(), Point::zeros());
        self.acceleration.resize(position.len(), Point::zeros());
        system.energies().forces(position, predicted, &mut self.slots, &mut self.force);
        let (force, field) = (&self.force, substep.step.acceleration);
        let (inverse_mass, rates) = (system.inverse_mass(), system.damping_rates());
        parallel::fill(&mut self.acceleration, |node, a| {
            *a = if inverse_mass[node] == 0.0 {
                Point::zeros()
            } else {
                let (x, v) = (&position[node], &predicted[node]);
                force[node] * inverse_mass[node] + field(x, v, time) - v * rates[node]
            };
        });
    }
}

impl Integrator for Symplectic {
    fn begin(&mut self, substep: &Substep<'_>, state: &ElasticState) {
        self.predicted.clone_from(&state.velocity);
        self.update_acceleration(substep, substep.time, &state.position);
    }

    fn count(&mut self, substep: &Substep<'_>, state: &ElasticState) -> Result<u32, StepError> {
        let stable = StableSubstep::new(substep.system, state, &mut self.substep);
        let SymplecticSettings { substep_ratio, max_substeps } = self.settings;
        let lengths = [substep.time, substep.dt, substep_ratio];
        stable.count(substep.system, state, lengths, max_substeps)
    }

    fn before_drift(
        &mut self,
        substep: &Substep<'_>,
        state: &mut ElasticState,
    ) -> Result<(), StepError> {
        let (half, a) = (0.5 * substep.dt, &self.acceleration);
        parallel::fill(&mut state.velocity, |node, v| *v += a[node] * half);
        Ok(())
    }

    fn after_drift(&mut self, substep: &Substep<'_>, drifted: f64, state: &mut ElasticState) {
        let rest = drifted - 0.5 * substep.dt;
        let (velocity, a) = (&state.velocity, &self.acceleration);
        parallel::fill(&mut self.predicted, |node, v| *v = velocity[node] + a[node] * rest);
        self.update_acceleration(substep, substep.time + drifted, &state.position);
        let a = &self.acceleration;
        parallel::fill(&mut state.velocity, |node, v| *v += a[node] * rest);
    }
}
