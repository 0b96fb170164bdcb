//! The right-hand side of a projection, the bounds of its pressures, and its matrix's diagonal.
//!
//! Symbols as in [`super::projection`].

use crate::step::bodies::coupling::BodyCoupling;
use crate::step::pairs::moment::Moment;
use crate::step::pairs::moments::Moments;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::schemes::context::StageContext;
use crate::step::schemes::pressure_operator::{
    Divergence, STABILISATION, diagonal, find_divergence_and_jumps,
};
use crate::step::schemes::projection::{Projection, Target};
use crate::world::World;
use hashfall_core::{Real, Vec3, parallel};

/// A density below that under a flat surface by this is still one at a surface \[–\].
const FREE_DENSITY: Real = 0.01;

impl Projection {
    /// Fluid without a surface has pressures up to a constant. The least one is 0 then: that it is
    /// not below keeps walls from standing for a surface.
    pub(super) fn pin_pressures(world: &mut World, moments: &Moments) {
        let pressure = &mut world.particles.pressure;
        let n = pressure.len();
        if !moments.is_full {
            return;
        }
        let least = -parallel::max(n, Real::MIN, |i| -pressure[i]);
        parallel::fill(pressure, |_, p| *p -= least);
    }

    /// The least pressure of fluid that bears no suction but that of its surface \[Pa\]. What pulls
    /// by σκ < 0 is held by a pressure of that: without one, single particles are shot off. Not in
    /// corners, where curvature is noise: what stands out of a pool there would pull itself out.
    pub(super) fn least_pressure(&self, neighborhood: &Neighborhood, i: usize) -> Real {
        match self.capillary.get(i) {
            Some(&p) if p < 0.0 && !neighborhood.boundary.is_in_corner(i) => p,
            _ => 0.0,
        }
    }

    /// Pressures that may not be negative are not.
    pub(super) fn bound_pressures(
        &mut self,
        world: &mut World,
        neighborhood: &Neighborhood,
        moments: &Moments,
    ) {
        let particles = &mut world.particles;
        let in_nozzle = &particles.in_nozzle;
        let mut lower = std::mem::take(&mut self.lower);
        lower.resize(in_nozzle.len(), 0.0);
        let least = |i: usize| match in_nozzle[i] > 0 || moments.all[i].is_alone() {
            true => 0.0,
            false => self.least_pressure(neighborhood, i),
        };
        parallel::fill_both(&mut particles.pressure, &mut lower, |i, p, lower| {
            let moment = &moments.all[i];
            let is_bound = moment.is_coherent() && neighborhood.boundary.fraction[i] <= 0.0;
            let bears_suction =
                (moments.is_full || moment.is_inside() || is_bound) && in_nozzle[i] == 0;
            *p = if bears_suction { *p } else { p.max(least(i)) };
            if moments.all[i].is_alone() {
                *p = 0.0;
            }
            *lower = if bears_suction { Real::NEG_INFINITY } else { least(i).min(*p) - *p };
        });
        self.lower = lower;
    }

    /// The right-hand side, with the velocity that the known pressure leads to.
    pub(super) fn find_right_hand_side(
        &mut self,
        world: &World,
        context: &mut StageContext<'_>,
        moments: &Moments,
        target: Target,
    ) {
        let Target { dt, half_dt, horizon_ratio, compliance } = target;
        let StageContext { neighborhood, pairs, bodies, .. } = context;
        let particles = &world.particles;
        let n = particles.len();
        let rest_density = |i: usize| world.fluids[usize::from(particles.phase[i])].rest_density;
        let (known, inverse) = (&self.known, &self.inverse_densities);
        let coriolis = world.coriolis_turn(f64::from(half_dt));
        self.rhs.resize(n, 0.0);
        self.sources.resize(n, [0.0; 2]);
        let one = world.one_density();
        if one.is_none() {
            pairs.set_scalars(rest_density);
        }
        self.velocities.resize(n, Vec3::zeros());
        pairs.set_vectors_with(&mut self.velocities, |i, velocity, [u, v, w, p]| {
            let a = match inverse[i] {
                0.0 => Vec3::zeros(),
                inverse => particles.acceleration[i] - known[i].force * inverse,
            };
            *velocity = match &coriolis {
                Some(turn) => turn.kick(&particles.velocity[i], &(a * half_dt)),
                None => particles.velocity[i] + a * half_dt,
            };
            [*u, *v, *w] = (*velocity).into();
            *p = particles.pressure[i];
        });
        if world.solids.has_moving_bodies() {
            self.fluxes.resize(n, 0.0);
            parallel::fill(&mut self.fluxes, |i, flux| {
                *flux = neighborhood.boundary.mirror_flux(i, &moments.all[i].correction);
            });
        }
        let is_coupled = BodyCoupling::is_needed(world);
        if is_coupled {
            bodies.predict(world, half_dt);
            bodies.replace_fluxes(&mut self.fluxes);
        }
        pairs.set_extras(|i| {
            let g = &known[i].gradient;
            [g.x, g.y, g.z, 0.0]
        });
        let blocks = pairs.blocks();
        let (velocities, fluxes) = (blocks[1], &self.fluxes[..]);
        let sum = Divergence { neighborhood, velocities, moments: &moments.all, fluxes };
        find_divergence_and_jumps(self.isa, blocks, sum, one, &mut self.sources);
        let yielding = compliance / (horizon_ratio * dt * half_dt);
        let sources = &self.sources;
        parallel::fill(&mut self.rhs, |i, rhs| {
            let [divergence, jumps] = sources[i];
            let Moment { inside, excess, .. } = moments.all[i];
            let free = (excess + FREE_DENSITY).min(0.0) * (1.0 - inside);
            // Where p may be negative it would pull, and the harder the shorter the step is.
            let is_bound = self.lower[i] == Real::NEG_INFINITY;
            let free = if is_bound || particles.in_nozzle[i] > 0 { 0.0 } else { free };
            if moments.all[i].is_alone() {
                // It falls, and solids stop it by contact.
                *rhs = 0.0;
                return;
            }
            *rhs = (free / dt - divergence) / half_dt + STABILISATION * jumps
                - yielding * particles.pressure[i];
        });
        self.find_diagonal(world, neighborhood, bodies, moments, yielding);
    }

    /// The diagonal of the operator.
    pub(super) fn find_diagonal(
        &mut self,
        world: &World,
        neighborhood: &Neighborhood,
        bodies: &BodyCoupling,
        moments: &Moments,
        yielding: Real,
    ) {
        let phases = &world.particles.phase;
        let rest_density = |i: usize| world.fluids[usize::from(phases[i])].rest_density;
        self.diagonal.resize(phases.len(), 0.0);
        parallel::fill(&mut self.diagonal, |i, entry| {
            *entry = diagonal(neighborhood, &moments.all[i], i, rest_density(i)) + yielding;
        });
        if BodyCoupling::is_needed(world) {
            bodies.add_diagonal(&mut self.diagonal);
        }
    }
}
