//! The drift of bodies that are fast or rebound: from impact to impact.
//!
//! A pair of bodies is swept if it moves farther in the step than its contacts were looked for, or
//! than is small against the smaller body, or if it meets with restitution. Bodies that may come
//! near each other within the step form a group; a group that has a swept pair goes on until the
//! first of them nearly touches (conservative advancement, never late), solves the contact problem
//! of that instant, and goes on. Nothing passes through anything, whatever its speed: where impacts
//! are too many, or an impact makes a body so fast that it could leave its group, the group stops
//! for the rest of the step short of what it would have touched.
//!
//! A body moves at a constant spin from its pose at the start to that of its own rotation at the
//! end; where an impact interrupts it, its spin is that of its angular momentum.
//!
//! Symbols: T length of the step \[s\], t time within it.

use super::contacts::{add_points, motion, pose, shape_pair};
use super::rigid_system::{DriftReport, RigidSystem};
use super::settings::RigidError;
use super::targets::TOUCHING;
use super::work_of_driven::work;
use crate::body::{BodyKind, InverseMass, RigidBody};
use crate::manifolds::{Impact, MotionPair};
use crate::shape::Motion;
use crate::solver::{ContactProblem, Islands};
use hashfall_bodies::{BodyState, Twist};
use nalgebra::Vector3;

/// Two bodies whose motions are together below this part of the smaller one's size are slow \[–\].
const SLOW: f64 = 0.2;
/// How far a pair that touches advances at a time, over the smaller body's size \[–\].
const STRAIGHT: f64 = 0.05;
/// The gap at which an impact is solved, as part of the size of the smaller body \[–\].
const IMPACT_GAP: f64 = 1e-6;
/// A fast body stays within this multiple of its motion \[–\].
const ALLOWANCE: f64 = 1.5;
/// Impacts of a group within a step, at most.
const MAX_IMPACTS: u32 = 64;
/// Turns up to this are told from the poses at both ends \[rad\].
const MAX_TURN: f64 = 3.0;

/// The motion within a step up to which any two bodies are slow \[m\].
pub(super) fn slow_motion(bodies: &[RigidBody]) -> f64 {
    let free = bodies.iter().filter(|body| body.kind() == BodyKind::Free);
    0.5 * SLOW * free.map(|body| body.shape().size()).fold(f64::INFINITY, f64::min)
}

/// Moves all bodies for `dt` \[s\].
pub(super) fn drift(system: &mut RigidSystem, dt: f64) -> Result<DriftReport, RigidError> {
    let bodies = system.bodies.clone();
    let allowance = allowances(system, dt);
    let mut sweep = Sweep::new(system, allowance, dt);
    let mut groups = sweep.groups()?;
    // What is hit may become as fast as what hits it.
    for group in &groups {
        if !sweep.has_swept_pair(group) {
            continue;
        }
        let swept = group.pairs.iter().filter(|&&pair| sweep.is_swept(pair, dt));
        let motions: Vec<_> = swept.map(|&pair| (pair, sweep.moved(pair, dt))).collect();
        for (body, moved) in motions.iter().flat_map(|(pair, m)| pair.map(|body| (body, m))) {
            if sweep.system.bodies[body as usize].kind() == BodyKind::Free {
                sweep.allowance[body as usize] =
                    sweep.allowance[body as usize].max(ALLOWANCE * moved);
            }
        }
    }
    groups = sweep.groups()?;
    let mut report = DriftReport::default();
    let mut is_moved = vec![false; bodies.len()];
    for group in &groups {
        if !sweep.has_swept_pair(group) {
            continue;
        }
        group.members.iter().for_each(|&body| is_moved[body as usize] = true);
        sweep.advance(group, &mut report);
    }
    for (body, _) in is_moved.iter().enumerate().filter(|(_, is_moved)| !**is_moved) {
        system.states[body] = bodies[body].advanced(&system.states[body], dt);
    }
    Ok(report)
}

/// How far each body may go in a step, if nothing makes it faster \[m\].
fn allowances(system: &RigidSystem, dt: f64) -> Vec<f64> {
    let bodies = system.bodies.iter().zip(&system.states).zip(&system.contacts.reach);
    let allowance = bodies.map(|((body, state), reach)| match body.kind() {
        BodyKind::Fixed => 0.0,
        BodyKind::Prescribed => motion(body, &state.twist(), dt),
        BodyKind::Free => (ALLOWANCE * motion(body, &state.twist(), dt)).max(*reach),
    });
    allowance.collect()
}

/// Bodies that may come near each other within the step.
struct Group {
    members: Vec<u32>,
    pairs: Vec<[u32; 2]>,
}

