//! Whole steps of which some particles take several.

use crate::step::boundary::drift::Depths;
use crate::step::guard::{self, BlowUp};
use crate::step::schemes::pair_forces;
use crate::step::stepper::Stepper;
use crate::world::World;
use hashfall_core::Real;
use hashfall_core::timer::Stage;

impl Stepper {
    /// All of a whole step of `dt` \[s\] but the last of its 2ⁿ shortest; returns how long each is
    /// \[s\], and the deepest penetrations that are left.
    ///
    /// # Errors
    /// If the state has become something that is not finite.
    pub(super) fn advance_substeps(
        &mut self,
        world: &mut World,
        dt: f64,
    ) -> Result<(Real, Depths), BlowUp> {
        let mut deepest = Depths::default();
        if !self.individual.is_on() {
            return Ok((dt as Real, deepest));
        }
        let dt = self.individual.begin(world, &self.neighborhood, &self.pairs, dt);
        let start = world.time;
        for k in 1..1_u32 << self.individual.max_level {
            self.reactions.kick(0.5 * dt);
            self.times.time(Stage::Integrate, || pair_forces::kick(world, (0.5 * dt) as Real));
            deepest = deepest.or(self.drift(world, dt as Real).0);
            world.time = start + f64::from(k) * dt;
            guard::check(world, self.cell_size)?;
            if self.sort(world) {
                self.scheme.reorder(&self.order);
            }
            self.individual.advance_substep(world);
            self.update_neighborhood(world);
            self.update_density(world);
            self.update_forces_and_correct(world);
            self.individual.begin_particle_steps(world, &self.neighborhood, &self.pairs);
            self.reactions.kick(0.5 * dt);
            self.times.time(Stage::Integrate, || pair_forces::kick(world, (0.5 * dt) as Real));
        }
        self.individual.end();
        Ok((dt as Real, deepest))
    }

    /// The forces at the present positions, and velocities that are due to them.
    pub(super) fn update_forces_and_correct(&mut self, world: &mut World) {
        if self.individual.max_level == 0 {
            return self.update_forces(world);
        }
        self.individual.save_accelerations(world);
        self.update_forces(world);
        self.individual.correct(world);
    }
}
