//! What of a projection's change of pressure stays for the next step.

use crate::step::bodies::coupling::BodyCoupling;
use crate::step::pairs::moments::Moments;
use crate::step::schemes::bounded_cg::Operator;
use crate::step::schemes::context::StageContext;
use crate::step::schemes::pressure_bounds::largest_rise;
use crate::step::schemes::pressure_matrix::Matrix;
use crate::step::schemes::projection::{Projection, acceleration_by};
use crate::world::{Particles, World};
use hashfall_core::{Real, parallel};

/// The part of a change that stays \[–\].
const KEPT: Real = 0.5;

impl Projection {
    /// Takes half of the change back, once the half kick has been made with all of it. The pressure
    /// that is left, with accelerations by it, is the mean over the step that has ended; the next
    /// begins with it. With all of the change pressures would ring: as both half kicks of a step
    /// together make the velocity free of divergence, what is too much in one is too little in the
    /// next, for ever. What an impact adds or takes is over with the step: kept, it would throw the
    /// fluid back, and the farther the longer the step is.
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
        let StageContext { neighborhood, pairs, .. } = context;
        let largest = largest_rise(world, f64::from(dt), acceleration);
        let (fluids, phases) = (&world.fluids, &world.particles.phase);
        let rest_density = |i: usize| fluids[usize::from(phases[i])].rest_density;
        let pressure = &world.particles.pressure;
        // Neither beyond what it was nor beyond 0 by more.
        let kept = |i: usize, change: Real| {
            let (before, most) = (pressure[i] - change, largest * rest_density(i));
            (KEPT * change).clamp(-most - before.max(0.0), most - before.min(0.0))
        };
        let changes = &mut self.changes;
        if BodyCoupling::is_needed(world) {
            parallel::fill(&mut self.acting, |i, acting| *acting = kept(i, changes[i]));
        }
        let hits = parallel::any(changes.len(), |i| kept(i, changes[i]) != KEPT * changes[i]);
        parallel::fill(changes, |i, change| *change -= kept(i, *change));
        if hits {
            // Particles stand where the solution left them.
            let moments = &moments.all;
            let coefficients = &mut self.matrix;
            let (yielding, bodies) = (0.0, None);
            let mut matrix =
                Matrix { coefficients, neighborhood, pairs, moments, yielding, bodies };
            matrix.set_argument(changes, |_, changes, argument| argument.copy_from_slice(changes));
            matrix.push();
        } else {
            self.matrix.scale_pushes(1.0 - KEPT);
        }
        let (pushes, changes) = (self.matrix.pushes(), &self.changes);
        let Particles { pressure, acceleration: a, .. } = &mut world.particles;
        parallel::fill_both(pressure, a, |i, p, a| {
            *p -= changes[i];
            *a -= acceleration_by(&pushes[i]);
        });
    }
}
