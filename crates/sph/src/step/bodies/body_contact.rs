//! Contact of free bodies with each other and with other solids, within half kicks.
//!
//! In a half kick bodies get impulses one after the other: their weight and the forces that are
//! known, the change of the pressures, friction and contact of particles. Each time the contact
//! problem is solved anew, by all impulses J that came since the half kick began:
//!
//! - V = V₀ + M⁻¹ (J + contact forces · τ),
//!
//! so that at its end contacts hold for all of them at once, and none is counted twice. How V
//! changes with J while contacts stay as they are is the mobility W that pressures see. The drift
//! sweeps bodies to the end of the step.
//!
//! A solution continues from an unfinished one of its half kick, so that a heap which one solution
//! has no time for comes nearer with each; what is left is told ([`ContactSummary`]). Where more
//! than [`MAX_HELD`] bodies hold each other, W is that of parts of this number: pressures then find
//! out what else holds, as they do where contacts change ([`super::prediction`]).
//!
//! The state is the world's: a step takes poses and twists from its solids, and contact from what
//! the last one left there. Within the step the system goes ahead, and the solids are told at once
//! what became of it; at its end both have the same poses and twists.
//!
//! Symbols: V twists, V₀ those at the start of the half kick, M mass matrix, J \[N s\], τ \[s\].

use crate::step::bodies::covers::Covers;
use crate::step::bodies::mobility::Mobility;
use crate::step::report::ContactSummary;
use crate::world::{World, placed_state};
use hashfall_bodies::{BodyState, Twist, Wrench};
use hashfall_rigid::{BodyKind, ContactReport, ContactSolution, RigidError, RigidSystem};
use nalgebra::Matrix6;
use std::sync::OnceLock;

/// Bodies that hold each other of which W is exact, at most.
const MAX_HELD: usize = 8;

/// Bodies in contact, in a step.
#[derive(Debug)]
pub struct BodyContact {
    system: RigidSystem,
    /// How many bodies are free: the first ones.
    count: usize,
    /// What each free body has got since the half kick began \[N s\].
    impulses: Vec<Wrench>,
    /// Of the half kick \[s\].
    duration: f64,
    /// Whether twists are those of the impulses, and of none beside.
    is_solved: bool,
    twists: Vec<Twist>,
    /// At the last solution, once it is asked for; and the one before.
    mobility: OnceLock<ContactMobility>,
    last_mobility: ContactMobility,
    /// Of the last solution.
    report: ContactReport,
    /// Of the step.
    summary: ContactSummary,
    /// Why the step cannot be taken.
    fault: Option<RigidError>,
}

/// How free bodies answer impulses while contacts stay as they are.
#[derive(Debug, Default)]
pub struct ContactMobility {
    whole: hashfall_rigid::Mobility,
    blocks: Vec<Matrix6<f64>>,
}

impl ContactMobility {
    /// That of the last solution, for the first bodies of a system.
    fn new(system: &RigidSystem, count: usize, last: &ContactMobility) -> Self {
        let whole = system.bounding_mobility(MAX_HELD, &last.whole);
        let mut blocks = whole.blocks();
        blocks.truncate(count);
        ContactMobility { whole, blocks }
    }
}

impl Mobility for ContactMobility {
    fn apply(&self, wrenches: &[Wrench], twists: &mut [Twist]) {
        self.whole.apply(wrenches, twists);
    }

    fn block(&self, body: usize) -> &Matrix6<f64> {
        &self.blocks[body]
    }
}

impl BodyContact {
    /// That of a world; none without contact.
    pub fn new(world: &World) -> Option<Self> {
        let system = world.rigid.as_ref()?.system(&world.solids).ok()?;
        let count = world.free_bodies.len();
        Some(BodyContact {
            system,
            count,
            impulses: vec![Wrench::default(); count],
            duration: 0.0,
            is_solved: false,
            twists: Vec::new(),
            mobility: OnceLock::new(),
            last_mobility: ContactMobility::default(),
            report: ContactReport::default(),
            summary: ContactSummary::default(),
            fault: None,
        })
    }

