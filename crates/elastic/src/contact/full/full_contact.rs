//! A substep of the full mode.

use super::candidates::{Candidates, ContactScene};
use super::clearance::{find_touch, is_clear_of_walls, set_deviations};
use super::constraint::Constraint;
use super::contact_pair::ContactPair;
use super::contacts::Contacts;
use super::correction::correct;
use super::guard::Guard;
use super::hit::{Hit, HitKind};
use super::obstacles::Obstacles;
use super::points::{Points, Step, check, max_travel};
use super::primitives::Primitives;
use super::solver::Solver;
use super::zones::Zones;
use crate::contact::collisions::{Collisions, ContactCounts, Drift, NodeMotion};
use crate::contact::error::ContactError;
use crate::system::ElasticSystem;
use hashfall_core::parallel;
use hashfall_geometry::Point;
use hashfall_search::BroadPhaseKind;
use hashfall_solid::Solids;

/// How often what would come through becomes constraints.
const MAX_ROUNDS: u32 = 12;
/// How often zones grow.
const MAX_ZONES: u32 = 100;
/// A smaller part of a substep is no motion \[–\].
const MIN_PART: f64 = 1e-3;

/// Contact without interpenetration: no primitive of a body crosses one of a body or a solid at the
/// end of any substep.
#[derive(Debug)]
pub struct FullContact {
    primitives: Primitives,
    obstacles: Obstacles,
    candidates: Candidates,
    step: Step,
    points: Points,
    contacts: Contacts,
    solver: Solver,
    guard: Guard,
    zones: Zones,
    /// Of ways that are not straight, by point \[m\].
    deviation: Vec<f64>,
    /// Pairs that might touch on these.
    touching: Vec<Hit>,
    /// Displacements of the substep under way, by point \[m\].
    correction: Vec<Point>,
    is_corrected: bool,
    correction_constraints: Vec<Constraint>,
    counts: ContactCounts,
    /// How often what would come through becomes constraints.
    pub(super) max_rounds: u32,
    /// How often zones grow.
    pub(super) max_zones: u32,
}

impl FullContact {
    /// Contact of all bodies of a system with each other, with themselves and with solids.
    ///
    /// The solids may be in any state; where their bodies move is told at each step.
    pub fn new(system: &ElasticSystem, solids: &Solids, broad_phase: BroadPhaseKind) -> Self {
        let obstacles = Obstacles::new(solids);
        let primitives = Primitives::new(system, &obstacles);
        let rests = obstacles.points.iter().map(|point| point.rest);
        let start: Vec<Point> = system.start().position.iter().copied().chain(rests).collect();
        FullContact {
            candidates: Candidates::new(broad_phase, &primitives, &start),
            primitives,
            obstacles,
            step: Step::default(),
            points: Points::default(),
            contacts: Contacts::default(),
            solver: Solver::default(),
            guard: Guard::default(),
            zones: Zones::default(),
            deviation: Vec::new(),
            touching: Vec::new(),
            correction: Vec::new(),
            is_corrected: false,
            correction_constraints: Vec::new(),
            counts: ContactCounts::default(),
            max_rounds: MAX_ROUNDS,
            max_zones: MAX_ZONES,
        }
    }

    /// Takes a substep in which nodes go straight with these velocities \[m/s\], and lists what may
    /// meet in it: for responses of one's own, as nothing is done about it.
    ///
    /// # Errors
    /// If nodes are where none can be.
    pub fn follow(
        &mut self,
        motion: &NodeMotion<'_>,
        velocity: &[Point],
    ) -> Result<(), ContactError> {
        check(motion, velocity)?;
        if self.step.update(&motion.solids) {
            self.candidates.begin_step();
        }
        self.is_corrected = false;
        self.points.begin(motion, velocity, &self.obstacles, &self.step);
        self.candidates.begin(&self.points);
        self.points.follow_velocities(motion.dt);
        self.find_pairs();
        Ok(())
    }

    /// The pairs that may come to their distance in the substep that was followed, in an order that
    /// is always the same. Where a contact is of corners, many pairs tell of it.
    pub fn pairs(&mut self) -> impl Iterator<Item = ContactPair> {
        self.counts.tested += self.candidates.find_near(&self.primitives, &self.points);
        self.candidates.near().map(ContactPair::from)
    }

    /// Finds the pairs for the displacements of all points.
    fn find_pairs(&mut self) {
        let FullContact { primitives, obstacles, step, .. } = self;
        self.candidates.follow(&ContactScene { primitives, obstacles, step }, &self.points);
    }

    /// Velocities that keep the distances, and corrections, for pairs that hold for them.
    fn constrain(
        &mut self,
        motion: &NodeMotion<'_>,
        velocity: &[Point],
    ) -> Result<(), ContactError> {
        let dt = motion.dt;
        self.follow(motion, velocity)?;
        self.contacts.clear();
        let (primitives, points) = (&self.primitives, &self.points);
        self.counts.tested +=
            self.contacts.add_pairs(primitives, points, &mut self.candidates, motion.time, dt)?;
        self.contacts.add_walls(primitives, points, &self.obstacles, dt);
        self.solve();
        self.points.follow_velocities(dt);
        self.is_corrected = correct(
            &self.contacts,
            &mut self.points,
            &mut self.correction,
            &mut self.correction_constraints,
            &mut self.solver,
        );
        // Contact may have made something faster than any was before: the constraints are those of
        // the motion before, and complete, but the guard needs the pairs of this one.
        self.find_pairs();
        Ok(())
    }

