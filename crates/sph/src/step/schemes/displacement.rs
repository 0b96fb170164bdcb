//! Displacements that keep the fluid's volume and its particles in good order, without a velocity.
//!
//! A velocity without divergence keeps volume but for errors of the step, which add up. To put them
//! right by velocities would heat the fluid. Here they are put right by places alone (Hu & Adams
//! 2007), a part [`RATE`] of them in a step:
//!
//! - −D₀ G₀ φ = r, δx = G₀ φ, with G₀ the gradient of the density and D₀ its change
//!   ([`crate::step::schemes::pressure_operator`]); r = δ − 1 inside the fluid; where air is near,
//!   what is above 1, or else above the density under a flat surface by more than [`SLACK`], and φ
//!   ≥ 0. Below a flat surface fewer neighbours are no error: by the air a near a particle, r is
//!   the excess ε over the density there, δ − 1 + a (ε − δ + 1). A few relaxations (Jacobi) do:
//!   what they leave comes in the next step. Each makes every error smaller, long or short. A few
//!   conjugate gradients do not: where the error is long, their steps are, and heap up short ones,
//!   until the fluid falls into clusters.
//! - To r comes what the flow changes below a free surface in this step, [`LEAD`] times
//!   ([`super::surface_change`]), where air is near but for [`FLAT_SHARE`] of it, which is the flat
//!   surface's own: waves gain by displacements that lag behind them.
//! - Where fluid is drawn out fast, rows of particles fall into each other within a few steps, and
//!   shifting does the most of that. What the step would leave beyond [`COMPRESSED`] is put right
//!   in it: r ≥ e + D₀(dt v + s) − 0.02, at most [`MAX_COMPRESSION`], with e the error and s the
//!   shift, if that is above 0. Near air e is negative where drops may come together freely.
//! - Particles that follow the flow line up along its streamlines. They drift to where there are
//!   fewer (Lind et al. 2012): δx = −(A |v − v̄| + [`CAPILLARY`] √(σ/ρd)) h dt C, with v̄ 0 or the
//!   mean of all velocities, by which a block in free flight keeps its order, and the crowding C of
//!   [`crate::step::pairs::moments`]; where air is near, along the surface alone (Khayyer, Gotoh &
//!   Shimizu 2017), and not at all in spray and where a surface meets a solid. A flat surface alone
//!   makes the layer below it look crowded from below: of what C holds of the asymmetry t = c + ∇λ,
//!   a [`CROWDING_CUT`] t C·t/|t|² does not count. Tension σ makes those of calm drops cluster.
//!
//! No particle is displaced by more than [`MAX_DISPLACEMENT`] in a step. Velocities stay with the
//! particles: to take that of the new place costs vortices more than it gives.
//!
//! Symbols: δ = ρ/ρ₀, χ inside the fluid, ε the excess over a flat surface's density \[–\], h
//! support radius, d spacing \[m\].

use crate::step::pairs::moments::Moments;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::PairData;
use crate::step::pairs::row_sum;
use crate::step::pairs::tensor::Tensor;
use crate::step::schemes::pressure_operator::{
    DensityChange, PlainGradient, displacement_diagonal,
};
use crate::step::schemes::surface_change::{BelowSurface, Places, SurfaceChange, filled_fraction};
use crate::step::solved::Solved;
use crate::world::{Particles, World};
use hashfall_core::simd::Isa;
use hashfall_core::{Length, Real, Vec3, parallel, to_f64};

/// The part of an error of volume that a step puts right.
const RATE: Real = 0.5;

/// The largest errors that a step puts right: of a density below 1 little, as it may be air \[–\].
const MAX_STRETCH: Real = 0.02;
const MAX_COMPRESSION: Real = 0.1;

/// Of a drift by the speed of capillary waves of the particles' length \[–\]. Without it particles
/// of a drop cluster within ten swings; with 0.12 viscous drops at rest jitter.
const CAPILLARY: Real = 0.04;

/// Compression that a step may leave, but for what the relaxations do not reach \[–\]. With half of
/// it a ball under water is pressed up by 2 % too much: next to solids still water is denser.
const COMPRESSED: Real = 0.02;

/// A density above that under a flat surface by less is left to itself \[–\].
const SLACK: Real = 0.05;

/// Relaxations in a step. With two, drops that are drawn out are off by a third more.
const RELAXATIONS: u32 = 3;

/// Their length: the matrix over its diagonal has eigenvalues up to 2 in water, 4 in a lattice of
/// many neighbours.
const LENGTH: Real = 0.4;

/// How often the change below a free surface counts: one over the part of an error in a single
/// layer that the relaxations of a step reach \[–\].
const LEAD: Real = 2.6;