/// A drift with impacts.
struct Sweep<'a> {
    system: &'a mut RigidSystem,
    /// How far each body may go in the step \[m\].
    allowance: Vec<f64>,
    /// T.
    dt: f64,
    /// Zero but for the bodies of the group.
    inverse_mass: Vec<InverseMass>,
}

impl<'a> Sweep<'a> {
    fn new(system: &'a mut RigidSystem, allowance: Vec<f64>, dt: f64) -> Self {
        let inverse_mass = vec![InverseMass::default(); allowance.len()];
        Sweep { system, allowance, dt, inverse_mass }
    }

    /// The groups of bodies with the allowances that they have now.
    fn groups(&mut self) -> Result<Vec<Group>, RigidError> {
        let system = &mut *self.system;
        let pairs =
            system.contacts.pairs_within(&system.bodies, &system.states, &self.allowance)?;
        let is_free = |body: u32| system.bodies[body as usize].kind() == BodyKind::Free;
        let mut islands = Islands::default();
        islands.update(pairs.iter().copied(), is_free, system.bodies.len());
        let groups = islands.ranges.iter().map(|(members, contacts)| Group {
            members: islands.bodies[members.clone()].to_vec(),
            pairs: islands.contacts[contacts.clone()].iter().map(|&k| pairs[k as usize]).collect(),
        });
        Ok(groups.collect())
    }

    /// Whether a pair of a group is to be swept.
    fn has_swept_pair(&self, group: &Group) -> bool {
        group.pairs.iter().any(|&pair| self.is_swept(pair, self.dt))
    }

    /// Moves a group through the step.
    fn advance(&mut self, group: &Group, report: &mut DriftReport) {
        let others = self.others(&group.pairs);
        let starts: Vec<BodyState> =
            others.iter().map(|&body| self.system.states[body as usize]).collect();
        let mut left = self.dt;
        for round in 0..=MAX_IMPACTS {
            let limit = self.use_allowance(&group.members, left);
            let impact = self.first_impact(&group.pairs, limit, left);
            let part = impact.unwrap_or(limit);
            self.move_bodies(&group.members, part, left);
            self.move_bodies(&others, part, left);
            if impact.is_none() || round == MAX_IMPACTS {
                report.stopped += u32::from(part < left);
                break;
            }
            left -= part;
            self.solve_impact(group);
            report.impacts += 1;
        }
        // Other groups meet what their callers move from the start of the step, too.
        for (&body, start) in others.iter().zip(starts) {
            self.system.states[body as usize] = start;
        }
    }

    /// The bodies of pairs that only their caller moves.
    fn others(&self, pairs: &[[u32; 2]]) -> Vec<u32> {
        let is_other =
            |body: &u32| self.system.bodies[*body as usize].kind() == BodyKind::Prescribed;
        let mut others: Vec<u32> = pairs.iter().flatten().copied().filter(is_other).collect();
        others.sort_unstable();
        others.dedup();
        others
    }

    /// How far a body moves in `dt` \[s\] \[m\].
    fn motion(&self, body: u32, dt: f64) -> f64 {
        let body = body as usize;
        motion(&self.system.bodies[body], &self.system.states[body].twist(), dt)
    }

    /// How far both bodies of a pair move together in `dt` \[s\] \[m\].
    fn moved(&self, pair: [u32; 2], dt: f64) -> f64 {
        pair.iter().map(|&body| self.motion(body, dt)).sum()
    }

    /// Whether a pair has to be swept for the rest of the step, `dt` \[s\].
    fn is_swept(&self, pair: [u32; 2], dt: f64) -> bool {
        let system = &*self.system;
        let moved = self.moved(pair, dt);
        let reach: f64 = pair.iter().map(|&body| system.contacts.reach[body as usize]).sum();
        let size = shape_pair(&system.bodies, &system.states, pair).size();
        if moved > reach.min(SLOW * size) {
            return true;
        }
        let restitution = pair.map(|body| system.bodies[body as usize].material().restitution);
        if restitution == [0.0; 2] {
            return false;
        }
        let mut points = Vec::new();
        add_points(&system.bodies, &system.states, pair, reach, &mut points);
        let targets = system.targets(&system.accelerations);
        points.iter().any(|point| targets.impact_speed(point).is_some())
    }

    /// How long a group may go on, at most `dt` \[s\], while each body stays within its
    /// allowance, from which its motion is taken.
    fn use_allowance(&mut self, members: &[u32], dt: f64) -> f64 {
        let mut limit = dt;
        for &body in members {
            let allowance = self.allowance[body as usize];
            let speed = self.motion(body, 1.0);
            if speed * limit > allowance {
                limit = allowance / speed;
            }
        }
        for &body in members {
            let moved = self.motion(body, limit);
            let allowance = &mut self.allowance[body as usize];
            *allowance = (*allowance - moved).max(0.0);
        }
        limit
    }

