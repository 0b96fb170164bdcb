//! What the next steps depend on beside the world, so that a run can stop and go on.

use super::governor::{Caution, Extremes, compression};
use super::guard::BlowUp;
use super::kept::Kept;
use super::order::Order;
use super::reactions::Wrench;
use super::viscosity::Viscosity;
use super::{Stepper, images};
use crate::base::isa::Isa;
use crate::search::Structures;
use crate::world::World;
use serde::{Deserialize, Serialize};

/// What a stepper knows of the steps before that does not show in the world.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    caution: Caution,
    /// Forces on the bodies at the present places, and impulses since they were
    /// [taken](Stepper::take_impulses).
    forces: Vec<Wrench>,
    /// The largest acceleration by all but an implicit viscosity \[m/s²\].
    #[serde(default)]
    strongest: Option<f64>,
    /// The step that it was solved for last \[s\].
    #[serde(default)]
    viscous_step: Option<f64>,
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
        images::wrap(world);
        Order::default().sort(&mut world.particles, world.support_radius);
        let mut kept = Kept::default();
        kept.keep(world);
        let mut stepper = Self::on(Isa::of_this_cpu(), structures, world)?;
        // Forces had been found with the velocities half a kick before.
        kept.restore(world);
        stepper.kept = kept;
        stepper.extremes = Extremes::of(world, compression(world).0);
        stepper.caution = memory.caution;
        let Memory { strongest, viscous_step, .. } = memory;
        if let (Some(viscosity), Some(strongest)) = (&mut stepper.viscosity, *strongest) {
            viscosity.recall(strongest, viscous_step.unwrap_or_else(|| viscosity.step()));
        }
        stepper.reactions.recall(&memory.forces, &memory.impulses);
        Ok(stepper)
    }

    /// What the next steps depend on beside the world.
    pub fn memory(&self) -> Memory {
        let (forces, impulses) = self.reactions.remembered();
        let strongest = self.viscosity.as_ref().map(Viscosity::strongest);
        let viscous_step = self.viscosity.as_ref().map(Viscosity::step);
        Memory { caution: self.caution, forces, strongest, viscous_step, impulses }
    }
}