    /// Returns to the state of the world.
    pub fn restore(&mut self, world: &World) {
        let Some(contact) = &world.rigid else { return };
        contact.load(&world.solids, &mut self.system);
        self.impulses.fill(Wrench::default());
        self.forget_solution();
        self.fault = None;
    }

    /// Whatever was solved last is over.
    fn forget_solution(&mut self) {
        self.is_solved = false;
        if let Some(last) = self.mobility.take() {
            self.last_mobility = last;
        }
    }

    /// Begins a step of `dt` \[s\], which the solids have begun.
    pub fn begin_step(&mut self, world: &World, dt: f64) {
        self.restore(world);
        self.summary = ContactSummary::default();
        self.duration = 0.5 * dt;
        for (body, free) in world.free_bodies.iter().enumerate() {
            self.system.set_held(body, free.is_held(world.time));
        }
        let begun = self.system.begin_step(dt);
        self.note(begun);
        for (body, owner) in self.prescribed(world) {
            let ends = [world.solids.body_state(owner), world.solids.step_end(owner)];
            let [Some(start), Some(end)] = ends else { continue };
            if let Some(end) = placed_state(&world.solids, owner, end) {
                self.system.prescribe(body, end.with_twist(start.twist()));
            }
        }
    }

    /// The bodies that move by a law, with their numbers among all bodies of the solids.
    fn prescribed(&self, world: &World) -> Vec<(usize, usize)> {
        let Some(contact) = &world.rigid else { return Vec::new() };
        let bodies = contact.bodies().iter().zip(contact.owners()).enumerate();
        let moving = bodies.filter(|(_, (body, _))| body.kind() == BodyKind::Prescribed);
        moving.map(|(body, (_, &owner))| (body, owner)).collect()
    }

    /// How bodies answer further impulses.
    pub fn mobility(&self) -> &ContactMobility {
        let make = || ContactMobility::new(&self.system, self.count, &self.last_mobility);
        self.mobility.get_or_init(make)
    }

