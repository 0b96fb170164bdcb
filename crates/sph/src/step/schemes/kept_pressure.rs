//! The pressure that a step leaves to the next.
//!
//! Half a kick with the known pressure p₀ and one with what the projection finds, p₀ + δ, make the
//! velocity free of divergence together. Kept is their mean, p₀ + δ/2, less what is rough in it
//! ([`super::known_pressure`]): with all of δ pressures would ring, as what is too much in one step
//! is too little in the next, for ever. From then on it acts as the next projection has it.
//!
//! Symbols: p, δ \[Pa\], f \[m/s²\].

use crate::step::bodies::coupling::BodyCoupling;
use crate::step::pairs::moments::Moments;
use crate::step::schemes::context::StageContext;
use crate::step::schemes::pressure_bounds::largest_rise;
use crate::step::schemes::projection::{Projection, acceleration_by};
use crate::world::World;
use hashfall_core::{Real, parallel};

/// The part of a change that stays \[–\].
const KEPT: Real = 0.5;

impl Projection {
    /// Takes back what of the change does not stay, once the half kick has been made with all of
    /// it; accelerations become those by the pressure that is left. What an impact adds or takes is
    /// over with the step: kept, it would throw the fluid back, and the farther the longer the step
    /// is.
    ///
    /// `dt` \[s\] is the step, `acceleration` \[m/s²\] the largest but for pressure.
    pub fn keep_mean_pressure(
        &mut self,
        world: &mut World,
        context: &mut StageContext<'_>,
        moments: &Moments,
        dt: Real,
        acceleration: f64,
    ) {
        let largest = largest_rise(world, f64::from(dt), acceleration);
        self.take_off_pressure(world);
        let (fluids, phases) = (&world.fluids, &world.particles.phase);
        let rest_density = |i: usize| fluids[usize::from(phases[i])].rest_density;
        let changes = &self.changes;
        parallel::fill(&mut world.particles.pressure, |i, p| {
            // Neither beyond what it was nor beyond 0 by more.
            let (before, most) = (*p - changes[i], largest * rest_density(i));
            let kept = KEPT * changes[i];
            *p = before + kept.clamp(-most - before.max(0.0), most - before.min(0.0));
        });
        let StageContext { neighborhood, pairs, bodies, .. } = context;
        self.smooth_pressure(world, neighborhood, pairs, moments);
        self.known_forces(world, neighborhood, pairs, moments);
        let (known, inverse) = (&self.known, &self.inverse_densities);
        parallel::fill(&mut world.particles.acceleration, |i, a| *a -= known[i].force * inverse[i]);
        if BodyCoupling::is_needed(world) {
            self.press_bodies(world, neighborhood, moments, bodies);
            self.acting.fill(0.0);
        }
    }

    /// Makes the accelerations f again.
    fn take_off_pressure(&self, world: &mut World) {
        let (known, inverse, pushes) = (&self.known, &self.inverse_densities, self.matrix.pushes());
        parallel::fill(&mut world.particles.acceleration, |i, a| {
            *a -= acceleration_by(&pushes[i]) - known[i].force * inverse[i];
        });
    }
}