/// The part of that change which is taken for the flat surface's own, where air is near. In the
/// second layer of a lattice (plane, h = 2.5 d) a strain e changes δ by −0.077 e, and 0.97 of that
/// is the density under a flat surface at its asymmetry; but with 1, that is without a lead, waves
/// of 0.05 m gain 4 to 6 % at long steps \[–\].
const FLAT_SHARE: Real = 0.73;

/// The part of what a flat surface makes look crowded that shifting leaves out, where air is near.
/// With half of it the mode of waves of 0.05 m depends on the step by 0.05; the more of it, the
/// less order is kept where fluid is drawn out: a drop's energy is off by 0.0008 with half, 0.0017
/// now \[–\].
const CROWDING_CUT: Real = 0.8;

/// Diagonals below this over d² count as it: a lonely particle has next to none \[–\].
const MIN_DIAGONAL: Real = 0.01;

/// The longest shift in a step, over h² times the crowding \[–\].
const MAX_SHIFT: Real = 0.1;

/// The longest displacement in a step, in spacings.
const MAX_DISPLACEMENT: Real = 0.05;

/// The mean of the velocities \[m/s\].
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
fn mean_velocity(particles: &Particles) -> Vec3 {
    let sums = parallel::sum(particles.len(), |i| to_f64(&particles.velocity[i]));
    let n = particles.len().max(1) as f64;
    Vec3::from(sums.map(|sum| (sum / n) as Real))
}

/// A: drift to where particles are fewer \[–\].
#[derive(Clone, Copy, Debug)]
pub struct Drift {
    /// Inside the fluid.
    pub inside: Real,
    /// Along its free surface.
    pub along_surface: Real,
    /// Whether by the speed against the mean velocity.
    pub is_relative: bool,
}

/// Finds displacements; keeps its buffers between steps.
#[derive(Debug)]
pub struct Displacement {
    isa: Isa,
    drift: Drift,
    /// The error of density inside the fluid and near air; there it is negative where drops may
    /// come together freely \[–\].
    errors: Vec<[Real; 2]>,
    /// r \[–\], and the least φ \[m²\].
    targets: Vec<[Real; 2]>,
    /// One over the diagonal of −D₀ G₀ \[m²\].
    inverse_diagonal: Vec<Real>,
    /// φ \[m²\].
    potential: Vec<Real>,
    /// D₀ G₀ φ \[–\]; before, D₀(dt v + s) \[–\].
    changes: Vec<Real>,
    /// What free surfaces do to the layers below them; nothing where there is none.
    surface: Vec<BelowSurface>,
    /// 2 u·∇λ of solids that move \[1/s\].
    fluxes: Vec<Real>,
    /// s \[m\].
    shifts: Vec<Vec3>,
    /// δx \[m\], then its velocity \[m/s\].
    displacements: Vec<Vec3>,
}

impl Displacement {
    /// With this instruction set and drift.
    pub fn new(isa: Isa, drift: Drift) -> Self {
        Displacement {
            isa,
            drift,
            errors: Vec::new(),
            targets: Vec::new(),
            inverse_diagonal: Vec::new(),
            potential: Vec::new(),
            changes: Vec::new(),
            surface: Vec::new(),
            fluxes: Vec::new(),
            shifts: Vec::new(),
            displacements: Vec::new(),
        }
    }

    /// Finds the displacements of a step of `dt` \[s\], as velocities; `error` is the mean error of
    /// density that needs none. Returns how they were found, with that error.
    pub fn find(
        &mut self,
        world: &World,
        neighborhood: &Neighborhood,
        pairs: &mut PairData,
        places: Places<'_>,
        dt: Real,
        error: f64,
    ) -> Solved {
        let Places { moments, .. } = places;
        let particles = &world.particles;
        self.note_fluxes(world, neighborhood);
        self.note_surface(world, neighborhood, pairs, places);
        self.note_errors(world, neighborhood, moments);
        self.shift(world, neighborhood, moments, dt);
        let left = self.mean_error();
        self.lead(world, moments, dt);
        self.foresee(world, neighborhood, pairs, dt);
        self.displacements.resize(particles.len(), Vec3::zeros());
        let iterations = if self.mean_error() > error { RELAXATIONS } else { 0 };
        if iterations > 0 {
            self.relax(neighborhood, pairs);
        } else {
            self.displacements.fill(Vec3::zeros());
        }
        let (shifts, longest) = (&self.shifts, MAX_DISPLACEMENT * world.spacing());
        parallel::fill(&mut self.displacements, |i, displacement| {
            if particles.in_nozzle[i] > 0 {
                *displacement = Vec3::zeros();
                return;
            }
            *displacement += shifts[i];
            let length = displacement.length();
            let cut = if length > longest { longest / length } else { 1.0 };
            *displacement *= cut / dt;
        });
        Solved { iterations, error: left, capped: false }
    }

