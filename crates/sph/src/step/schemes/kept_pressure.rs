//! The pressure that a step leaves to the next.
//!
//! Half a kick with the known pressure p₀ and one with what the projection finds, p₀ + δ, make the
//! velocity free of divergence together. Kept is their mean, p₀ + δ/2, less what is rough in it
//! ([`super::pressure_smoothing`]): with all of δ pressures would ring, as what is too much in one
//! step is too little in the next, for ever. From then on it acts as the next projection has it,
//! and it is what a run reports. What is rough acts in the second half kick alone, so that
//! particles drift without it. Before the first step there is no mean: all that is found then
//! acts, once.
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
            let change = KEPT * changes[i];
            *p = before + change.clamp(-most - before.max(0.0), most - before.min(0.0));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::Stepper;
    use crate::step::schemes::projection::{Target, Tolerance};
    use crate::step::tests::{DFSPH, splash};
    use hashfall_core::Vec3;
    use hashfall_core::simd::Isa;
    use hashfall_search::Structures;

    /// Half of what was found is left, and all of it acts, beside the forces of before.
    #[test]
    fn the_mean_is_left_and_acts_as_known() {
        let mut world = splash(DFSPH);
        let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
        let Stepper { neighborhood, pairs, bodies, reactions, .. } = &mut stepper;
        let context = &mut StageContext { neighborhood, pairs, bodies, reactions, inactive: &[] };
        let mut moments = Moments::new(Isa::current());
        moments.update(&world, context.neighborhood, context.pairs);
        let forces: Vec<Vec3> =
            world.particles.position.iter().map(|x| Vec3::new(40.0 * x.z, 0.0, -9.81)).collect();
        world.particles.acceleration.clone_from(&forces);
        world.particles.pressure.fill(0.0);
        let mut projection = Projection::new(Isa::current());
        let target = Target { dt: 1e-3, half_dt: 5e-4, horizon_ratio: 1.0, compliance: 0.0 };
        let tolerance = Tolerance { error: 1e-5, max_iterations: 200 };
        projection.solve(&mut world, context, &moments, target, tolerance);
        let found = f64_sum(&world.particles.pressure);
        // So long a way to the floor that nothing counts as an impact.
        projection.keep_mean_pressure(&mut world, context, &moments, 1e-3, 1e9);
        let left = f64_sum(&world.particles.pressure);
        assert!(found > 0.0 && (left / found - 0.5).abs() < 0.05, "{left} of {found}");
        let with = std::mem::replace(&mut world.particles.acceleration, forces.clone());
        let StageContext { neighborhood, pairs, .. } = context;
        let known = projection.known_forces(&world, neighborhood, pairs, &moments);
        let particles = &world.particles;
        for i in 0..particles.len() {
            let rest_density = world.fluids[usize::from(particles.phase[i])].rest_density;
            let wanted = forces[i] - known[i].force / rest_density;
            let scale = 1.0 + known[i].force.norm() / rest_density;
            assert!((with[i] - wanted).norm() < 1e-3 * scale, "{i}: {} for {wanted}", with[i]);
        }
    }

    fn f64_sum(numbers: &[Real]) -> f64 {
        numbers.iter().map(|it| f64::from(*it)).sum()
    }
}
