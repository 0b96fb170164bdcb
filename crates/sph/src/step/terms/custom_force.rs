//! A force that the user of the library gives.

use crate::step::pairs::inactive::is_inactive;
use crate::step::schemes::context::StageContext;
use crate::step::schemes::scheme::PressureScheme;
use crate::step::terms::term::ForceTerm;
use crate::world::World;
use hashfall_core::{Vec3, parallel, to_f64};
use std::fmt;

/// Adds what a function gives to the accelerations.
pub struct CustomForce<F> {
    force: F,
    /// What the function gives \[m/s²\].
    accelerations: Vec<Vec3>,
}

impl<F> CustomForce<F> {
    /// A force by this function.
    pub fn new(force: F) -> Self {
        CustomForce { force, accelerations: Vec::new() }
    }
}

impl<F> fmt::Debug for CustomForce<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CustomForce")
    }
}

impl<F: FnMut(&World, &mut [Vec3]) + Send> ForceTerm for CustomForce<F> {
    fn add(
        &mut self,
        world: &mut World,
        context: &mut StageContext<'_>,
        _: &mut dyn PressureScheme,
    ) {
        self.accelerations.clear();
        self.accelerations.resize(world.particles.len(), Vec3::zeros());
        (self.force)(world, &mut self.accelerations);
        let (given, inactive) = (&self.accelerations, context.inactive);
        parallel::fill(&mut world.particles.acceleration, |i, acceleration| {
            if !is_inactive(inactive, i) {
                *acceleration += given[i];
            }
        });
    }

    fn power(&self, world: &World) -> f64 {
        let (p, given) = (&world.particles, &self.accelerations);
        if given.len() != p.len() {
            return 0.0;
        }
        let [power] = parallel::sum(p.len(), |i| {
            let (a, v) = (to_f64(&given[i]), to_f64(&p.velocity[i]));
            [world.particle_mass(p.phase[i]) * (a[0] * v[0] + a[1] * v[1] + a[2] * v[2])]
        });
        power
    }
}
