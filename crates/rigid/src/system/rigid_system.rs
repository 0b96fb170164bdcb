//! Bodies that move, touch and are pushed: kick, drift, kick.
//!
//! A step of length dt is that of a leapfrog, as the fluid's:
//!
//! ```text
//! begin_step(dt) → kick(dt/2, wrenches) → drift(dt)
//!     → solve_contacts(dt/2, new wrenches) → accept()
//! ```
//!
//! Each kick solves the contact problem at the present places ([`crate::solver`]), with gaps that
//! may close within dt: the drift after it leads into no overlap but by the curvature of the
//! motion,
//! and bodies that rest have neither speed nor gap. Between `solve_contacts` and `accept` a caller
//! may ask for the [`Mobility`], change the wrenches by it and solve again; nothing is changed
//! until `accept`. The drift sweeps what is fast ([`super::impacts`]).

use super::contacts::Contacts;
use super::settings::{RigidError, RigidSettings};
use super::targets::Targets;
use super::work_of_driven::work;
use crate::body::{BodyKind, InverseMass, RigidBody};
use crate::contact_point::ContactPoint;
use crate::shape::Motion;
use crate::solver::{
    ContactProblem, ContactReport, ContactSolver, Convergence, MAX_DENSE, Mobility,
};
use hashfall_bodies::{BodyState, Twist, Wrench};
use nalgebra::Vector3;
use std::sync::Arc;

/// What a solve found.
#[derive(Clone, Debug, Default)]
pub struct ContactSolution {
    /// Of all bodies, at the end of the kick.
    pub twists: Vec<Twist>,
    /// What it took.
    pub report: ContactReport,
}

/// What a drift met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DriftReport {
    /// Impacts within the step at which velocities changed.
    pub impacts: u32,
    /// Groups of bodies that did not get through the whole step: they go on from where they would
    /// next have touched.
    pub stopped: u32,
}

/// Bodies, their states, contacts and solver.
#[derive(Debug)]
pub struct RigidSystem {
    pub(super) bodies: Arc<Vec<RigidBody>>,
    pub(super) states: Vec<BodyState>,
    /// Where prescribed bodies are at the end of the step.
    pub(super) ends: Vec<Option<BodyState>>,
    /// Which bodies nothing moves for now.
    pub(super) is_held: Vec<bool>,
    pub(super) settings: RigidSettings,
    pub(super) contacts: Contacts,
    /// By the wrenches of the last kick, without contacts.
    pub(super) accelerations: Vec<Twist>,
    /// The length of the step \[s\].
    pub(super) dt: f64,
    /// Whether contacts are those of the present states.
    pub(super) has_contacts: bool,
    pub(super) solver: ContactSolver,
    pub(super) solution: ContactSolution,
    /// What prescribed bodies brought to free ones since the step began \[J\].
    pub(super) work_of_driven: f64,
    pub(super) work: Work,
}

/// Buffers of a solve.
#[derive(Debug, Default)]
pub(super) struct Work {
    pub(super) inverse_mass: Vec<InverseMass>,
    pub(super) centers: Vec<Vector3<f64>>,
    pub(super) free: Vec<Twist>,
    pub(super) accelerations: Vec<Twist>,
    /// The points that take part, their places among all, and c.
    pub(super) points: Vec<ContactPoint>,
    pub(super) places: Vec<u32>,
    pub(super) speeds: Vec<f64>,
    pub(super) impulses: Vec<Vector3<f64>>,
    pub(super) duration: f64,
    /// Whether impulses are those of an unfinished solution for this kick, from which the next one
    /// goes on.
    pub(super) has_impulses: bool,
}

impl RigidSystem {
    /// Bodies in their first states.
    ///
    /// # Errors
    /// If there is not a state for each body.
    pub fn new(
        bodies: Vec<RigidBody>,
        states: Vec<BodyState>,
        settings: RigidSettings,
    ) -> Result<Self, RigidError> {
        Self::from_shared(Arc::new(bodies), states, settings)
    }

    /// The same of bodies that others may hold too.
    ///
    /// # Errors
    /// See [`RigidSystem::new`].
    pub fn from_shared(
        bodies: Arc<Vec<RigidBody>>,
        states: Vec<BodyState>,
        settings: RigidSettings,
    ) -> Result<Self, RigidError> {
        let count = bodies.len();
        check_count(states.len(), count)?;
        Ok(RigidSystem {
            states: states_in_system(&bodies, states).collect(),
            ends: vec![None; count],
            is_held: vec![false; count],
            bodies,
            settings,
            contacts: Contacts::new(settings.broad_phase),
            accelerations: vec![Twist::default(); count],
            dt: 0.0,
            has_contacts: false,
            solver: ContactSolver::default(),
            solution: ContactSolution::default(),
            work_of_driven: 0.0,
            work: Work::default(),
        })
    }