    /// e, r and its bounds.
    fn note_errors(&mut self, world: &World, neighborhood: &Neighborhood, moments: &Moments) {
        let particles = &world.particles;
        let n = particles.len();
        let least = MIN_DIAGONAL / (world.spacing() * world.spacing());
        self.errors.resize(n, [0.0; 2]);
        self.targets.resize(n, [0.0; 2]);
        self.inverse_diagonal.resize(n, 0.0);
        let surface = &self.surface;
        parallel::fill(&mut self.errors, |i, error| {
            let moment = &moments.all[i];
            let all = particles.fluid_fraction[i] + neighborhood.boundary.fraction[i] - 1.0;
            let at_surface = if all > 0.0 { all } else { moment.excess - SLACK };
            let inside = if moments.is_full { 1.0 } else { moment.inside };
            let below = all + surface[i].air * (moment.excess - all);
            *error = [inside * below, (1.0 - inside) * at_surface];
        });
        let errors = &self.errors;
        parallel::fill_both(&mut self.targets, &mut self.inverse_diagonal, |i, target, inverse| {
            if particles.in_nozzle[i] > 0 {
                (*target, *inverse) = ([0.0; 2], 0.0);
                return;
            }
            let moment = &moments.all[i];
            let bound =
                if moments.is_full || moment.is_inside() { Real::NEG_INFINITY } else { 0.0 };
            let [inside, at_surface] = errors[i];
            let error = inside + at_surface.max(0.0);
            *target = [(RATE * error).clamp(-MAX_STRETCH, MAX_COMPRESSION), bound];
            *inverse = 1.0 / displacement_diagonal(moment).max(least);
        });
    }

    /// s: to where particles are fewer, the further the faster they are.
    fn shift(&mut self, world: &World, neighborhood: &Neighborhood, moments: &Moments, dt: Real) {
        let (particles, h, drift) = (&world.particles, world.support_radius, self.drift);
        let mean = if drift.is_relative { mean_velocity(particles) } else { Vec3::zeros() };
        let surface = &self.surface;
        self.shifts.resize(particles.len(), Vec3::zeros());
        parallel::fill(&mut self.shifts, |i, shift| {
            *shift = Vec3::zeros();
            if particles.in_nozzle[i] > 0 {
                return;
            }
            let moment = &moments.all[i];
            let inside = if moments.is_full { 1.0 } else { moment.inside };
            let way = h * (particles.velocity[i] - mean).length() * dt;
            let fluid = &world.fluids[usize::from(particles.phase[i])];
            let rippling = CAPILLARY * h * fluid.capillary_speed(world.spacing()) * dt;
            let length = |strength: Real| (strength * way + rippling).min(MAX_SHIFT * h * h);
            let of_surface =
                moment.total * (CROWDING_CUT * surface[i].air * moment.part_of_crowding());
            *shift -= (moment.crowding - of_surface) * (length(drift.inside) * inside);
            if moment.is_coherent() && neighborhood.boundary.fraction[i] <= 0.0 {
                let length = length(drift.along_surface) * (1.0 - inside);
                *shift -= moment.along_surface(moment.crowding) * length;
            }
        });
    }

    /// 2 u·∇λ of solids that move; none if none do.
    fn note_fluxes(&mut self, world: &World, neighborhood: &Neighborhood) {
        self.fluxes.clear();
        if world.solids.has_moving_bodies() {
            let identity = Tensor::diagonal(1.0);
            self.fluxes.resize(world.particles.len(), 0.0);
            parallel::fill(&mut self.fluxes, |i, flux| {
                *flux = neighborhood.boundary.mirror_flux(i, &identity);
            });
        }
    }

    /// The mean of |r| over the part of an error that a step puts right \[–\].
    fn mean_error(&self) -> f64 {
        let targets = &self.targets;
        // By what they are clamped to.
        let largest = f64::from(MAX_STRETCH.max(MAX_COMPRESSION));
        let sum =
            parallel::sum_within(targets.len(), [largest], |i| [f64::from(targets[i][0].abs())]);
        sum[0] / f64::from(RATE) / targets.len().max(1) as f64
    }

