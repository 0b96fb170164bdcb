//! A step, and a step tried again if it fails.
//!
//! [`Stepper::step`] tries a step, and rolls it back and halves it while the state jumps or an
//! emitter stalls. `Stepper::try_step` is the table of contents of one step. It is a leapfrog,
//! kick–drift–kick: half a kick with the forces of the old positions, the drift, and half a kick
//! with those of the new positions.

use crate::step::boundary::broad_phase;
use crate::step::boundary::drift::{Deepest, Depths};
use crate::step::elastic::step_without_fluid;
use crate::step::guard::{self, BlowUp};
use crate::step::inflow::nozzles;
use crate::step::report::StepReport;
use crate::step::solved::Solved;
use crate::step::step_error::StepError;
use crate::step::stepper::Stepper;
use crate::step::time_step::limits::{self, Limit, StepLength};
use crate::step::time_step::state_bounds::{StateBounds, compression};
use crate::world::World;
use hashfall_core::timer::Stage;
use std::slice::from_ref;

impl Stepper {
    /// Takes one step, at most to the time `until` \[s\], on which the last step lands exactly. A
    /// step that makes the state jump is rolled back and halved ([`Limit::Rejection`]).
    ///
    /// A world that was changed since the last step is [validated](World::validate) first; who
    /// moves particles says so before, by [`expect_changes`](Stepper::expect_changes). Body forces,
    /// the motions of driven bodies and the speeds of emitters act from this step on. After any
    /// other change the step is the one that a new stepper would take.
    ///
    /// # Errors
    /// If the world cannot be stepped any more, if the state has become something that is not
    /// finite, by the shortest step as well, or if `until` is in the past or no number.
    pub fn step(&mut self, world: &mut World, until: f64) -> Result<StepReport, StepError> {
        if until.is_nan() || until < world.time {
            return Err(StepError::Time { until, time: world.time });
        }
        self.take_changes(world)?;
        let until = world.next_release().map_or(until, |time| time.min(until));
        let remaining = until - world.time;
        let stable = self.longest_step(world, remaining);
        let whole = limits::trim(stable, remaining).dt;
        let mut length = limits::trim(self.growth.cut(stable), remaining);
        let boundary_speed = limits::boundary_speed(world, whole);
        let speed = self.state_bounds.speed.max(boundary_speed);
        let body_speed = self.state_bounds.body_speed.max(world.release_speed(until));
        let before = StateBounds { speed, body_speed, ..self.state_bounds };
        let power = self.outside_power(world);
        // Steps of a given length stay so.
        let is_given = stable.limit == Limit::Fixed;
        let (mut rejected, mut halved, mut resting) = (0, 0, Vec::new());
        self.rejection = None;
        loop {
            let tried = self.try_step(world, length, until);
            let dt = length.dt;
            // Where no step at all is allowed, no half of it is shorter.
            let is_last = is_given || dt < 2.0 * limits::MIN_STEP_RATIO * whole || dt == 0.0;
            let stalled = self.stalled_emitters(world, &tried, is_last);
            if !stalled.is_empty() {
                resting.extend(stalled);
                self.rollback(world);
                nozzles::rest(world, &resting);
                rejected += 1;
                continue;
            }
            match tried {
                Ok((report, after))
                    if is_last || !after.jumps_from(&before, dt, world.spacing().into()) =>
                {
                    self.accept(world, dt, halved, after, power);
                    let all = std::mem::take(&mut self.iterations);
                    return Ok(StepReport { rejected, ..report }.with_iterations(all));
                }
                Err(blow_up) if is_last => {
                    self.has_failed = true;
                    return Err(blow_up.into());
                }
                Err(blow_up) => {
                    self.rejection = Some(blow_up);
                    self.rollback(world);
                }
                Ok(_) => self.rollback(world),
            }
            nozzles::rest(world, &resting);
            (rejected, halved) = (rejected + 1, halved + 1);
            length = StepLength::new(0.5 * dt, Limit::Rejection);
        }
    }

    /// Takes a step of this length: the stages in their order.
    pub(super) fn try_step(
        &mut self,
        world: &mut World,
        length: StepLength,
        until: f64,
    ) -> Result<(StepReport, StateBounds), BlowUp> {
        let dt = length.dt;
        let end = if dt >= until - world.time { until } else { world.time + dt };
        self.begin_step(world, dt, end)?;
        self.advance_elastic(world, dt)?;
        let (last, mut deepest) = self.advance_substeps(world, dt)?;
        self.first_half_kick(world, last);
        self.move_bodies(world);
        let (depth, density) = self.drift(world, last);
        deepest = deepest.or(depth);
        self.end_motion(world, end);
        // Before the search, whose cells are for finite points within reach, and after the forces.
        guard::check(world, self.cell_size)?;
        self.update_surroundings(world);
        self.advance_density(world, last);
        self.update_forces_and_correct(world);
        let divergence = self.second_half_kick(world, last);
        guard::check(world, self.cell_size)?;
        self.bodies.end_step(world).map_err(|_| BlowUp::of_bodies(world))?;
        Ok(self.report(world, length, deepest, density, divergence))
    }