    /// The bodies.
    pub fn bodies(&self) -> &[RigidBody] {
        &self.bodies
    }

    /// Their states.
    pub fn states(&self) -> &[BodyState] {
        &self.states
    }

    /// The contact points of the present places, and the force of each \[N\] on its second body in
    /// the last kick.
    pub fn contacts(&self) -> impl Iterator<Item = (&ContactPoint, &Vector3<f64>)> {
        self.contacts.points.iter().zip(&self.contacts.forces)
    }

    /// The work of prescribed bodies on free ones since the step began, by contact \[J\].
    pub fn work_of_driven(&self) -> f64 {
        self.work_of_driven
    }

    /// Puts a body somewhere else, or gives it another velocity.
    pub fn set_state(&mut self, body: usize, state: BodyState) {
        let twist = self.bodies[body].locks().restrict(&state.twist());
        self.states[body] = state.with_quaternion().with_twist(twist);
        self.has_contacts = false;
    }

    /// Gives a body another velocity and spin, between kicks and drifts.
    pub fn set_twist(&mut self, body: usize, twist: Twist) {
        let twist = self.bodies[body].locks().restrict(&twist);
        self.states[body] = self.states[body].with_twist(twist);
    }

    /// Holds a free body, which then no wrench and no contact moves, or lets it go.
    pub fn set_held(&mut self, body: usize, is_held: bool) {
        self.is_held[body] = is_held;
    }

    /// The inverse mass of a body where it is; zero while it is held.
    pub fn inverse_mass(&self, body: usize) -> InverseMass {
        match self.is_held[body] {
            true => InverseMass::default(),
            false => self.bodies[body].inverse_mass(&self.states[body]),
        }
    }

    /// Begins a step of `dt` \[s\].
    ///
    /// # Errors
    /// If a body is nowhere.
    pub fn begin_step(&mut self, dt: f64) -> Result<(), RigidError> {
        self.dt = dt;
        self.work_of_driven = 0.0;
        self.ends.fill(None);
        if !self.has_contacts {
            self.update_contacts()?;
        }
        Ok(())
    }

    /// Says where a prescribed body is to be at the end of the step that has begun, and with which
    /// velocity. Until then it moves there evenly. Without this it keeps its velocity and spin.
    pub fn prescribe(&mut self, body: usize, end: BodyState) {
        let end = end.with_quaternion();
        if self.dt > 0.0 {
            let [from, to] = [&self.states[body], &end].map(super::contacts::pose);
            let Motion { velocity, spin, .. } = Motion::between(&from, &to, self.dt);
            self.states[body] = self.states[body].with_twist(Twist { velocity, spin });
        }
        self.ends[body] = Some(end);
    }

    /// Changes velocities by wrenches \[N, N m\] that act for `duration` \[s\], and by contacts.
    ///
    /// # Errors
    /// If there is not a wrench for each body.
    pub fn kick(
        &mut self,
        duration: f64,
        wrenches: &[Wrench],
    ) -> Result<ContactReport, RigidError> {
        self.solve_contacts(duration, wrenches)?;
        self.accept();
        Ok(self.solution.report)
    }

    /// Finds the velocities at the end of a kick, without changing those of the bodies.
    ///
    /// # Errors
    /// If there is not a wrench for each body.
    pub fn solve_contacts(
        &mut self,
        duration: f64,
        wrenches: &[Wrench],
    ) -> Result<&ContactSolution, RigidError> {
        check_count(wrenches.len(), self.bodies.len())?;
        self.work.has_impulses &= self.work.duration == duration;
        self.prepare(duration, wrenches);
        self.select_points();
        let work = &mut self.work;
        let problem = ContactProblem {
            points: &work.points,
            speeds: &work.speeds,
            inverse_mass: &work.inverse_mass,
            centers: &work.centers,
            free: &work.free,
        };
        let convergence = self.settings.convergence();
        self.solution.twists.resize(self.bodies.len(), Twist::default());
        let twists = &mut self.solution.twists;
        self.solution.report =
            self.solver.solve(&problem, &convergence, &mut work.impulses, twists);
        // What was solved begins anew: each solution is then as exact as if it were the only one.
        work.has_impulses = self.solution.report.unconverged > 0;
        Ok(&self.solution)
    }

    /// How velocities at the end of the kick of the last [`RigidSystem::solve_contacts`] answer a
    /// change of its wrenches: by its duration times W.
    pub fn mobility(&self) -> Mobility {
        self.mobility_by(|solver, blocks| Mobility::at_solution(solver, blocks, MAX_DENSE))
    }

    /// The same, or more where contacts hold more than `max_bodies` together: those between parts
    /// of so many are left out, so that it costs little to make and to apply. What of the `last`
    /// one holds as before is taken over.
    pub fn bounding_mobility(&self, max_bodies: usize, last: &Mobility) -> Mobility {
        self.mobility_by(|solver, blocks| Mobility::bounding(solver, blocks, max_bodies, last))
    }