    /// Where the surfaces of free bodies are covered, if anywhere, in fluid of this spacing \[m\].
    pub fn covers(&mut self, spacing: f64) -> Option<Covers<'_>> {
        Covers::new(&mut self.system, self.count, spacing)
    }

    /// How contact was solved in the step.
    pub fn summary(&self) -> &ContactSummary {
        &self.summary
    }

    /// What bodies that move by a law did to free ones in the step, by contact \[J\].
    pub fn work_of_driven(&self) -> f64 {
        self.system.work_of_driven()
    }

    /// The largest speed by which a contact of the last solution misses its law, over the largest
    /// that contacts of its group undo \[–\].
    pub fn residual(&self) -> f64 {
        self.report.residual
    }

    /// Notes after how many rounds pressures and contacts agreed to a part of what impulses give.
    pub fn note_rounds(&mut self, rounds: u32, error: f64, agrees: bool) {
        let summary = &mut self.summary;
        summary.rounds = summary.rounds.max(rounds);
        summary.projection_error = summary.projection_error.max(error);
        summary.inexact_projections += u32::from(!agrees);
    }

    /// Adds impulses to those of the half kick, one for each free body, and solves contact.
    pub fn strike(&mut self, impulses: &[Wrench]) -> Vec<Twist> {
        let is_new = impulses.iter().any(|impulse| *impulse != Wrench::default());
        if is_new || !self.is_solved {
            self.impulses.iter_mut().zip(impulses).for_each(|(sum, impulse)| *sum += *impulse);
            self.twists = self.solve(self.duration, &[]);
            self.is_solved = true;
        }
        self.twists.clone()
    }

    /// The twists to which further impulses would lead, with the mobility there.
    pub fn twists_with(&mut self, impulses: &[Wrench]) -> Vec<Twist> {
        self.solve(self.duration, impulses)
    }

    /// The same if these impulses came in `dt` \[s\] in place of the half kick.
    pub fn twists_after(&mut self, impulses: &[Wrench], dt: f64) -> Vec<Twist> {
        self.solve(dt, impulses)
    }

    /// Solves contact in `duration` \[s\], by the impulses of the half kick and others.
    fn solve(&mut self, duration: f64, others: &[Wrench]) -> Vec<Twist> {
        self.forget_solution();
        if duration <= 0.0 {
            return self.system.states()[..self.count].iter().map(BodyState::twist).collect();
        }
        let mut wrenches = vec![Wrench::default(); self.system.bodies().len()];
        for (body, wrench) in wrenches[..self.count].iter_mut().enumerate() {
            let other = others.get(body).copied().unwrap_or_default();
            *wrench = (self.impulses[body] + other) / duration;
        }
        match self.system.solve_contacts(duration, &wrenches) {
            Ok(ContactSolution { twists, report }) => {
                self.report = *report;
                twists[..self.count].to_vec()
            }
            Err(error) => {
                self.fault = Some(error);
                vec![Twist::default(); self.count]
            }
        }
    }

    /// The largest speed that the impulses of the half kick and others give a body, if it touches
    /// nothing \[m/s\].
    pub fn free_speed(&self, others: &[Wrench]) -> f64 {
        let speed = |body: usize| {
            let impulse = self.impulses[body] + others[body];
            self.speed(body, &self.system.inverse_mass(body).apply(&impulse))
        };
        (0..self.count).map(speed).fold(0.0, f64::max)
    }

    /// The largest speed of a point of a body \[m/s\].
    pub fn speed(&self, body: usize, twist: &Twist) -> f64 {
        let radius = self.system.bodies()[body].shape().max_radius();
        twist.velocity.norm() + radius * twist.spin.norm()
    }

    /// Ends the first half kick, and moves bodies to the end of the step of `dt` \[s\]; tells where
    /// they are then.
    pub fn drift(&mut self, dt: f64) -> Vec<BodyState> {
        self.accept();
        let drifted = self.system.drift(dt);
        if let Ok(report) = &drifted {
            self.summary.impacts += report.impacts;
            self.summary.stopped += report.stopped;
        }
        self.note(drifted.map(|_| ()));
        self.system.states()[..self.count].to_vec()
    }

    /// Takes the twists that the world's solids have at the end of the motion: of what moves by a
    /// law, and of bodies that were held at the time `before` \[s\] and are let go.
    pub fn end_motion(&mut self, world: &World, before: f64) {
        for (body, free) in world.free_bodies.iter().enumerate() {
            if free.is_held(before) && !free.is_held(world.time) {
                self.take_twist(world, body, free.body);
            }
        }
        for (body, owner) in self.prescribed(world) {
            self.take_twist(world, body, owner);
        }
    }

    fn take_twist(&mut self, world: &World, body: usize, owner: usize) {
        self.forget_solution();
        if let Some(state) = world.solids.body_state(owner) {
            self.system.set_twist(body, state.twist());
        }
    }

    /// Ends the step: contact is the world's; where bodies are and how they move it has already.
    ///
    /// # Errors
    /// If a body is nowhere.
    pub fn end_step(&mut self, world: &mut World) -> Result<(), RigidError> {
        self.accept();
        debug_assert!(self.agrees_with(world), "poses and twists of contact are the solids'");
        if let Some(contact) = &mut world.rigid {
            self.system.save(&mut contact.state);
        }
        self.fault.map_or(Ok(()), Err)
    }

    /// Whether the solids have the poses and twists of the free bodies, as far as these are finite,
    /// and the twists of those that move by a law.
    fn agrees_with(&self, world: &World) -> bool {
        let states = self.system.states();
        let mut free = world.free_bodies.iter().zip(states);
        let mut by_law = self.prescribed(world).into_iter();
        let of_solids = |owner: usize| world.solids.body_state(owner);
        free.all(|(free, state)| !state.is_finite() || of_solids(free.body) == Some(state))
            && by_law.all(|(body, owner)| {
                of_solids(owner).is_some_and(|state| state.twist() == states[body].twist())
            })
    }

    /// Ends a half kick.
    fn accept(&mut self) {
        if self.duration > 0.0 {
            self.system.accept();
            self.summary.add(&self.report);
        }
        self.impulses.fill(Wrench::default());
        self.forget_solution();
    }

    fn note(&mut self, result: Result<(), RigidError>) {
        if let Err(error) = result {
            self.fault = self.fault.or(Some(error));
        }
    }
}
