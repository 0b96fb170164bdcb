//! What the next steps depend on beside the world, so that a run can stop and go on.

use crate::step::boundary::reactions::Wrench;
use crate::step::guard::BlowUp;
use crate::step::pairs::ghosts;
use crate::step::pairs::order::Order;
use crate::step::snapshot::Kept;
use crate::step::stepper::Stepper;
use crate::step::terms::implicit_viscosity::{Outlook, Viscosity};
use crate::step::time_step::limits::{Caution, Extremes, compression};
use crate::world::World;
use hashfall_core::simd::Isa;
use hashfall_search::Structures;
use serde::{Deserialize, Serialize};

/// What a stepper knows of the steps before that does not show in the world.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    caution: Caution,
    /// Forces on the bodies at the present places, and impulses since they were
    /// [taken](Stepper::take_impulses).
    forces: Vec<Wrench>,
    /// Where viscosity is implicit.
    #[serde(default)]
    outlook: Option<Outlook>,
    impulses: Vec<Wrench>,
}

impl Stepper {
    /// Goes on from a state between steps as the stepper would that [remembers](Self::memory) it.
    ///
    /// # Errors
    /// If the world holds something that is not finite.
    pub fn resume(
        structures: &Structures,
        world: &mut World,
        memory: &Memory,
    ) -> Result<Self, BlowUp> {
        ghosts::wrap(world);
        Order::default().sort(&mut world.particles, world.support_radius);
        let mut kept = Kept::default();
        kept.keep(world);
        let mut stepper = Self::on(Isa::current(), structures, world)?;
        // Forces had been found with the velocities half a kick before.
        kept.restore(world);
        stepper.kept = kept;
        stepper.extremes = Extremes::of(world, compression(world).0);
        stepper.caution = memory.caution;
        if let (Some(viscosity), Some(outlook)) = (&mut stepper.viscosity, memory.outlook) {
            viscosity.recall(outlook);
        }
        stepper.reactions.recall(&memory.forces, &memory.impulses);
        Ok(stepper)
    }

    /// What the next steps depend on beside the world.
    pub fn memory(&self) -> Memory {
        let (forces, impulses) = self.reactions.remembered();
        let outlook = self.viscosity.as_ref().map(Viscosity::outlook);
        Memory { caution: self.caution, forces, outlook, impulses }
    }
}
