//! The stages of a step.

use crate::step::boundary::broad_phase;
use crate::step::boundary::drift::{self, Depths, DriftInput};
use crate::step::guard::{self, BlowUp};
use crate::step::pairs::ghosts;
use crate::step::schemes::context::{HalfKick, StageContext};
use crate::step::schemes::scheme::PressureScheme;
use crate::step::solved::Solved;
use crate::step::stepper::Stepper;
use crate::step::terms::term::ImplicitState;
use crate::world::World;
use hashfall_core::Real;
use hashfall_core::timer::Stage;

impl Stepper {
    /// Gives bodies their motion and nozzles their velocity for a step of `dt` \[s\] to `end`
    /// \[s\].
    pub(super) fn begin_step(
        &mut self,
        world: &mut World,
        dt: f64,
        end: f64,
    ) -> Result<(), BlowUp> {
        self.terms.iter_mut().for_each(|term| term.begin_step(dt));
        guard::check_motions(world, end)?;
        world.solids.begin_step(end, dt);
        self.neighborhood.boundary.take_velocities(world);
        self.reactions.begin_step();
        self.bodies.begin_step(world, dt);
        self.times.time(Stage::Integrate, || self.nozzles.begin(world, self.scheme.as_ref(), dt));
        Ok(())
    }

    /// Gives the velocities with which the particles drift, and their densities halfway.
    pub(super) fn first_half_kick(&mut self, world: &mut World, dt: Real) {
        self.half_kick(world, dt, |scheme, world, context, kick| {
            scheme.first_half_kick(world, context, kick);
        });
        self.lead_bodies(world, dt);
        self.advance_density(world, dt);
    }

    /// Brings velocities to the instant of the positions.
    pub(super) fn second_half_kick(&mut self, world: &mut World, dt: Real) -> Solved {
        self.half_kick(world, dt, |scheme, world, context, kick| {
            scheme.second_half_kick(world, context, kick)
        })
    }

