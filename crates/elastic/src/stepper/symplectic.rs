//! Symplectic integrators: velocity Verlet, of second order, and splittings of higher order.
//!
//! Verlet: v += h a/2, x += h v, a = f(x, v̂)/m + g − α v̂, v += h a/2. Damping and
//! velocity-dependent fields see the velocity extrapolated to the end of the substep, v̂ = v + h
//! a/2 with the acceleration before, so that they are of second order, too, with one evaluation of
//! the forces in a substep. Without them the map is symplectic and reversible: energy swings about
//! a constant. Forces that sum to zero, with moments that do, keep momentum and angular momentum
//! to rounding.
//!
//! After a drift that contact cut to the part s, the second kick is over (s − ½) h, so that forces
//! act for as long as nodes move.
//!
//! Without damping, and in fields of place and time alone, substeps in which nothing can touch are
//! of sixth order by default ([`SymplecticOrder`]), each as long as [`VERLET_SUBSTEPS`] of Verlet.
//!
//! Symbols: x place, v velocity, a acceleration, f elastic force, m mass, g field, α damping rate,
//! h substep.

use super::integrator::{HighOrder, Integrator, Substep};
use super::splitting::SymplecticOrder;
use super::stable_substep::{StableSubstep, SubstepBuffer};
use super::step::StepError;
use crate::contact::Collisions;
use crate::energy::SlotBuffer;
use crate::state::ElasticState;
use hashfall_core::parallel;
use hashfall_geometry::Point;

/// How many substeps of velocity Verlet one of the sixth order is long, where the order is
/// automatic.
const VERLET_SUBSTEPS: u32 = 2;

/// How long symplectic substeps are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SymplecticSettings {
    /// Of which order substeps are, and when.
    pub order: SymplecticOrder,
    /// A substep over the longest stable one of its scheme, above 0, below 1; that of velocity
    /// Verlet where the order is automatic.
    pub substep_ratio: f64,
    /// The most substeps in a step.
    pub max_substeps: u32,
}

impl Default for SymplecticSettings {
    fn default() -> Self {
        SymplecticSettings {
            order: SymplecticOrder::Automatic,
            substep_ratio: 0.5,
            max_substeps: 1_000_000,
        }
    }
}

impl SymplecticSettings {
    /// How long substeps are \[s\] if so long a one of velocity Verlet is just stable; those with
    /// contact where the order is automatic.
    pub fn substep(&self, stable: f64) -> f64 {
        let of_scheme = match self.order {
            SymplecticOrder::Automatic => 1.0,
            fixed => fixed.splitting().stability,
        };
        self.substep_ratio * of_scheme * stable
    }

    /// How long they are \[s\] where nothing can touch, and how often they evaluate the forces.
    pub fn substep_without_contact(&self, stable: f64) -> (f64, usize) {
        let count = match self.order {
            SymplecticOrder::Automatic => f64::from(VERLET_SUBSTEPS),
            _ => 1.0,
        };
        (count * self.substep(stable), self.order.splitting().evaluations())
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
    fn update_acceleration(
        &mut self,
        substep: &Substep<'_>,
        time: f64,
        position: &[Point],
        velocity: &[Point],
    ) {
        let system = substep.system;
        self.force.resize(position.len(), Point::zeros());
        self.acceleration.resize(position.len(), Point::zeros());
        system.energies().forces(position, velocity, &mut self.slots, &mut self.force);
        let (force, field) = (&self.force, substep.step.acceleration);
        let (inverse_mass, rates) = (system.inverse_mass(), system.damping_rates());
        parallel::fill(&mut self.acceleration, |node, a| {
            *a = if inverse_mass[node] == 0.0 {
                Point::zeros()
            } else {
                let (x, v) = (&position[node], &velocity[node]);
                force[node] * inverse_mass[node] + field.evaluate(x, v, time) - v * rates[node]
            };
        });
    }

    /// v += h a.
    fn kick(&self, h: f64, state: &mut ElasticState) {
        let a = &self.acceleration;
        parallel::fill(&mut state.velocity, |node, v| *v += a[node] * h);
    }
}

/// Moves free nodes by h v, and those that are held to their places at a part of the step.
fn drift(substep: &Substep<'_>, h: f64, part: f64, state: &mut ElasticState) {
    let ElasticState { position, velocity } = state;
    parallel::fill(position, |node, x| *x += velocity[node] * h);
    for (node, fixing) in substep.system.fixings() {
        if let Some((x, _)) = fixing.place(substep.step.motions, part) {
            position[*node as usize] = x;
        }
    }
}

impl Integrator for Symplectic {
    fn begin(&mut self, substep: &Substep<'_>, state: &ElasticState) {
        self.update_acceleration(substep, substep.time, &state.position, &state.velocity);
    }

    fn count(&mut self, substep: &Substep<'_>, state: &ElasticState) -> Result<u32, StepError> {
        let stable = StableSubstep::new(substep.system, state, &mut self.substep);
        let lengths = [substep.time, substep.dt, self.settings.substep(1.0)];
        stable.count(substep.system, state, lengths, self.settings.max_substeps)
    }

    fn high_order(&self) -> HighOrder {
        match self.settings.order {
            SymplecticOrder::Automatic => HighOrder::WherePossible(VERLET_SUBSTEPS),
            SymplecticOrder::Second => HighOrder::Never,
            SymplecticOrder::Fourth | SymplecticOrder::Sixth => HighOrder::Always,
        }
    }

    /// Twice what the acceleration at the start makes of it.
    fn guess_deviations(&self, substep: &Substep<'_>, deviation: &mut Vec<f64>) {
        let (a, square) = (&self.acceleration, substep.dt * substep.dt);
        deviation.resize(a.len(), 0.0);
        parallel::fill(deviation, |node, deviation| *deviation = a[node].norm() * square);
    }

    fn advance(
        &mut self,
        substep: &Substep<'_>,
        state: &mut ElasticState,
        see: &mut dyn FnMut(f64, &[Point]),
    ) {
        let Substep { time, dt, parts: [start, end], .. } = *substep;
        let splitting = self.settings.order.splitting();
        let mut done = 0.0;
        for (kick, part) in splitting.stages() {
            self.kick(kick * dt, state);
            done += part;
            drift(substep, part * dt, start + done * (end - start), state);
            let ElasticState { position, velocity } = &*state;
            see(done, position);
            self.update_acceleration(substep, time + done * dt, position, velocity);
        }
        self.kick(splitting.last_kick() * dt, state);
    }

    fn before_drift(
        &mut self,
        substep: &Substep<'_>,
        collisions: &mut dyn Collisions,
        state: &mut ElasticState,
    ) -> Result<f64, StepError> {
        self.kick(0.5 * substep.dt, state);
        let ElasticState { position, velocity } = state;
        substep.resolve(collisions, substep.system.inverse_mass(), position, velocity)
    }

    fn after_drift(&mut self, substep: &Substep<'_>, drifted: f64, state: &mut ElasticState) {
        let rest = drifted - 0.5 * substep.dt;
        let mut predicted = std::mem::take(&mut self.predicted);
        predicted.resize(state.velocity.len(), Point::zeros());
        let (velocity, a) = (&state.velocity, &self.acceleration);
        parallel::fill(&mut predicted, |node, v| *v = velocity[node] + a[node] * rest);
        self.update_acceleration(substep, substep.time + drifted, &state.position, &predicted);
        self.predicted = predicted;
        self.kick(rest, state);
    }
}