    /// When the first of the swept pairs nearly touches within `dt` \[s\] of what is left.
    fn first_impact(&self, pairs: &[[u32; 2]], dt: f64, left: f64) -> Option<f64> {
        let system = &*self.system;
        let mut first: Option<f64> = None;
        for &pair in pairs.iter().filter(|&&pair| self.is_swept(pair, dt)) {
            let gap = IMPACT_GAP * shape_pair(&system.bodies, &system.states, pair).size();
            let [a, b] = pair.map(|k| k as usize);
            let shapes = [system.bodies[a].shape(), system.bodies[b].shape()];
            let motions = [a, b].map(|k| motion_of(&system.bodies[k], &system.states[k], left));
            let until = first.unwrap_or(dt);
            match (MotionPair { shapes, motions }).time_of_impact(until, gap) {
                Impact::At(time) => first = Some(time),
                // The solver holds it, as long as the motion is nearly straight.
                Impact::Contact => {
                    let size = shape_pair(&system.bodies, &system.states, pair).size();
                    let time = STRAIGHT * size / self.moved(pair, 1.0);
                    first = if time < until { Some(time) } else { first };
                }
                Impact::Free => {}
            }
        }
        first
    }

    /// Moves bodies for `part` \[s\] of what remains, `whole` \[s\].
    fn move_bodies(&mut self, members: &[u32], part: f64, whole: f64) {
        for &body in members {
            let body = body as usize;
            let (own, state) = (&self.system.bodies[body], self.system.states[body]);
            self.system.states[body] = if part == whole {
                own.advanced(&state, whole)
            } else {
                let there = motion_of(own, &state, whole).pose_at(part);
                BodyState {
                    position: there.translation.vector,
                    orientation: there.rotation.into(),
                    velocity: state.velocity,
                    angular_velocity: own.spin_at(&state, &there.rotation),
                }
            };
        }
    }

    /// Solves the contact problem of an instant.
    fn solve_impact(&mut self, group: &Group) {
        let system = &mut *self.system;
        for &body in &group.members {
            let body = body as usize;
            self.inverse_mass[body] = system.inverse_mass(body);
        }
        let mut found = Vec::new();
        for &pair in &group.pairs {
            let reach: f64 = pair.iter().map(|&k| system.contacts.reach[k as usize]).sum();
            let size = shape_pair(&system.bodies, &system.states, pair).size();
            let prediction = reach.max(TOUCHING * size);
            add_points(&system.bodies, &system.states, pair, prediction, &mut found);
        }
        let targets = system.targets(&system.accelerations);
        let mut speeds = Vec::new();
        found.retain(|point| {
            let speed = targets.impact_target(point);
            speeds.extend(speed);
            speed.is_some()
        });
        let free: Vec<Twist> = system.states.iter().map(BodyState::twist).collect();
        let centers: Vec<Vector3<f64>> = system.states.iter().map(|state| state.position).collect();
        let problem = ContactProblem {
            points: &found,
            speeds: &speeds,
            inverse_mass: &self.inverse_mass,
            centers: &centers,
            free: &free,
        };
        let mut impulses = vec![Vector3::zeros(); found.len()];
        let mut twists = free.clone();
        let convergence = system.settings.convergence();
        system.solver.solve(&problem, &convergence, &mut impulses, &mut twists);
        let given = found.iter().zip(&impulses);
        let works =
            given.map(|(point, impulse)| work(&system.bodies, &system.states, point, impulse));
        system.work_of_driven += works.sum::<f64>();
        for &body in &group.members {
            let body = body as usize;
            system.states[body] = system.states[body].with_twist(twists[body]);
            self.inverse_mass[body] = InverseMass::default();
        }
    }
}

/// The motion of a body over `dt` \[s\]: to where its rotation takes it, or at its present spin if
/// that is many turns.
fn motion_of(body: &RigidBody, state: &BodyState, dt: f64) -> Motion {
    let start = pose(state);
    if body.kind() == BodyKind::Fixed {
        return Motion::at_rest(start);
    }
    let steady = Motion { start, velocity: state.velocity, spin: state.angular_velocity };
    let spin = &state.angular_velocity;
    if spin.norm() * dt > MAX_TURN || *spin == Vector3::zeros() {
        return steady;
    }
    let end = pose(&body.advanced(state, dt));
    Motion { spin: Motion::between(&start, &end, dt).spin, ..steady }
}
