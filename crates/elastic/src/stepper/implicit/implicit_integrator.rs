//! The implicit integrator: TR-BDF2 where nothing touches, implicit Euler where something does.
//!
//! TR-BDF2 (Bank et al. 1985, *Transient Simulation of Silicon Devices and Circuits*): the
//! trapezoidal rule over γ h, then the backward difference of second order over the rest; with
//! γ = 2 − √2 both stages have c = γ h/2. It is of second order and L-stable: modes far faster than
//! the substep die out at once. Of a swing of angular frequency ω it takes the part
//! 0.0037 (ω h)⁴ of the amplitude in a substep, where implicit Euler takes (ω h)²/2.
//!
//! Contact needs impulses within the solution: what stops a node after it has been solved for
//! strains the elements by all that the others continue to move. So where contact changes the
//! velocities of TR-BDF2, the substep is made anew by implicit Euler, with elasticity and contact
//! in turns: the method of multipliers in alternating directions (Boyd et al. 2011, *Distributed
//! Optimization … via ADMM*, eqs. 3.5–3.7) for min Φ(u) + I(w), u = w, where Φ is what implicit
//! Euler minimises and I lets velocities be those that contact allows: u = argmin Φ(u) + R |u − w +
//! y|²/2, w = contact of u + y with the masses R, y += u − w, with R = √(m m'), the mean of the
//! mass of a node and that with which it resists within its elements. Then q = −R y are the
//! impulses of contact, and the substep is solved for with them. The last word has contact, with
//! the true masses: nothing may come through. As impulses are those of pairs, momentum stays.
//!
//! Impulses that add up from round to round lose: with true masses they take as many rounds as a
//! node is stiffer than heavy, (ω h)²; with effective masses m' a body that lands flat is thrown
//! up, as all its nodes are stopped as if they were alone.
//!
//! Symbols: h substep, u, w, y velocities, q impulses \[kg·m/s\], m' = m + h² k with k a third of
//! the trace of a node's block of the stiffness \[N/m\]; others as in [stage](super::stage).

use super::settings::ImplicitSettings;
use super::stage::{Attraction, NewtonSolver, NotConverged, SolverCounts, Stage};
use crate::contact::Collisions;
use crate::state::ElasticState;
use crate::stepper::integrator::{Integrator, Substep};
use crate::stepper::step::StepError;
use hashfall_core::parallel;
use hashfall_geometry::Point;

/// γ = 2 − √2.
const GAMMA: f64 = 2.0 - std::f64::consts::SQRT_2;
/// Rounds end when elasticity and contact differ by less than this part of what they did first.
const ROUND_TOLERANCE: f64 = 1e-3;
/// Smallest tolerance of Newton's method in the rounds of elasticity and contact, whose impulses
/// need be no better.
const ROUND_NEWTON: f64 = 1e-4;

/// The integrator's memory.
#[derive(Debug, Default)]
pub struct Implicit {
    settings: ImplicitSettings,
    newton: NewtonSolver,
    /// At the start of the substep.
    a: Vec<Point>,
    x: Vec<Point>,
    x_v: Vec<Point>,
    v_b: Vec<Point>,
    middle: (Vec<Point>, Vec<Point>),
    /// At its end, without contact.
    end_velocity: Vec<Point>,
    /// What contact makes of the mean velocities.
    contact_velocity: Vec<Point>,
    /// y \[m/s\].
    multiplier: Vec<Point>,
    /// w − y \[m/s\].
    target: Vec<Point>,
    /// R \[kg\], and 1/R; 0 of held nodes.
    weight: Vec<f64>,
    inverse_weight: Vec<f64>,
    is_in_contact: bool,
}

impl Implicit {
    /// With these settings.
    pub fn new(settings: ImplicitSettings) -> Self {
        Implicit { settings, ..Implicit::default() }
    }

    /// What was solved so far.
    pub fn counts(&self) -> SolverCounts {
        self.newton.counts
    }

    /// Solves a stage: with `c` \[s\], its diagonal coefficient times the substep, ending at
    /// `part` \[–\] of the substep.
    fn solve(
        &mut self,
        substep: &Substep<'_>,
        c: f64,
        part: f64,
        is_attracted: bool,
        origin: &[Point],
    ) -> Result<(), StepError> {
        let time = substep.time + part * substep.dt;
        let attraction = Attraction { weight: &self.weight, target: &self.target };
        let attraction = is_attracted.then_some(attraction);
        let stage = Stage { c, time, x_v: &self.x_v, v_b: &self.v_b, origin, attraction };
        let tolerance = if is_attracted {
            self.settings.tolerance.max(ROUND_NEWTON)
        } else {
            self.settings.tolerance
        };
        let settings = ImplicitSettings { tolerance, ..self.settings };
        let solved = self.newton.solve(substep, &stage, &settings, &mut self.x);
        solved.map_err(|NotConverged { change }| StepError::NotConverged {
            time: substep.time,
            dt: substep.dt,
            max_newton: self.settings.max_newton,
            change,
        })
    }

