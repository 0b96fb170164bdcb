//! Particles without pressure: each flies as body forces pull it, and solids alone stop it.
//!
//! The "particle-based model with simple collision response" of Pouchol et al. 2009, §4.2.
//! Particles do not feel each other, so nobody looks for neighbours, and densities stay those of
//! the start.

use crate::step::time_step::limits::Bounds;
use crate::world::{self, World};
use hashfall_core::parallel;

/// The solver; it keeps nothing between steps.
#[derive(Debug)]
pub struct Ballistic {
    courant: f64,
}

impl Ballistic {
    /// With these settings.
    pub fn new(settings: &world::Ballistic) -> Self {
        Ballistic { courant: settings.courant }
    }

    /// What limits a step.
    pub fn bounds(&self) -> Bounds {
        Bounds {
            sound_speed: None,
            pressure_speed: 0.0,
            courant: self.courant,
            viscosity: 0.0,
            acceleration: None,
            fixed: None,
        }
    }

    /// The accelerations by body forces.
    pub fn accelerations(&self, world: &mut World) {
        let body = world.body_field();
        let particles = &mut world.particles;
        let positions = &particles.position;
        parallel::fill(&mut particles.acceleration, |i, a| *a = body.at(&positions[i]));
    }
}