    /// What free surfaces do to the layers below them.
    fn note_surface(
        &mut self,
        world: &World,
        neighborhood: &Neighborhood,
        pairs: &mut PairData,
        Places { moments, terms }: Places<'_>,
    ) {
        self.surface.clear();
        self.surface.resize(world.particles.len(), BelowSurface::default());
        if moments.is_full {
            return;
        }
        let velocity = &world.particles.velocity;
        pairs.set_scalars(|i| moments.all[i].inside);
        pairs.set_vectors(|i| {
            let v = &velocity[i];
            [v.x, v.y, v.z, filled_fraction(world, neighborhood, moments, i)]
        });
        let sum = SurfaceChange { neighborhood, pairs, fluxes: &self.fluxes, terms };
        let [points, vectors, _] = pairs.blocks();
        let lists = &neighborhood.lists;
        row_sum::for_all(self.isa, lists, [points, vectors], &sum, &mut self.surface);
    }

    /// Adds what this step changes below free surfaces to r.
    fn lead(&mut self, world: &World, moments: &Moments, dt: Real) {
        let (surface, in_nozzle) = (&self.surface, &world.particles.in_nozzle);
        parallel::fill(&mut self.targets, |i, [target, _]| {
            let BelowSurface { change, air } = surface[i];
            if change != 0.0 && in_nozzle[i] == 0 {
                let lead = LEAD * (1.0 - FLAT_SHARE * air) * dt * moments.all[i].inside * change;
                *target = (*target + lead).clamp(-MAX_STRETCH, MAX_COMPRESSION);
            }
        });
    }

    /// Raises r to what this step would leave beyond [`COMPRESSED`].
    fn foresee(
        &mut self,
        world: &World,
        neighborhood: &Neighborhood,
        pairs: &mut PairData,
        dt: Real,
    ) {
        let particles = &world.particles;
        let shifts = &self.shifts;
        pairs.set_vectors(|i| {
            let way = particles.velocity[i] * dt + shifts[i];
            [way.x, way.y, way.z, 0.0]
        });
        self.changes.resize(particles.len(), 0.0);
        self.note_changes(neighborhood, pairs);
        let (errors, changes, fluxes) = (&self.errors, &self.changes, &self.fluxes);
        parallel::fill(&mut self.targets, |i, [target, _]| {
            let of_solids = 0.5 * dt * fluxes.get(i).copied().unwrap_or_default();
            let [inside, at_surface] = errors[i];
            let beyond = inside + at_surface + changes[i] - of_solids - COMPRESSED;
            if beyond > 0.0 && particles.in_nozzle[i] == 0 {
                *target = target.max(beyond.min(MAX_COMPRESSION));
            }
        });
    }

    /// φ by relaxations from 0, and its displacements.
    fn relax(&mut self, neighborhood: &Neighborhood, pairs: &mut PairData) {
        let n = self.targets.len();
        self.potential.resize(n, 0.0);
        self.changes.resize(n, 0.0);
        let (targets, inverse) = (&self.targets, &self.inverse_diagonal);
        parallel::fill(&mut self.potential, |i, phi| {
            let [target, bound] = targets[i];
            *phi = (LENGTH * target * inverse[i]).max(bound);
        });
        self.displace(neighborhood, pairs);
        for _ in 1..RELAXATIONS {
            pairs.set_vectors(|i| {
                let d = &self.displacements[i];
                [d.x, d.y, d.z, 0.0]
            });
            self.note_changes(neighborhood, pairs);
            let (targets, inverse, changes) =
                (&self.targets, &self.inverse_diagonal, &self.changes);
            parallel::fill(&mut self.potential, |i, phi| {
                let [target, bound] = targets[i];
                *phi = (*phi + LENGTH * (target + changes[i]) * inverse[i]).max(bound);
            });
            self.displace(neighborhood, pairs);
        }
    }

    /// D₀ of the vectors of the pairs.
    fn note_changes(&mut self, neighborhood: &Neighborhood, pairs: &PairData) {
        let sum = DensityChange { neighborhood, pairs };
        let [points, vectors, _] = pairs.blocks();
        row_sum::for_all(self.isa, &neighborhood.lists, [points, vectors], &sum, &mut self.changes);
    }

    /// G₀ φ.
    fn displace(&mut self, neighborhood: &Neighborhood, pairs: &mut PairData) {
        pairs.set_scalars(|i| self.potential[i]);
        let sum = PlainGradient { neighborhood, pairs };
        let [points, ..] = pairs.blocks();
        row_sum::for_all(self.isa, &neighborhood.lists, [points], &sum, &mut self.displacements);
    }

    /// The velocities \[m/s\] found last.
    pub fn velocities(&self) -> &[Vec3] {
        &self.displacements
    }
}

#[cfg(test)]
mod tests;