    /// The guess of a stage: nodes continue as they do, to a part of the substep.
    fn guess(&mut self, substep: &Substep<'_>, part: f64, state: &ElasticState) {
        let way = part * substep.dt;
        self.x.resize(state.position.len(), Point::zeros());
        let ElasticState { position, velocity } = state;
        parallel::fill(&mut self.x, |node, x| *x = position[node] + velocity[node] * way);
    }

    /// xᵥ and v_b of a stage.
    fn set_stage(&mut self, of: impl Fn(usize) -> (Point, Point) + Sync) {
        let n = self.x.len();
        self.x_v.resize(n, Point::zeros());
        self.v_b.resize(n, Point::zeros());
        parallel::fill_both(&mut self.x_v, &mut self.v_b, |node, x_v, v_b| {
            (*x_v, *v_b) = of(node);
        });
    }

    /// (x − xᵥ)/c.
    fn write_velocity(&self, c: f64, out: &mut Vec<Point>) {
        out.resize(self.x.len(), Point::zeros());
        parallel::fill(out, |node, v| *v = (self.x[node] - self.x_v[node]) / c);
    }

    /// TR-BDF2: places in `x`, velocities in `end_velocity`.
    fn solve_free(&mut self, substep: &Substep<'_>, state: &ElasticState) -> Result<(), StepError> {
        let ElasticState { position: x0, velocity: v0 } = state;
        let c = 0.5 * GAMMA * substep.dt;
        let mut a = std::mem::take(&mut self.a);
        self.newton.accelerations(substep, substep.time, x0, v0, &mut a);
        self.guess(substep, GAMMA, state);
        self.set_stage(|node| (x0[node] + v0[node] * c, v0[node] + a[node] * c));
        self.a = a;
        self.solve(substep, c, GAMMA, false, x0)?;
        let (mut x1, mut v1) = std::mem::take(&mut self.middle);
        self.write_velocity(c, &mut v1);
        x1.clone_from(&self.x);
        let scale = 1.0 / (GAMMA * (2.0 - GAMMA));
        let old = scale * (1.0 - GAMMA) * (1.0 - GAMMA);
        self.set_stage(|node| {
            (x1[node] * scale - x0[node] * old, v1[node] * scale - v0[node] * old)
        });
        let rest = (1.0 - GAMMA) * substep.dt;
        parallel::fill(&mut self.x, |node, x| *x = x1[node] + v1[node] * rest);
        hold(substep, state, &mut self.x);
        self.middle = (x1, v1);
        self.solve(substep, c, 1.0, false, x0)?;
        let mut end = std::mem::take(&mut self.end_velocity);
        self.write_velocity(c, &mut end);
        self.end_velocity = end;
        Ok(())
    }

    /// Implicit Euler, with the impulses of contact or drawn to what contact allows: places in `x`.
    fn solve_in_contact(
        &mut self,
        substep: &Substep<'_>,
        is_attracted: bool,
        state: &ElasticState,
    ) -> Result<(), StepError> {
        let ElasticState { position: x0, velocity: v0 } = state;
        let multiplier = std::mem::take(&mut self.multiplier);
        let weight = std::mem::take(&mut self.weight);
        let inverse_mass = substep.system.inverse_mass();
        self.set_stage(|node| {
            let change = multiplier[node] * (weight[node] * inverse_mass[node]);
            (x0[node], if is_attracted { v0[node] } else { v0[node] - change })
        });
        (self.multiplier, self.weight) = (multiplier, weight);
        self.solve(substep, substep.dt, 1.0, is_attracted, x0)
    }

    /// Elasticity and contact in turns: their multipliers.
    fn alternate(
        &mut self,
        substep: &Substep<'_>,
        collisions: &mut dyn Collisions,
        state: &ElasticState,
    ) -> Result<(), StepError> {
        let mut first = None;
        for _ in 0..self.settings.contact_rounds {
            let (x, dt) = (&self.x, substep.dt);
            let mean = |node: usize| (x[node] - state.position[node]) / dt;
            self.contact_velocity.resize(x.len(), Point::zeros());
            let multiplier = &self.multiplier;
            parallel::fill(&mut self.contact_velocity, |node, w| {
                *w = mean(node) + multiplier[node]
            });
            hold_velocity(substep, state, &mut self.contact_velocity);
            let (masses, w) = (&self.inverse_weight, &mut self.contact_velocity);
            substep.resolve(collisions, masses, &state.position, w)?;
            let (w, weight) = (&self.contact_velocity, &self.weight);
            let of = |node: usize| weight[node] * (mean(node) - w[node]).norm_squared();
            let [apart] = parallel::sum(x.len(), |node| [of(node)]);
            self.target.resize(x.len(), Point::zeros());
            parallel::fill_both(&mut self.multiplier, &mut self.target, |node, y, z| {
                *y += mean(node) - w[node];
                *z = w[node] - *y;
            });
            if apart <= ROUND_TOLERANCE * ROUND_TOLERANCE * *first.get_or_insert(apart) {
                break;
            }
            self.solve_in_contact(substep, true, state)?;
        }
        Ok(())
    }

