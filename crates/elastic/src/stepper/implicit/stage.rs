//! One stage of an implicit scheme: the places x with v = (x − xᵥ)/c and v = v_b + c a(x, v, t),
//! that is, M (x − xᵥ − c v_b) − c² M a = 0, by Newton's method.
//!
//! The matrix is A = M (1 + α c) + c² K + c D, with K projected on the positive semidefinite
//! matrices element by element, so that each direction s = −A⁻¹ g descends along the gradient g of
//! what is minimised. A step is halved until the slope at its end, g·s, is no more than half of
//! that at its start on the other side: of a quadratic the minimum is then nearer than twice the
//! step. It is doubled while the slope is still more than half of that at the start: where shells
//! buckle, the projected matrix is too stiff. The test needs no energy, which damping has not, and
//! no differences of large numbers. Each system is solved by conjugate gradients to a part of its
//! right side.
//!
//! It is done when a step is small against the way of the stage, in the norm of the masses, or near
//! the rounding of places.
//!
//! Symbols: M masses, a acceleration of elasticity, damping and fields, K stiffness, D damping of
//! elements, α of the air, c \[s\], g \[kg·m\].

use super::block_matrix::BlockMatrix;
use super::conjugate_gradients::{ConjugateGradients, dot};
use super::incomplete_cholesky::IncompleteCholesky;
use super::settings::ImplicitSettings;
use crate::energy::SlotBuffer;
use crate::stepper::integrator::Substep;
use hashfall_core::parallel;
use hashfall_geometry::Point;
use nalgebra::Matrix3;

/// The part of the right side that conjugate gradients leave.
const SYSTEM_TOLERANCE: f64 = 0.03;
/// How often a step of Newton's method is halved or doubled.
const MAX_TRIALS: u32 = 14;
/// Steps below this part of the extent of all bodies are rounding.
const ROUNDING: f64 = 1e-14;

/// What a stage is of.
#[derive(Clone, Copy, Debug)]
pub struct Stage<'a> {
    /// c \[s\].
    pub c: f64,
    /// When it ends \[s\].
    pub time: f64,
    /// xᵥ \[m\].
    pub x_v: &'a [Point],
    /// v_b \[m/s\].
    pub v_b: &'a [Point],
    /// Where nodes are when the step begins: what its way is measured from \[m\].
    pub origin: &'a [Point],
    /// What draws the velocities to others, if anything.
    pub attraction: Option<Attraction<'a>>,
}

/// Adds R |v − z|²/2 to what is minimised.
#[derive(Clone, Copy, Debug)]
pub struct Attraction<'a> {
    /// R \[kg\].
    pub weight: &'a [f64],
    /// z \[m/s\].
    pub target: &'a [Point],
}

/// What a solution took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SolverCounts {
    /// Steps of Newton's method.
    pub newton: u64,
    /// Iterations of conjugate gradients.
    pub conjugate_gradients: u64,
}

/// How far it came: the last step over the way of the stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NotConverged {
    /// 1 if it is not known.
    pub change: f64,
}

/// The memory of Newton's method.
#[derive(Debug, Default)]
pub struct NewtonSolver {
    pub counts: SolverCounts,
    pub matrix: BlockMatrix,
    /// M (1 + α c) + R of all nodes \[kg\]; 0 of those that are held.
    mass: Vec<f64>,
    /// Of all elements \[kg\].
    blocks: Vec<Matrix3<f64>>,
    preconditioner: IncompleteCholesky,
    cg: ConjugateGradients,
    slots: SlotBuffer<Point>,
    force: Vec<Point>,
    velocity: Vec<Point>,
    gradient: Vec<Point>,
    trial: Vec<Point>,
    trial_gradient: Vec<Point>,
    accepted: (Vec<Point>, Vec<Point>),
    direction: Vec<Point>,
    damping: Vec<Matrix3<f64>>,
}

