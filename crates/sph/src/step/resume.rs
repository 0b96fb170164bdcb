//! What the next steps depend on beside the world, so that a run can stop and continue.

use crate::step::pairs::ghosts;
use crate::step::pairs::order::Order;
use crate::step::snapshot::Snapshot;
use crate::step::solved::IterationCounts;
use crate::step::step_error::StepError;
use crate::step::stepper::Stepper;
use crate::step::terms::term::ImplicitState;
use crate::step::time_step::growth::StepGrowth;
use crate::step::time_step::state_bounds::{StateBounds, compression};
use crate::world::World;
use hashfall_bodies::Wrench;
use hashfall_core::simd::Isa;
use hashfall_search::Structures;
use serde::{Deserialize, Serialize};

/// What a stepper knows of the steps before that does not show in the world.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    growth: StepGrowth,
    /// Forces on the bodies at the present places, and impulses since they were
    /// [taken](Stepper::take_impulses).
    forces: Vec<Wrench>,
    /// Where viscosity is implicit.
    #[serde(default)]
    implicit: Option<ImplicitState>,
    /// But for pressure, where accelerations have it in them \[m/s²\].
    #[serde(default)]
    max_acceleration: Option<f64>,
    /// What surfaces that deform or move in themselves do by the forces \[W\].
    #[serde(default, skip_serializing_if = "is_zero")]
    power: f64,
    /// What custom forces do \[W\].
    #[serde(default, skip_serializing_if = "is_zero")]
    custom_power: f64,
    impulses: Vec<Wrench>,
}

impl Memory {
    /// Whether all its numbers are finite, and lengths of steps positive, as steps leave them.
    pub fn is_valid(&self) -> bool {
        let wrenches = self.forces.iter().chain(&self.impulses);
        let viscous =
            self.implicit.iter().flat_map(|it| [it.max_acceleration, it.max_force, it.dt]);
        let numbers = wrenches.flat_map(Wrench::to_array).chain(self.max_acceleration);
        let mut numbers = numbers.chain(viscous);
        let powers = [self.power, self.custom_power];
        numbers.all(f64::is_finite)
            && powers.iter().all(|x| x.is_finite())
            && self.growth.is_valid()
    }
}

fn is_zero(x: &f64) -> bool {
    *x == 0.0
}

impl Stepper {
    /// Goes on from a state between steps as the stepper would that [remembers](Self::memory) it.
    ///
    /// # Errors
    /// If the world [cannot be stepped](World::validate), or its forces are not finite.
    pub fn resume(
        structures: &Structures,
        world: &mut World,
        memory: &Memory,
    ) -> Result<Self, StepError> {
        world.validate()?;
        ghosts::wrap(world);
        world.place_elastic_surfaces();
        Order::default().sort(&mut world.particles, world.support_radius);
        let mut snapshot = Snapshot::default();
        snapshot.save(world);
        let mut stepper = Self::with_isa(Isa::current(), structures, world)?;
        // Forces had been found with the velocities half a kick before.
        snapshot.restore(world);
        // Bodies are where their laws put them, whatever a file says.
        world.solids.move_to(world.time);
        world.renew_contact()?;
        stepper.snapshot.save(world);
        stepper.state_bounds = StateBounds::new(world, compression(world).0);
        stepper.growth = memory.growth;
        if let Some(state) = memory.implicit {
            stepper.terms.iter_mut().for_each(|term| term.restore(state));
        }
        stepper.is_resumed = true;
        // The run before has counted those by which it came here.
        stepper.iterations = IterationCounts::default();
        stepper.scheme.resume(memory.max_acceleration);
        stepper.reactions.recall(&memory.forces, &memory.impulses);
        stepper.reactions.recall_power(memory.power);
        stepper.custom_power = memory.custom_power;
        Ok(stepper)
    }

    /// What the next steps depend on beside the world.
    pub fn memory(&self) -> Memory {
        let (forces, impulses) = self.reactions.remembered();
        let implicit = self.implicit_state();
        let max_acceleration = self.scheme.max_acceleration();
        let power = self.reactions.acting_power();
        let custom_power = self.custom_power;
        let growth = self.growth;
        Memory { growth, forces, implicit, max_acceleration, power, custom_power, impulses }
    }
}