    fn half_kick<T, K>(&mut self, world: &mut World, dt: Real, kick_by: K) -> T
    where
        K: FnOnce(&mut dyn PressureScheme, &mut World, &mut StageContext<'_>, HalfKick) -> T,
    {
        self.reactions.kick(f64::from(0.5 * dt));
        self.kick_bodies(world, f64::from(0.5 * dt));
        let explicit_force = self.implicit_state().map(|state| state.max_force);
        let Stepper { times, neighborhood, pairs, reactions, bodies, scheme, .. } = self;
        let context = &mut StageContext { neighborhood, pairs, bodies, reactions, inactive: &[] };
        let kick = HalfKick { dt, explicit_force };
        let stage = scheme.kick_stage();
        let result = times.time(stage, || kick_by(scheme.as_mut(), world, context, kick));
        let spent = scheme.take_spent();
        times.shift(stage, Stage::Iterations, spent.time);
        self.iterations.divergence += spent.iterations;
        result
    }

    /// Moves bodies to their places at the end of the step.
    pub(super) fn move_bodies(&mut self, world: &mut World) {
        self.times.time(Stage::Collide, || {
            world.solids.move_bodies();
            broad_phase::renew(self.index.as_mut(), &world.solids);
        });
    }

    /// Advances the elastic bodies to the end of a step of `dt` \[s\]; the solids have begun it and
    /// are still where it starts.
    pub(super) fn advance_elastic(&mut self, world: &mut World, dt: f64) -> Result<(), BlowUp> {
        let Some(stage) = &mut self.elastic else { return Ok(()) };
        let advanced = self.times.time(Stage::Elastic, || stage.advance(world, dt));
        advanced.map_err(|error| BlowUp::of_elastic(world, error))?;
        if world.solids.has_deforming() {
            self.neighborhood.boundary.take_velocities(world);
        }
        Ok(())
    }

    /// Moves the particles, with contacts; returns the deepest penetrations that are left, and how
    /// the displacements that keep the density were found.
    pub(super) fn drift(&mut self, world: &mut World, dt: Real) -> (Depths, Solved) {
        let Stepper {
            times, neighborhood, pairs, reactions, bodies, scheme, index, buffers, ..
        } = self;
        let context = &mut StageContext { neighborhood, pairs, bodies, reactions, inactive: &[] };
        let solved = times.time(Stage::Forces, || scheme.update_shifts(world, context, dt));
        self.iterations.density += solved.iterations;
        let deepest = times.time(Stage::Collide, || {
            let input = DriftInput {
                index: index.as_ref(),
                around: &neighborhood.boundary,
                shifts: scheme.shifts(),
                is_free_flight: !scheme.settings().has_interactions(),
            };
            let deepest = drift::drift(world, &input, reactions, buffers, dt);
            bodies.take_impulses(world, reactions);
            deepest
        });
        (deepest, solved)
    }

    /// Sets the clock to `end` \[s\]; emitters and sinks let particles in and out.
    pub(super) fn end_motion(&mut self, world: &mut World, end: f64) {
        let before = std::mem::replace(&mut world.time, end);
        world.release_bodies(before);
        world.solids.end_step();
        self.bodies.end_motion(world, before);
        world.steps += 1;
        self.times.time(Stage::Integrate, || self.nozzles.transfer(world));
    }

    /// Sorts the world; returns whether anything moved.
    pub(super) fn sort(&mut self, world: &mut World) -> bool {
        self.times.time(Stage::Search, || {
            ghosts::wrap(world);
            self.order.sort(&mut world.particles, world.support_radius)
        })
    }

    /// Finds each particle's neighbours and solids; of inactive particles, solids alone.
    pub(super) fn update_neighborhood(&mut self, world: &World) {
        let Stepper { times, neighborhood, pairs, scheme, search, individual, index, .. } = self;
        times.time(Stage::Search, || {
            if scheme.settings().has_interactions() {
                pairs.update(world);
                neighborhood.find(search.as_mut(), world, pairs, &individual.inactive);
            }
        });
        times.time(Stage::Solids, || {
            neighborhood.boundary.update(index.as_ref(), world);
            if scheme.settings().has_interactions() {
                neighborhood.hide(world, pairs, &individual.inactive);
            }
        });
    }

    /// Evaluates the kernel for all pairs, and finds densities.
    pub(super) fn update_density(&mut self, world: &mut World) {
        let Stepper {
            times,
            neighborhood,
            pairs,
            reactions,
            bodies,
            scheme,
            terms,
            individual,
            ..
        } = self;
        times.time(Stage::Density, || {
            if scheme.settings().has_interactions() {
                neighborhood.evaluate(world, &individual.inactive);
            }
            let inactive = &individual.inactive;
            let context = &mut StageContext { neighborhood, pairs, bodies, reactions, inactive };
            scheme.update_density(world, context);
            terms.iter_mut().for_each(|term| term.update(world, context));
        });
    }

    /// Half a step of densities that are transported.
    pub(super) fn advance_density(&mut self, world: &mut World, dt: Real) {
        let Stepper { times, neighborhood, pairs, reactions, bodies, scheme, .. } = self;
        let context = &mut StageContext { neighborhood, pairs, bodies, reactions, inactive: &[] };
        times.time(Stage::Density, || scheme.advance_density(world, context, dt));
    }

    /// Pressures and accelerations at the present positions.
    pub(super) fn update_forces(&mut self, world: &mut World) {
        let Stepper {
            times,
            neighborhood,
            pairs,
            reactions,
            bodies,
            scheme,
            terms,
            individual,
            ..
        } = self;
        let inactive = &individual.inactive;
        let context = &mut StageContext { neighborhood, pairs, bodies, reactions, inactive };
        times.time(Stage::Pressure, || scheme.update_pressure(world, context));
        times.time(Stage::Forces, || {
            scheme.update_accelerations(world, context);
            terms.iter_mut().for_each(|term| term.add(world, context, scheme.as_mut()));
        });
        let solved = terms.iter().find_map(|term| term.solved()).unwrap_or_default();
        self.iterations.viscosity += solved.iterations;
    }

    /// What implicit terms leave to the next step.
    pub(super) fn implicit_state(&self) -> Option<ImplicitState> {
        self.terms.iter().find_map(|term| term.implicit_state())
    }
}
