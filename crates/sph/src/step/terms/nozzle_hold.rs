//! Particles in nozzles are not accelerated: they move with their emitter's velocity.

use crate::step::schemes::context::StageContext;
use crate::step::schemes::scheme::PressureScheme;
use crate::step::terms::term::ForceTerm;
use crate::world::World;
use hashfall_core::simd::Isa;
use hashfall_core::{Vec3, parallel};

/// Takes the accelerations off particles in nozzles.
#[derive(Debug)]
pub struct NozzleHold;

impl NozzleHold {
    /// For worlds with emitters.
    pub fn for_world(world: &World, _: &dyn PressureScheme, _: Isa) -> Option<Box<dyn ForceTerm>> {
        (!world.open_boundaries.emitters.is_empty())
            .then(|| Box::new(NozzleHold) as Box<dyn ForceTerm>)
    }
}

impl ForceTerm for NozzleHold {
    fn add(&mut self, world: &mut World, _: &mut StageContext<'_>, _: &mut dyn PressureScheme) {
        let in_nozzle = &world.particles.in_nozzle;
        parallel::fill(&mut world.particles.acceleration, |i, a| {
            if in_nozzle[i] > 0 {
                *a = Vec3::zeros();
            }
        });
    }
}
