//! The projection: pressures that keep a fluid from being compressed, found for all particles at
//! once.
//!
//! A particle's compression after a time dt is r = δ − 1 + dt D v, with v the velocity that
//! pressures p lead to and D its divergence ([`crate::step::schemes::pressure_operator`]). Sought
//! are the p ≥ 0 for which no r is positive, and none negative where p > 0: a fluid pushes, but
//! does not pull. Bender & Koschier 2015 (eq. 7–12) solve it by relaxed Jacobi steps. Deviations:
//!
//! - Particles touch solids while pressures are found: v is what contact leaves of v* + a τ, with
//!   v* the velocity without pressure and τ the time for which pressure pushes. Stopped only
//!   afterwards, in the drift, the layer at a wall comes to another place than the pressures were
//!   found for, and a tank of 40 layers explodes. To stop is to project on a convex set: what is
//!   sought is still the least of a convex function of p, with −r its gradient.
//! - Steps are accelerated (Nesterov 1983; restarts after O'Donoghue & Candès 2015): iterations
//!   grow with the depth of the fluid, not with its square. They are scaled by the operator's
//!   diagonal, cut off at zero, and halved when they prove too long.
//! - Particles may yield to pressure: r = β p is sought, β their softness \[1/Pa\]. Where there is
//!   no room for all of them, pressures have a bound.
//! - The error counts particles that pressure pushes apart, too, where the original counts the
//!   compressed alone: an overshoot of the accelerated steps must not pass for a solution.
//!
//! Symbols: δ = ρ/ρ₀, r \[–\], p \[Pa\], dt, τ \[s\].

use crate::step::boundary::reactions::Reactions;
use crate::step::boundary::sliding::friction;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::PairData;
use crate::step::pairs::pair_sum;
use crate::step::schemes::pressure_operator::{
    Diagonal, Divergence, Gradient, boundary_pressure_force,
};
use crate::world::World;
use hashfall_core::exact_sum::ExactSum;
use hashfall_core::real_sum::RealSum;
use hashfall_core::simd::Isa;
use hashfall_core::{Real, Vec3, parallel, to_f64};
use hashfall_solid::SurfaceId;
use std::ops::Range;

/// Length of a step: below one over the largest eigenvalue of the operator scaled by its diagonal,
/// which is about 2 in water. Where kernels are wide and particles stand in a lattice it may be 4,
/// and steps are too long: it shows in that one without momentum goes uphill, from where it ends.
const RELAXATION: Real = 0.45;

/// The shortest that it becomes by going uphill, as rounding does, too.
const MIN_RELAXATION: Real = RELAXATION / 16.0;

/// An error that grows beyond this many times the least so far means that steps are too long.
const GROWN: f64 = 4.0;

/// The error of a single particle beyond which no mean is good enough, over the mean that is asked
/// for: over many particles a mean hides the few whose pressure is left from an impact that has
/// passed.
const LARGEST_OVER_MEAN: f64 = 200.0;

/// When a solution is good enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Mean of |r| over the horizon, where it counts, over all particles \[–\].
    pub error: f64,
    /// Iterations after which the solver gives up.
    pub max_iterations: u32,
}

/// What a projection is for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// The time for which the velocities must do \[s\].
    pub dt: Real,
    /// The time for which pressures push \[s\].
    pub half_dt: Real,
    /// The horizon over which errors count and what is compressed already comes apart, over dt; at
    /// least 1 \[–\].
    pub horizon_ratio: Real,
    /// How much of that comes apart over the horizon \[–\]; the rest is just not compressed
    /// further.
    pub max_correction: Real,
    /// What it is compressed by per pressure, and nothing takes back \[1/Pa\].
    pub compliance: Real,
}

/// How a solution was found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Solved {
    /// Iterations taken.
    pub iterations: u32,
    /// The mean error that is left \[–\].
    pub error: f64,
    /// Whether it was given up at the most iterations, its error above the tolerance.
    pub capped: bool,
}

/// What a step leaves to be done.
struct Residual {
    /// The mean error \[–\].
    error: f64,
    /// The largest \[–\].
    largest: f64,
    /// Whether the last step should have been shorter, or what momentum added to it: the way that
    /// it went leads uphill from where it ended.
    is_uphill: bool,
}

/// What a chunk of particles adds to the residual.
#[derive(Default)]
struct ResidualPart {
    /// Of the errors, exact.
    sum: ExactSum,
    /// Of how far the last step went uphill, and of the sizes of what is added, both rounded.
    ascent: f64,
    magnitude: f64,
    largest: Real,
}

impl ResidualPart {
    fn join(mut self, other: Self) -> Self {
        self.sum.merge(&other.sum);
        self.ascent += other.ascent;
        self.magnitude += other.magnitude;
        self.largest = self.largest.max(other.largest);
        self
    }
}