    /// Before a solve, that of bodies which nothing touches.
    fn mobility_by(
        &self,
        at_solution: impl Fn(&ContactSolver, &[InverseMass]) -> Mobility,
    ) -> Mobility {
        if self.work.inverse_mass.len() == self.bodies.len() {
            return at_solution(&self.solver, &self.work.inverse_mass);
        }
        let blocks: Vec<_> = (0..self.bodies.len()).map(|body| self.inverse_mass(body)).collect();
        Mobility::of_free_bodies(&blocks)
    }

    /// Gives the bodies the velocities of the last [`RigidSystem::solve_contacts`].
    pub fn accept(&mut self) {
        for (state, twist) in self.states.iter_mut().zip(&self.solution.twists) {
            *state = state.with_twist(*twist);
        }
        self.work.has_impulses = false;
        self.accelerations.clone_from(&self.work.accelerations);
        self.contacts.forces.fill(Vector3::zeros());
        if self.work.duration > 0.0 {
            for (&place, impulse) in self.work.places.iter().zip(&self.work.impulses) {
                let point = &self.contacts.points[place as usize];
                self.work_of_driven += work(&self.bodies, &self.states, point, impulse);
                self.contacts.forces[place as usize] = impulse / self.work.duration;
            }
        }
    }

    /// Finds the contact points of the present places, for steps such as this.
    pub(super) fn update_contacts(&mut self) -> Result<(), RigidError> {
        self.contacts.set_reach(&self.bodies, &self.states, &self.accelerations, self.dt);
        self.contacts.find(&self.bodies, &self.states)?;
        self.work.has_impulses = false;
        self.has_contacts = true;
        Ok(())
    }

    /// What decides on contact points at the present states.
    pub(super) fn targets<'a>(&'a self, accelerations: &'a [Twist]) -> Targets<'a> {
        Targets {
            bodies: &self.bodies,
            states: &self.states,
            accelerations,
            dt: self.dt,
            horizon: self.dt,
        }
    }

    /// Inverse masses, accelerations, and twists without contacts.
    fn prepare(&mut self, duration: f64, wrenches: &[Wrench]) {
        let mut work = std::mem::take(&mut self.work);
        work.duration = duration;
        work.inverse_mass.clear();
        work.accelerations.clear();
        work.centers.clear();
        work.free.clear();
        for (body, (state, wrench)) in self.states.iter().zip(wrenches).enumerate() {
            let inverse = self.inverse_mass(body);
            let acceleration = inverse.apply(wrench);
            work.inverse_mass.push(inverse);
            work.accelerations.push(acceleration);
            work.centers.push(state.position);
            work.free.push(state.twist() + acceleration * duration);
        }
        self.work = work;
    }

    /// The points that take part, with the speeds that they are to keep and first impulses.
    fn select_points(&mut self) {
        let mut work = std::mem::take(&mut self.work);
        let last = match work.has_impulses {
            true => work.places.drain(..).zip(work.impulses.drain(..)).collect(),
            false => Vec::new(),
        };
        let mut last = last.into_iter().peekable();
        work.points.clear();
        work.places.clear();
        work.speeds.clear();
        work.impulses.clear();
        let targets = self.targets(&work.accelerations);
        for (place, (point, force)) in self.contacts().enumerate() {
            let place = place as u32;
            let known = last.next_if(|(own, _)| *own == place);
            if let Some(speed) = targets.speed(point) {
                work.points.push(*point);
                work.places.push(place);
                work.speeds.push(speed);
                work.impulses.push(known.map_or(force * work.duration, |(_, impulse)| impulse));
            }
        }
        self.work = work;
    }
}

impl RigidSettings {
    /// When a problem counts as solved.
    pub(super) fn convergence(&self) -> Convergence {
        Convergence { tolerance: self.tolerance, max_iterations: self.max_iterations }
    }
}

/// States as a system has them: turned by a quaternion, without what a body cannot move by.
pub(super) fn states_in_system(
    bodies: &[RigidBody],
    states: impl IntoIterator<Item = BodyState>,
) -> impl Iterator<Item = BodyState> {
    bodies.iter().zip(states).map(|(body, state)| {
        let twist = match body.kind() {
            BodyKind::Fixed => Twist::default(),
            BodyKind::Prescribed => state.twist(),
            BodyKind::Free => body.locks().restrict(&state.twist()),
        };
        state.with_quaternion().with_twist(twist)
    })
}

/// Refuses lists that are not one entry a body.
fn check_count(found: usize, bodies: usize) -> Result<(), RigidError> {
    if found == bodies { Ok(()) } else { Err(RigidError::Count { found, bodies }) }
}
