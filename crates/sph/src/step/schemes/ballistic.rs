//! Particles without pressure: each flies as body forces pull it, and solids alone stop it.
//!
//! The "particle-based model with simple collision response" of Pouchol et al. 2009, §4.2.
//! Particles do not feel each other, so nobody looks for neighbours, and densities stay those of
//! the start.

use crate::step::schemes::context::StageContext;
use crate::step::schemes::scheme::{DensityKind, PressureScheme};
use crate::step::time_step::limits::StepBounds;
use crate::world::{Ballistic, Fluid, World};
use hashfall_core::parallel;

/// Flight without pressure.
#[derive(Debug)]
pub struct BallisticScheme {
    courant: f64,
}

impl BallisticScheme {
    /// With these settings.
    pub fn new(settings: &Ballistic) -> Self {
        BallisticScheme { courant: settings.courant }
    }
}

impl PressureScheme for BallisticScheme {
    fn bounds(&self, _: &World, _: &[Fluid]) -> StepBounds {
        StepBounds {
            sound_speed: None,
            pressure_speed: 0.0,
            courant: self.courant,
            viscosity: 0.0,
            acceleration: None,
            fixed: None,
        }
    }

    fn density_kind(&self) -> DensityKind {
        DensityKind::Constant
    }

    fn has_interactions(&self) -> bool {
        false
    }

    /// The accelerations by body forces.
    fn update_accelerations(&mut self, world: &mut World, _: &mut StageContext<'_>) {
        let body = world.body_field();
        let particles = &mut world.particles;
        let positions = &particles.position;
        parallel::fill(&mut particles.acceleration, |i, a| *a = body.at(&positions[i]));
    }
}
