//! The contact problem of all bodies: which impulses keep them apart and rub them.
//!
//! Unknown is an impulse at each contact point. With the twists V₀ that the bodies would have
//! without contacts, they have V = V₀ + M⁻¹Jᵀp, and at each point
//!
//!   0 ≤ n·p ⟂ n·u − c ≥ 0,   |p_t| ≤ μ n·p,   p_t against u_t where it slides (Coulomb),
//!
//! with u the velocity of the second body relative to the first and c the speed to keep: −gap/dt
//! where the gap may close within a step, so that bodies that rest have no gap at all, and e times
//! the speed of approach for an impact (Newton). The problem falls apart into [`Islands`], each
//! solved to a tolerance of its own: by sweeps ([`super::gauss_seidel`]), and if these do not get
//! there by Newton's method ([`super::newton`]) where bodies are few, by accelerated gradients
//! ([`super::apgd`]) where they are many.

use super::apgd::{Apgd, Convergence, Solved, Vectors};
use super::gauss_seidel;
use super::islands::Islands;
use super::newton::{self, Newton};
use super::rows::{IslandBodies, Row, set_metric};
use crate::body::InverseMass;
use crate::contact_point::ContactPoint;
use hashfall_bodies::{Twist, Wrench};
use nalgebra::Vector3;
use std::ops::Range;

/// Sweeps over an island before another method goes on, and how long gradients go on with a large
/// one: a heap of a thousand bodies is to take milliseconds, and goes on from its last impulses.
const MAX_SWEEPS: u32 = 20;
const MAX_GRADIENTS: u32 = 20;

/// What a contact problem is made of.
#[derive(Clone, Copy)]
pub(crate) struct ContactProblem<'a> {
    pub(crate) points: &'a [ContactPoint],
    /// c, of each point \[m/s\].
    pub(crate) speeds: &'a [f64],
    /// Of each body; zero for those that no wrench moves.
    pub(crate) inverse_mass: &'a [InverseMass],
    /// Centres of mass \[m\].
    pub(crate) centers: &'a [Vector3<f64>],
    /// V₀.
    pub(crate) free: &'a [Twist],
}

/// What a contact does at the solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactState {
    /// No impulse.
    Open,
    /// Held along the normal, slides across.
    Sliding,
    /// Held in all directions.
    Sticking,
}

/// What a solve took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ContactReport {
    /// Contact points.
    pub points: u32,
    /// The most iterations of an island.
    pub iterations: u32,
    /// The largest residual of an island over its speed \[–\].
    pub residual: f64,
    /// Islands that reached the most iterations.
    pub unconverged: u32,
}

/// Solves contact problems; keeps its memory between them.
#[derive(Debug, Default)]
pub(crate) struct ContactSolver {
    pub(crate) islands: Islands,
    /// In the order of the islands, as all lists below.
    pub(crate) rows: Vec<Row>,
    pub(crate) inverse_mass: Vec<InverseMass>,
    pub(crate) states: Vec<ContactState>,
    drive: Vec<Vector3<f64>>,
    lists: [Vec<Vector3<f64>>; 6],
    sliding: Vec<f64>,
    impulse: Vec<Wrench>,
    change: Vec<Twist>,
    counts: Vec<u32>,
}

impl ContactSolver {
    /// Solves a problem. `impulses` \[N s\] of the points are where it starts and what it finds;
    /// `twists` of all bodies become those at the solution.
    pub(crate) fn solve(
        &mut self,
        problem: &ContactProblem,
        convergence: &Convergence,
        impulses: &mut [Vector3<f64>],
        twists: &mut [Twist],
    ) -> ContactReport {
        self.assemble(problem, impulses);
        let mut report = ContactReport { points: self.rows.len() as u32, ..Default::default() };
        for island in 0..self.islands.ranges.len() {
            let (bodies, contacts) = self.islands.ranges[island].clone();
            self.solve_island(bodies, contacts, convergence, &mut report);
        }
        twists.copy_from_slice(problem.free);
        for (&body, change) in self.islands.bodies.iter().zip(&self.change) {
            twists[body as usize] += *change;
        }
        impulses.fill(Vector3::zeros());
        for (&contact, p) in self.islands.contacts.iter().zip(&self.lists[0]) {
            impulses[contact as usize] = *p;
        }
        report
    }

