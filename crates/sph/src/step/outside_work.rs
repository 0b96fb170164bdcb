//! What a step notes of the work from outside ([`OutsideWork`]).

use crate::step::stepper::Stepper;
use crate::world::{OutsideWork, World};

impl Stepper {
    /// The power of accelerations without a potential, those of custom forces among them, and of
    /// nozzles against the weight in them, at the start of a step \[W\].
    pub(super) fn outside_power(&self, world: &World) -> [f64; 2] {
        [world.power_of_forces() + self.custom_power, world.power_of_nozzles()]
    }

    /// Notes the power of custom forces at the present places.
    pub(super) fn note_custom_power(&mut self, world: &World) {
        self.custom_power = self.terms.iter().map(|term| term.power(world)).sum();
    }

    /// Notes the work of a step of `dt` \[s\], at whose start the powers were those `before`
    /// \[W\].
    pub(super) fn note_work(&mut self, world: &mut World, dt: f64, before: [f64; 2]) {
        self.note_custom_power(world);
        let after = self.outside_power(world);
        let mean = |k: usize| 0.5 * (before[k] + after[k]) * dt;
        let of_surfaces = self.reactions.work_of_step();
        let [mut all, mut of_driven] = [of_surfaces; 2];
        for (body, work) in world.solids.works(self.reactions.of_step()) {
            all += work;
            let is_free = world.free_bodies.binary_search_by_key(&body, |it| it.body).is_ok();
            of_driven += if is_free { 0.0 } else { work };
        }
        let flow = self.nozzles.flow_work(world, self.scheme.as_ref(), &self.neighborhood.lists);
        let budget = &mut world.open_boundaries.budget;
        budget.work += all;
        let outside = &mut budget.outside;
        outside.solids += of_driven;
        outside.bodies += self.bodies.work_of_driven();
        outside.forces += mean(0);
        outside.nozzles += mean(1);
        outside.flow += flow;
        outside.supplied += outside.brought_since(self.snapshot.outside_work());
    }

    /// Notes what a caller has changed since the energy inside was that `before` \[J\].
    pub(super) fn note_changes(world: &mut World, before: f64) {
        let change = world.energy_inside() - before;
        let outside: &mut OutsideWork = &mut world.open_boundaries.budget.outside;
        outside.forces += change;
        outside.supplied += change.max(0.0);
    }
}
