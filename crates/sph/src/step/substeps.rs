//! Whole steps of which some particles take several.

use crate::step::boundary::drift::Deepest;
use crate::step::guard::{self, BlowUp};
use crate::step::schemes::pair_forces;
use crate::step::stepper::{Pressures, Stepper};
use crate::world::World;
use hashfall_core::Real;
use hashfall_core::timer::Stage;

impl Stepper {
    /// All of a whole step but the last of its 2ⁿ shortest, each of `dt` \[s\].
    ///
    /// # Errors
    /// If the state has become something that is not finite.
    pub(super) fn take_short_steps(
        &mut self,
        world: &mut World,
        dt: f64,
    ) -> Result<Deepest, BlowUp> {
        let (start, mut deepest) = (world.time, Deepest::default());
        for k in 1..1_u32 << self.individual.highest {
            self.reactions.kick(0.5 * dt);
            self.times.time(Stage::Integrate, || pair_forces::kick(world, (0.5 * dt) as Real));
            deepest = deepest.or(self.drift(world, dt as Real));
            world.time = start + f64::from(k) * dt;
            guard::check(world, self.cell_size)?;
            if let (true, Pressures::Tait(tait)) = (self.sort(world), &mut self.solver) {
                tait.follow(&self.order);
            }
            self.individual.go_on(world);
            self.look(world);
            self.find_and_correct(world);
            self.individual.begin_own(world, &self.near);
            self.reactions.kick(0.5 * dt);
            self.times.time(Stage::Integrate, || pair_forces::kick(world, (0.5 * dt) as Real));
        }
        self.individual.end();
        Ok(deepest)
    }

    /// The forces at the present places, with velocities that are due to them.
    pub(super) fn find_and_correct(&mut self, world: &mut World) {
        if self.individual.highest == 0 {
            return self.find_forces(world);
        }
        self.individual.accelerations.clone_from(&world.particles.acceleration);
        self.find_forces(world);
        self.individual.correct(world);
    }
}