    /// Finds the islands and writes rows and bodies in their order.
    fn assemble(&mut self, problem: &ContactProblem, impulses: &[Vector3<f64>]) {
        let ContactProblem { points, speeds, inverse_mass, centers, free } = *problem;
        let pairs = points.iter().map(|point| point.bodies);
        let is_movable = |body: u32| !inverse_mass[body as usize].is_zero();
        self.islands.update(pairs, is_movable, inverse_mass.len());
        let Islands { bodies, contacts, local, .. } = &self.islands;
        self.inverse_mass.clear();
        self.inverse_mass.extend(bodies.iter().map(|&body| inverse_mass[body as usize]));
        self.rows.clear();
        self.rows.extend(contacts.iter().map(|&contact| {
            let ContactPoint { bodies, position, normal, friction, .. } = points[contact as usize];
            let arms = bodies.map(|body| position - centers[body as usize]);
            let bodies = bodies.map(|body| local[body as usize]);
            Row { bodies, normal, arms, friction, metric: 0.0 }
        }));
        self.drive.clear();
        self.drive.extend(contacts.iter().zip(&self.rows).map(|(&contact, row)| {
            let [a, b] = points[contact as usize].bodies.map(|body| &free[body as usize]);
            let relative = b.velocity_at(&row.arms[1]) - a.velocity_at(&row.arms[0]);
            relative - row.normal * speeds[contact as usize]
        }));
        let n = contacts.len();
        self.lists.iter_mut().for_each(|list| list.resize(n, Vector3::zeros()));
        for (p, &contact) in self.lists[0].iter_mut().zip(contacts) {
            *p = impulses[contact as usize];
        }
        self.sliding.resize(n, 0.0);
        self.states.resize(n, ContactState::Open);
        self.impulse.resize(bodies.len(), Wrench::default());
        self.change.resize(bodies.len(), Twist::default());
    }

    /// Solves the problem of an island and says what its contacts do.
    fn solve_island(
        &mut self,
        bodies: Range<usize>,
        contacts: Range<usize>,
        convergence: &Convergence,
        report: &mut ContactReport,
    ) {
        let inverse_mass = &self.inverse_mass[bodies.clone()];
        let rows = &mut self.rows[contacts.clone()];
        set_metric(rows, inverse_mass, &mut self.counts);
        let [p, previous, extrapolated, gradient, previous_gradient, extrapolated_gradient] =
            self.lists.each_mut().map(|list| &mut list[contacts.clone()]);
        let mut problem = Apgd {
            rows,
            bodies: IslandBodies {
                inverse_mass,
                impulse: &mut self.impulse[bodies.clone()],
                change: &mut self.change[bodies],
            },
            vectors: Vectors {
                drive: &self.drive[contacts.clone()],
                p,
                previous,
                extrapolated,
                gradient,
                previous_gradient,
                extrapolated_gradient,
                sliding: &mut self.sliding[contacts.clone()],
            },
        };
        let solved = solve_in_turns(&mut problem, convergence);
        let least_speed = solved.residual.max(convergence.tolerance * solved.speed);
        let states = &mut self.states[contacts];
        for (i, row) in rows.iter().enumerate() {
            states[i] = state_of(row, &p[i], &gradient[i], least_speed);
        }
        report.iterations = report.iterations.max(solved.iterations);
        if solved.residual > convergence.tolerance * solved.speed {
            report.unconverged += 1;
        }
        if solved.speed > 0.0 {
            report.residual = report.residual.max(solved.residual / solved.speed);
        }
    }
}

/// Solves a problem: by sweeps first, then a small one by Newton's method, a large one by
/// gradients.
fn solve_in_turns(problem: &mut Apgd, convergence: &Convergence) -> Solved {
    let mut solved = problem.solve(&convergence.limited_to(0));
    let is_solved = |solved: &Solved| solved.residual <= convergence.tolerance * solved.speed;
    if is_solved(&solved) {
        return solved;
    }
    let sweeps = MAX_SWEEPS.min(convergence.max_iterations);
    gauss_seidel::sweep(problem, convergence, sweeps, &mut solved);
    if is_solved(&solved) {
        return solved;
    }
    if problem.bodies.inverse_mass.len() <= newton::MAX_BODIES {
        Newton::new(problem).solve(convergence, &mut solved);
        return solved;
    }
    let left = convergence.max_iterations.saturating_sub(solved.iterations);
    let gradients = problem.solve(&convergence.limited_to(left.min(MAX_GRADIENTS)));
    Solved { iterations: solved.iterations + gradients.iterations, ..gradients }
}

/// What a contact does, with speeds up to `least_speed` \[m/s\] taken for none.
fn state_of(row: &Row, p: &Vector3<f64>, u: &Vector3<f64>, least_speed: f64) -> ContactState {
    let pressed = row.normal.dot(p);
    if pressed * row.metric <= least_speed {
        return ContactState::Open;
    }
    let across = u - row.normal * row.normal.dot(u);
    // Slower than this a contact cannot be told from one that sticks.
    let slides = row.friction == 0.0 || across.norm() > 10.0 * least_speed;
    if slides { ContactState::Sliding } else { ContactState::Sticking }
}