    /// Mean velocities of the substep, and what contact makes of them; returns the free part.
    fn ask_contact(
        &mut self,
        substep: &Substep<'_>,
        collisions: &mut dyn Collisions,
        inverse_mass: &[f64],
        state: &ElasticState,
    ) -> Result<f64, StepError> {
        let (x, dt) = (&self.x, substep.dt);
        self.contact_velocity.resize(x.len(), Point::zeros());
        parallel::fill(&mut self.contact_velocity, |node, v| {
            *v = (x[node] - state.position[node]) / dt;
        });
        hold_velocity(substep, state, &mut self.contact_velocity);
        substep.resolve(collisions, inverse_mass, &state.position, &mut self.contact_velocity)
    }

    /// Whether contact left the mean velocities as they are.
    fn is_untouched(&self, substep: &Substep<'_>, state: &ElasticState) -> bool {
        let inverse_mass = substep.system.inverse_mass();
        let is_same = |node: usize| {
            let mean = (self.x[node] - state.position[node]) / substep.dt;
            inverse_mass[node] == 0.0 || self.contact_velocity[node] == mean
        };
        (0..self.x.len()).all(is_same)
    }

    /// R at the places of `x`.
    fn update_weights(&mut self, substep: &Substep<'_>) {
        let system = substep.system;
        let x = std::mem::take(&mut self.x);
        self.newton.update_matrix(substep, substep.dt, None, &x);
        self.x = x;
        let matrix = &self.newton.matrix;
        self.weight.resize(matrix.row_count(), 0.0);
        self.inverse_weight.resize(matrix.row_count(), 0.0);
        let (mass, inverse_mass) = (system.mass(), system.inverse_mass());
        parallel::fill_both(&mut self.weight, &mut self.inverse_weight, |node, weight, inverse| {
            let scalar = 1.0 / mass[node];
            let block = matrix.diagonal(node).try_inverse();
            let effective = 3.0 / block.map_or(3.0 * scalar, |block| block.trace());
            let is_held = inverse_mass[node] == 0.0;
            *weight = if is_held { 0.0 } else { (mass[node] * effective).sqrt() };
            *inverse = if is_held { 0.0 } else { 1.0 / *weight };
        });
    }
}

/// Held nodes go with their velocities to their places.
fn hold(substep: &Substep<'_>, state: &ElasticState, x: &mut [Point]) {
    for (node, _) in substep.system.fixings() {
        let node = *node as usize;
        x[node] = state.position[node] + state.velocity[node] * substep.dt;
    }
}

/// Held nodes keep their velocities, to the bit.
fn hold_velocity(substep: &Substep<'_>, state: &ElasticState, velocity: &mut [Point]) {
    for (node, _) in substep.system.fixings() {
        velocity[*node as usize] = state.velocity[*node as usize];
    }
}

impl Integrator for Implicit {
    fn begin(&mut self, _substep: &Substep<'_>, _state: &ElasticState) {}

    fn count(&mut self, substep: &Substep<'_>, _state: &ElasticState) -> Result<u32, StepError> {
        let whole = substep.step.dt / f64::from(self.settings.substeps.max(1));
        Ok((substep.dt / whole - 1e-9).ceil().max(1.0) as u32)
    }

    fn before_drift(
        &mut self,
        substep: &Substep<'_>,
        collisions: &mut dyn Collisions,
        state: &mut ElasticState,
    ) -> Result<f64, StepError> {
        self.solve_free(substep, state)?;
        let inverse_mass = substep.system.inverse_mass();
        let mut part = self.ask_contact(substep, collisions, inverse_mass, state)?;
        self.is_in_contact = part < 1.0 || !self.is_untouched(substep, state);
        if self.is_in_contact {
            self.multiplier.clear();
            self.multiplier.resize(state.position.len(), Point::zeros());
            self.weight.clear();
            self.weight.resize(state.position.len(), 0.0);
            self.guess(substep, 1.0, state);
            self.solve_in_contact(substep, false, state)?;
            self.update_weights(substep);
            self.alternate(substep, collisions, state)?;
            self.solve_in_contact(substep, false, state)?;
            part = self.ask_contact(substep, collisions, inverse_mass, state)?;
        }
        std::mem::swap(&mut state.velocity, &mut self.contact_velocity);
        Ok(part)
    }

    /// Drifts may change velocities, too.
    fn after_drift(&mut self, substep: &Substep<'_>, drifted: f64, state: &mut ElasticState) {
        if self.is_in_contact || drifted < substep.dt {
            return;
        }
        state.velocity.clone_from(&self.end_velocity);
    }
}