impl NewtonSolver {
    /// a(x, v, t) of all nodes \[m/s²\]; zero of those that are held.
    pub fn accelerations(
        &mut self,
        substep: &Substep<'_>,
        time: f64,
        x: &[Point],
        v: &[Point],
        out: &mut Vec<Point>,
    ) {
        let system = substep.system;
        out.resize(x.len(), Point::zeros());
        self.force.resize(x.len(), Point::zeros());
        system.energies().forces(x, v, &mut self.slots, &mut self.force);
        let (force, field) = (&self.force, substep.step.acceleration);
        let (inverse_mass, rates) = (system.inverse_mass(), system.damping_rates());
        parallel::fill(out, |node, a| {
            *a = if inverse_mass[node] == 0.0 {
                Point::zeros()
            } else {
                let (x, v) = (&x[node], &v[node]);
                force[node] * inverse_mass[node] + field.evaluate(x, v, time) - v * rates[node]
            };
        });
    }

    /// g at x.
    fn update_gradient(
        &mut self,
        substep: &Substep<'_>,
        stage: &Stage<'_>,
        x: &[Point],
        out: &mut Vec<Point>,
    ) {
        let Stage { c, x_v, v_b, .. } = *stage;
        let mut velocity = std::mem::take(&mut self.velocity);
        velocity.resize(x.len(), Point::zeros());
        parallel::fill(&mut velocity, |node, v| *v = (x[node] - x_v[node]) / c);
        self.accelerations(substep, stage.time, x, &velocity, out);
        let system = substep.system;
        let (mass, inverse_mass) = (system.mass(), system.inverse_mass());
        parallel::fill(out, |node, g| {
            let mass = if inverse_mass[node] == 0.0 { 0.0 } else { mass[node] };
            *g = (velocity[node] - v_b[node] - *g * c) * (mass * c);
            if let Some(Attraction { weight, target }) = stage.attraction {
                *g += (velocity[node] - target[node]) * (weight[node] * c);
            }
        });
        self.velocity = velocity;
    }

    /// A at x.
    pub fn update_matrix(
        &mut self,
        substep: &Substep<'_>,
        c: f64,
        attraction: Option<Attraction<'_>>,
        x: &[Point],
    ) {
        let system = substep.system;
        let NewtonSolver { matrix, mass: whole_mass, blocks, damping, .. } = self;
        let (energies, rates) = (system.energies(), system.damping_rates());
        let (mass, inverse_mass) = (system.mass(), system.inverse_mass());
        whole_mass.resize(x.len(), 0.0);
        parallel::fill(whole_mass, |node, out| {
            let is_held = inverse_mass[node] == 0.0;
            let added = attraction.map_or(0.0, |attraction| attraction.weight[node]);
            *out = if is_held { 0.0 } else { mass[node] * (1.0 + rates[node] * c) + added };
        });
        blocks.resize(energies.block_count(), Matrix3::zeros());
        energies.stiffness(x, blocks);
        if system.is_damped() {
            damping.resize(energies.block_count(), Matrix3::zeros());
            energies.damping(x, damping);
            parallel::fill(blocks, |k, block| *block = *block * (c * c) + damping[k] * c);
        } else {
            parallel::fill(blocks, |_, block| *block *= c * c);
        }
        matrix.prepare(energies, x.len());
        matrix.assemble(whole_mass, blocks);
    }

    /// Solves a stage from a guess; free nodes of `x` change.
    ///
    /// # Errors
    /// If it does not come to an end.
    pub fn solve(
        &mut self,
        substep: &Substep<'_>,
        stage: &Stage<'_>,
        settings: &ImplicitSettings,
        x: &mut Vec<Point>,
    ) -> Result<(), NotConverged> {
        let floor = rounding_floor(substep, x);
        let mut change = 1.0;
        let mut gradient = std::mem::take(&mut self.gradient);
        self.update_gradient(substep, stage, x, &mut gradient);
        for _ in 0..settings.max_newton {
            self.update_matrix(substep, stage.c, stage.attraction, x);
            let Some(step) = self.descend(substep, stage, settings, x, &mut gradient) else {
                break;
            };
            self.counts.newton += 1;
            let way = mass_norm(substep, x, stage.origin);
            change = if way > 0.0 { step / way } else { 1.0 };
            if step <= (settings.tolerance * way).max(floor) {
                self.balance(substep, x, &gradient);
                self.gradient = gradient;
                return Ok(());
            }
        }
        self.gradient = gradient;
        Err(NotConverged { change })
    }