/// Finds pressures; keeps its buffers between steps.
#[derive(Debug)]
pub struct Projection {
    isa: Isa,
    /// 1/ρ₀; 0 in nozzles \[m³/kg\].
    inverse_densities: Vec<Real>,
    /// The force of pressure on each particle \[N/m³\].
    pushes: Vec<Vec3>,
    /// The velocity that it leads to \[m/s\].
    velocities: Vec<Vec3>,
    /// Of the operator \[1/(Pa s²)\].
    diagonal: Vec<Real>,
    /// The compression that a step starts from \[–\].
    starts: Vec<Real>,
    /// D of these velocities \[1/s\].
    divergences: Vec<Real>,
    /// What the pressures are ahead of (see [`Projection::advance`]).
    before: Vec<Real>,
}

impl Projection {
    /// A solver that computes with this instruction set.
    pub fn new(isa: Isa) -> Self {
        Projection {
            isa,
            inverse_densities: Vec::new(),
            pushes: Vec::new(),
            velocities: Vec::new(),
            diagonal: Vec::new(),
            starts: Vec::new(),
            divergences: Vec::new(),
            before: Vec::new(),
        }
    }

    /// Takes the surroundings of all particles, on which the operator depends.
    pub fn update(&mut self, world: &World, near: &Neighborhood, pairs: &mut PairData) {
        let particles = &world.particles;
        let n = particles.len();
        let rest_density = |i: usize| world.fluids[usize::from(particles.phase[i])].rest_density;
        self.inverse_densities.resize(n, 0.0);
        parallel::fill(&mut self.inverse_densities, |i, inverse| {
            // Nothing pushes what is in a nozzle. Steps are as long as if something did: scaled by
            // what its neighbours give way alone, one that barely touches it would be shot off.
            *inverse = if particles.in_nozzle[i] > 0 { 0.0 } else { 1.0 / rest_density(i) };
        });
        pairs.set_scalars(|i| 1.0 / rest_density(i));
        self.pushes.resize(n, Vec3::zeros());
        self.velocities.resize(n, Vec3::zeros());
        self.diagonal.resize(n, 0.0);
        self.divergences.resize(n, 0.0);
        self.starts.resize(n, 0.0);
        self.before.resize(n, 0.0);
        let sum = Diagonal { near, pairs };
        pair_sum::for_all(self.isa, &near.lists, pairs, &sum, &mut self.diagonal);
    }

    /// Finds pressures \[Pa\] that change the velocities so that no particle is compressed beyond
    /// rest density; the `pressures` given are the guess.
    pub fn solve(
        &mut self,
        world: &World,
        near: &Neighborhood,
        pairs: &mut PairData,
        (target, tolerance): (Target, Tolerance),
        pressures: &mut [Real],
    ) -> Solved {
        self.find_starts(world, target);
        self.before.copy_from_slice(pressures);
        let (mut nesterov_t, mut relaxation): (f64, Real) = (1.0, RELAXATION);
        let (mut least, mut solved) = (f64::INFINITY, Solved::default());
        let most = LARGEST_OVER_MEAN * tolerance.error;
        let mut is_plain_step = true;
        loop {
            self.apply_pressures(world, near, pairs, target, pressures);
            let Residual { error, largest, is_uphill } = self.residual(target, pressures);
            solved.error = error;
            let is_good = error <= tolerance.error && largest <= most;
            if is_good || solved.iterations >= tolerance.max_iterations {
                solved.capped = !is_good;
                break;
            }
            solved.iterations += 1;
            least = least.min(error);
            let has_grown = error > GROWN * least;
            let is_too_long = is_plain_step && is_uphill && relaxation > MIN_RELAXATION;
            if has_grown || is_too_long {
                (relaxation, least) = (0.5 * relaxation, error);
            }
            if has_grown || is_uphill {
                nesterov_t = 1.0;
            }
            let next = 0.5 * (1.0 + (1.0 + 4.0 * nesterov_t * nesterov_t).sqrt());
            let extrapolation = ((nesterov_t - 1.0) / next) as Real;
            self.advance(target, relaxation, extrapolation, is_plain_step, pressures);
            (nesterov_t, is_plain_step) = (next, extrapolation == 0.0);
        }
        solved
    }

    /// Gives the particles the velocities that the solution leads to, and solids their accounts.
    /// Contacts that stopped a particle rub it.
    pub fn finish(
        &self,
        world: &mut World,
        near: &Neighborhood,
        Target { dt, half_dt, .. }: Target,
        pressures: &[Real],
        reactions: &mut Reactions,
    ) {
        let volume = world.particle_volume();
        let (particles, solids) = (&mut world.particles, &world.solids);
        let positions = &particles.position;
        reactions.fill(&mut particles.velocity, |i, velocity, account| {
            let inverse = self.inverse_densities[i];
            let (force, rest_density) = (self.pushes[i], 1.0 / inverse);
            let free = *velocity + force * (inverse * half_dt);
            let mut v = self.velocities[i];
            let mut add = |surface: SurfaceId, impulse: Vec3| {
                account.add(surface.body(), to_f64(&positions[i]), to_f64(&(impulse * volume)));
            };
            if near.boundary.fraction[i] > 0.0 {
                let answer = boundary_pressure_force(&near.boundary, i, force, pressures[i]);
                near.boundary.distribute_force(i, answer * half_dt, &mut add);
            }
            near.boundary.project_on_planes(i, free, dt, |plane, speed| {
                let law = solids.contact_law(plane.surface);
                let mut change = plane.normal * speed;
                if law.friction > 0.0 {
                    let rub = friction(v - plane.velocity, plane.normal, speed, law);
                    v += rub;
                    change += rub;
                }
                add(plane.surface, change * rest_density);
            });
            *velocity = v;
        });
        reactions.strike();
    }