    /// Relaxes all constraints.
    fn solve(&mut self) {
        let Points { inverse_mass, velocity, .. } = &mut self.points;
        self.counts.sweeps +=
            u64::from(self.solver.solve(&mut self.contacts.constraints, inverse_mass, velocity));
    }

    /// Finds what would come through; returns whether anything does.
    fn find_hits(&mut self) -> bool {
        let (primitives, points) = (&self.primitives, &self.points);
        self.guard.find(primitives, points, &self.obstacles, &mut self.candidates);
        !self.guard.hits.is_empty()
    }

    /// Makes constraints of what would come through.
    fn add_impacts(&mut self, dt: f64) {
        let (primitives, points) = (&self.primitives, &self.points);
        for hit in &self.guard.hits {
            match hit.kind {
                HitKind::Pair(pair) => {
                    self.contacts.add_impact(primitives, points, &pair, hit.part, dt);
                }
                HitKind::Wall(number) => {
                    let wall = &self.obstacles.walls[number as usize];
                    self.contacts.add_wall(primitives, points, hit.points[0], wall, dt);
                }
            }
        }
    }

    /// Stops what would come through; returns the part of the motion that is free.
    fn stop_hits(&mut self, motion: &NodeMotion<'_>) -> Result<f64, ContactError> {
        let dt = motion.dt;
        self.zones.clear();
        for round in 0..self.max_rounds + self.max_zones {
            if !self.find_hits() {
                return Ok(1.0);
            }
            self.counts.impacts += self.guard.hits.len() as u64;
            if round < self.max_rounds {
                self.add_impacts(dt);
                self.solve();
            } else {
                let (primitives, step) = (&self.primitives, &self.step);
                let velocity = |fixed: u32, x: &Point| {
                    let body = primitives.moving_body(fixed)?;
                    Some((step.end_of(body, x) - x) / dt)
                };
                self.zones.make_rigid(&self.guard.hits, &mut self.points, velocity);
            }
            self.is_corrected = false;
            self.points.follow_velocities(dt);
            self.find_pairs();
        }
        self.find_hits();
        let part = self.guard.free_part();
        let first = self.guard.hits.iter().find(|hit| hit.part == part);
        match first {
            Some(hit) if part < MIN_PART => {
                let place = self.points.start[hit.points[0] as usize].into();
                Err(ContactError::Pinched { place, time: motion.time })
            }
            _ => Ok(part),
        }
    }
}

impl Collisions for FullContact {
    fn resolve(
        &mut self,
        motion: &NodeMotion<'_>,
        velocity: &mut [Point],
    ) -> Result<f64, ContactError> {
        self.constrain(motion, velocity)?;
        let part = self.stop_hits(motion)?;
        self.counts.contacts += self.contacts.acting();
        self.counts.cuts += u64::from(part < 1.0);
        let found = &self.points.velocity;
        parallel::fill(velocity, |node, velocity| {
            if motion.inverse_mass[node] > 0.0 {
                *velocity = found[node];
            }
        });
        Ok(part)
    }

    fn drift(&mut self, drift: &Drift<'_>, position: &mut [Point], velocity: &mut [Point]) {
        if !self.is_corrected {
            return drift.move_nodes(position, velocity);
        }
        // Added up as for the guard, whose ends are those to the last bit.
        let (velocity, correction) = (&*velocity, &self.correction);
        parallel::fill(position, |node, position| {
            *position += velocity[node] * drift.dt + correction[node];
        });
    }

    fn is_clear(
        &mut self,
        motion: &NodeMotion<'_>,
        velocity: &[Point],
        deviation: &[f64],
    ) -> Result<bool, ContactError> {
        check(motion, velocity)?;
        // Boxes grow by as much.
        if !deviation.iter().all(|deviation| *deviation <= max_travel()) {
            return Ok(false);
        }
        if self.step.update(&motion.solids) {
            self.candidates.begin_step();
        }
        self.is_corrected = false;
        self.points.begin(motion, velocity, &self.obstacles, &self.step);
        self.points.follow_velocities(motion.dt);
        let FullContact { primitives, points, obstacles, candidates, step, .. } = self;
        let (own, touching) = (&mut self.deviation, &mut self.touching);
        set_deviations(primitives, points, deviation, step, own);
        if !is_clear_of_walls(primitives, points, obstacles, own) {
            return Ok(false);
        }
        candidates.begin(points);
        candidates.follow_within(&ContactScene { primitives, obstacles, step }, points, own);
        touching.clear();
        candidates.find_hits(primitives, points, touching, |substep, awake, most| {
            find_touch(substep, awake, most, own)
        });
        Ok(touching.is_empty())
    }

    fn take_counts(&mut self) -> ContactCounts {
        std::mem::take(&mut self.counts)
    }
}