    /// Moves each free body as a whole so that its momentum is exact: what conjugate gradients
    /// leave of g is none of elastic forces, which sum to zero wherever it is.
    fn balance(&self, substep: &Substep<'_>, x: &mut [Point], gradient: &[Point]) {
        let inverse_mass = substep.system.inverse_mass();
        for body in substep.system.bodies() {
            let nodes = body.nodes.clone();
            if nodes.clone().any(|node| inverse_mass[node] == 0.0) {
                continue;
            }
            let first = nodes.start;
            let [x_sum, y_sum, z_sum, mass] = parallel::sum(nodes.len(), |k| {
                let g = gradient[first + k];
                [g.x, g.y, g.z, self.mass[first + k]]
            });
            let shift = Point::new(x_sum, y_sum, z_sum) / mass;
            parallel::fill(&mut x[nodes], |_, x| *x -= shift);
        }
    }

    /// One step; returns its length in the norm of the masses, or none if none descends.
    fn descend(
        &mut self,
        substep: &Substep<'_>,
        stage: &Stage<'_>,
        settings: &ImplicitSettings,
        x: &mut Vec<Point>,
        gradient: &mut Vec<Point>,
    ) -> Option<f64> {
        let mut direction = std::mem::take(&mut self.direction);
        direction.resize(x.len(), Point::zeros());
        let NewtonSolver { matrix, preconditioner, cg, .. } = self;
        preconditioner.factor(matrix);
        let limit = settings.max_conjugate_gradients;
        let s = &mut direction;
        let iterations = cg.solve(matrix, preconditioner, gradient, s, SYSTEM_TOLERANCE, limit);
        self.counts.conjugate_gradients += u64::from(iterations?);
        let slope = dot(gradient, &direction);
        let mut trial = std::mem::take(&mut self.trial);
        let mut trial_gradient = std::mem::take(&mut self.trial_gradient);
        trial.resize(x.len(), Point::zeros());
        let mut accepted = std::mem::take(&mut self.accepted);
        let mut is_found = false;
        let mut length = 1.0;
        for _ in 0..=MAX_TRIALS {
            parallel::fill(&mut trial, |node, out| *out = x[node] - direction[node] * length);
            self.update_gradient(substep, stage, &trial, &mut trial_gradient);
            // Along the direction downwards, −s, the slope is −slope at first.
            let end = -dot(&trial_gradient, &direction);
            let is_down = end <= 0.5 * slope.max(0.0);
            if is_down {
                std::mem::swap(&mut accepted.0, &mut trial);
                std::mem::swap(&mut accepted.1, &mut trial_gradient);
                trial.resize(x.len(), Point::zeros());
            }
            let is_steep = is_down && end < -0.5 * slope;
            match (is_found, is_down) {
                // A longer one went too far.
                (true, false) => break,
                (_, true) if !is_steep => {
                    is_found = true;
                    break;
                }
                (_, true) => length *= 2.0,
                (false, false) => length *= 0.5,
            }
            // Once shortened, it is not made longer: lengths would go to and fro.
            is_found |= is_down;
            if is_found && length <= 1.0 {
                break;
            }
        }
        let found = is_found.then(|| mass_norm(substep, x, &accepted.0));
        if is_found {
            std::mem::swap(x, &mut accepted.0);
            std::mem::swap(gradient, &mut accepted.1);
        }
        self.accepted = accepted;
        (self.direction, self.trial, self.trial_gradient) = (direction, trial, trial_gradient);
        found
    }
}

/// |a − b| in the norm of the masses of free nodes.
fn mass_norm(substep: &Substep<'_>, a: &[Point], b: &[Point]) -> f64 {
    let (mass, inverse_mass) = (substep.system.mass(), substep.system.inverse_mass());
    let [sum] = parallel::sum(a.len(), |node| {
        let is_held = inverse_mass[node] == 0.0;
        [if is_held { 0.0 } else { mass[node] * (a[node] - b[node]).norm_squared() }]
    });
    sum.sqrt()
}

/// What is rounding in that norm.
fn rounding_floor(substep: &Substep<'_>, x: &[Point]) -> f64 {
    let largest = parallel::max(x.len(), 0.0, |node| x[node].amax());
    let mass = parallel::max(x.len(), 0.0, |node| substep.system.mass()[node]);
    ROUNDING * largest * (mass * x.len() as f64).sqrt()
}