    /// Where each particle's compression starts from: of what is above rest density, the part that
    /// comes apart in dt. What is in a nozzle cannot give way, and is just not compressed further.
    fn find_starts(&mut self, world: &World, target: Target) {
        let particles = &world.particles;
        parallel::fill(&mut self.starts, |i, start| {
            let rest_density = world.fluids[usize::from(particles.phase[i])].rest_density;
            let compression = particles.density[i] / rest_density - 1.0;
            let max_correction =
                if particles.in_nozzle[i] > 0 { 0.0 } else { target.max_correction };
            *start = compression.min(compression.min(max_correction) / target.horizon_ratio);
        });
    }

    /// The velocities that pressures lead to, and D of them.
    fn apply_pressures(
        &mut self,
        world: &World,
        near: &Neighborhood,
        pairs: &mut PairData,
        Target { dt, half_dt, .. }: Target,
        pressures: &[Real],
    ) {
        pairs.set_scalars(|i| pressures[i]);
        let sum = Gradient { near, pairs };
        pair_sum::for_all(self.isa, &near.lists, pairs, &sum, &mut self.pushes);
        let (before, pushes) = (&world.particles.velocity, &self.pushes);
        let inverse = &self.inverse_densities;
        pairs.set_vectors_with(&mut self.velocities, |i, velocity, [u, v, w, _]| {
            let free = before[i] + pushes[i] * (inverse[i] * half_dt);
            *velocity = near.boundary.projected_velocity(i, free, dt);
            [*u, *v, *w] = (*velocity).into();
        });
        let sum = Divergence { near, pairs };
        pair_sum::for_all(self.isa, &near.lists, pairs, &sum, &mut self.divergences);
    }

    /// What is left after a step.
    fn residual(&self, target: Target, pressures: &[Real]) -> Residual {
        let Target { dt, horizon_ratio, compliance, .. } = target;
        let term = |i: usize| {
            let rate = self.starts[i] + dt * self.divergences[i];
            let left = rate * horizon_ratio - compliance * pressures[i];
            let wrong = if pressures[i] > 0.0 { left.abs() } else { left.max(0.0) };
            (wrong, f64::from(left) * f64::from(pressures[i] - self.before[i]))
        };
        let part = |chunk: Range<usize>| {
            let mut part = ResidualPart::default();
            let mut wrongs = RealSum::default();
            for i in chunk {
                let (wrong, ascent) = term(i);
                wrongs.add(wrong);
                part.ascent += ascent;
                part.magnitude += ascent.abs();
                part.largest = wrong.max(part.largest);
            }
            wrongs.add_to(&mut part.sum);
            part
        };
        let n = pressures.len();
        let all = parallel::fold(n, part, ResidualPart::join).unwrap_or_default();
        let (sum, largest) = (all.sum.value(), all.largest);
        // A plain sum of n numbers is off by less than n ε Σ|x|, in whatever order: beyond that its
        // sign is that of the exact sum.
        let is_certain = all.ascent.abs() > 2.0 * n as f64 * f64::EPSILON * all.magnitude;
        let ascent = if is_certain { all.ascent } else { parallel::sum(n, |i| [term(i).1])[0] };
        let error = sum / n.max(1) as f64;
        Residual { error, largest: f64::from(largest), is_uphill: ascent < 0.0 }
    }

    /// One step, and for momentum `extrapolation` times the way from where the last step ended to
    /// where this one does. `was_plain_step` tells that the last had no momentum.
    fn advance(
        &mut self,
        Target { dt, half_dt, horizon_ratio, compliance, .. }: Target,
        relaxation: Real,
        extrapolation: Real,
        was_plain_step: bool,
        pressures: &mut [Real],
    ) {
        let (starts, divergences, diagonal) = (&self.starts, &self.divergences, &self.diagonal);
        let mut steps = std::mem::take(&mut self.before);
        let soft = compliance / horizon_ratio;
        // The buffer holds what pressures are ahead of: without momentum where the step began, else
        // where it ended before more was added.
        parallel::fill_both(pressures, &mut steps, |i, pressure, before| {
            let left = starts[i] + dt * divergences[i] - soft * *pressure;
            let scale = dt * half_dt * diagonal[i] + soft;
            let step = if scale > 0.0 { relaxation * left / scale } else { 0.0 };
            let (began, now) = (*pressure, (*pressure + step).max(0.0));
            let last = if was_plain_step { began } else { *before };
            *pressure = (now + extrapolation * (now - last)).max(0.0);
            *before = if extrapolation == 0.0 { began } else { now };
        });
        self.before = steps;
    }
}