    /// Sorts the world and finds each particle's surroundings and density.
    pub(super) fn update_surroundings(&mut self, world: &mut World) {
        self.sort(world);
        self.update_neighborhood(world);
        self.update_density(world);
    }

    /// Returns to the state before the step, with its surroundings.
    pub(super) fn rollback(&mut self, world: &mut World) {
        let snapshot = &self.snapshot;
        self.times.time(Stage::Integrate, || snapshot.restore(world));
        // Now, as no step is under way, and at the end, as forces are noted.
        self.terms.iter_mut().for_each(|term| term.rollback());
        broad_phase::renew(self.index.as_mut(), &world.solids);
        self.individual.end();
        self.bodies.rollback(world);
        self.update_surroundings(world);
        self.update_forces(world);
        self.reactions.rollback();
        // Forces had been found with the velocities half a kick before.
        let snapshot = &self.snapshot;
        self.times.time(Stage::Integrate, || snapshot.restore(world));
        self.scheme.rollback();
        self.terms.iter_mut().for_each(|term| term.rollback());
    }

    /// Finds the accelerations anew, if a force has been added to them; returns whether.
    pub(super) fn update_new_forces(&mut self, world: &mut World) -> bool {
        let has_new_force = std::mem::take(&mut self.has_new_force);
        if has_new_force {
            self.update_forces(world);
            self.note_custom_power(world);
        }
        self.is_resumed = false;
        has_new_force
    }

    /// The longest step that the state allows, in which some particles may take several.
    fn longest_step(&mut self, world: &World, remaining: f64) -> StepLength {
        if world.fluids.is_empty() {
            return step_without_fluid(world, remaining);
        }
        let mut stable = self.stable_time_step(world);
        if self.individual.is_on() {
            let bounds =
                world.fluids.iter().map(|fluid| self.scheme.bounds(world, from_ref(fluid)));
            stable.dt = self.individual.longest_step(world, bounds, stable.dt);
        }
        stable
    }

    /// The emitters that stalled in the step that was tried; if it failed for the last time, all
    /// that push.
    fn stalled_emitters(
        &self,
        world: &World,
        tried: &Result<(StepReport, StateBounds), BlowUp>,
        is_last: bool,
    ) -> Vec<usize> {
        match tried {
            Ok((report, _)) => {
                self.nozzles.stalled(world, self.scheme.as_ref(), &self.neighborhood.lists, report)
            }
            Err(_) if is_last => self.nozzles.pushing().collect(),
            Err(_) => Vec::new(),
        }
    }

    /// Counts a step of `dt` \[s\] that was halved so often, and saves what it led to; at its start
    /// this power came from outside \[W\].
    fn accept(
        &mut self,
        world: &mut World,
        dt: f64,
        halved: u32,
        after: StateBounds,
        power: [f64; 2],
    ) {
        self.note_work(world, dt, power);
        self.reactions.end_step();
        self.growth.note(dt, halved);
        self.state_bounds = after;
        self.snapshot.save_rest(world);
    }

    /// What a step did.
    fn report(
        &self,
        world: &World,
        length: StepLength,
        deepest: Depths,
        density: Solved,
        divergence: Solved,
    ) -> (StepReport, StateBounds) {
        let (density_error_max, density_error_mean) = compression(world);
        let in_spacings = |it: Deepest| f64::from(it.depth / world.spacing());
        let report = StepReport {
            dt: length.dt,
            limit: length.limit,
            rejected: 0,
            density_error_max,
            density_error_mean,
            deepest_penetration: in_spacings(deepest.all),
            unconfined_penetration: in_spacings(deepest.unconfined),
            deepest_particle: deepest.unconfined.particle,
            density,
            divergence,
            viscosity: self.terms.iter().find_map(|term| term.solved()).unwrap_or_default(),
            elastic: self.elastic.as_ref().map(|it| it.report()).unwrap_or_default(),
            contact: self.bodies.contact_summary(),
        };
        (report, StateBounds::new(world, density_error_max))
    }
}
