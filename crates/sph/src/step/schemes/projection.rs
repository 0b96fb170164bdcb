//! The projection: pressures that keep the fluid's velocity free of divergence, found for all
//! particles at once.
//!
//! Half a kick of τ = dt/2 leads from the velocity v to v + τ f − τ ρ₀⁻¹ (F p₀ + G δ), with f the
//! acceleration without pressure, p₀ the pressure that the step before has left
//! ([`super::kept_pressure`]), and F the force by which it acts
//! ([`crate::step::schemes::pressure_operator`]). Sought is the change δ for which its divergence
//! D is zero, as van Kan (1986) does on grids:
//!
//! - (−D ρ₀⁻¹ G + ε S) δ = −D (v/τ + f − ρ₀⁻¹ F p₀) − ε S p₀ + free
//!
//! and the pressure is p = p₀ + δ. What is large in it acts through the consistent gradient, what
//! is new or rough through the adjoint one, by which the matrix is symmetric and positive and the
//! velocity that comes out is the nearest without divergence.
//!
//! - Inside the fluid p has either sign: it bears suction; so does its surface, but for that along
//!   solids, while it is as dense as a flat one: without, what turns sheds its surface row by row.
//!   In spray p ≥ 0, and a particle may be compressed there: drops come together freely as far as
//!   their density is below that under a flat surface (*free*: [`super::right_hand_side`]).
//! - Where emitters force fluid in, it yields a little to pressure ([`crate::step::inflow::pump`]).
//! - Particles that still come nearer to a solid than they may are stopped after the solution: at
//!   rest solids carry the fluid by pressure alone.
//!
//! Symbols: p, δ \[Pa\], f \[m/s²\], τ, dt \[s\], ρ₀ \[kg/m³\].

use crate::step::bodies::coupling::BodyCoupling;
use crate::step::pairs::moments::Moments;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::{Block, PairData};
use crate::step::schemes::bounded_cg::{BoundedCg, Operator, Problem};
use crate::step::schemes::context::StageContext;
use crate::step::schemes::known_pressure::{KnownForce, KnownPressure};
use crate::step::schemes::pressure_bounds::largest_pressure;
use crate::step::schemes::pressure_matrix::{Matrix, PressureMatrix};
use crate::step::schemes::pressure_rows::SelfTerm;
use crate::step::solved::{Solved, Spent};
use crate::world::World;
use hashfall_core::simd::Isa;
use hashfall_core::{Length, Real, Vec3, parallel, to_f64};
use std::time::Instant;

/// The error of a single particle beyond which no mean is good enough, over the mean that is asked
/// for: over many particles a mean hides the few whose pressure is left from an impact.
const LARGEST_OVER_MEAN: f64 = 100.0;

/// Iterations that a projection takes at least: of slow flow the error is small from the start, but
/// over many steps pressures that stand still take its energy.
const MIN_ITERATIONS: u32 = 2;

/// The least part of the fluid that counts as moving \[–\].
const MIN_ACTIVITY: f64 = 0.02;

/// When a solution is good enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Mean of |D v| times the horizon, where it counts, over all particles \[–\].
    pub error: f64,
    /// Iterations after which the solver gives up.
    pub max_iterations: u32,
}

/// What a projection is for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// The step \[s\].
    pub dt: Real,
    /// The time for which pressures push \[s\].
    pub half_dt: Real,
    /// The horizon over which errors count, over dt; at least 1 \[–\].
    pub horizon_ratio: Real,
    /// What the fluid yields to pressure over the horizon \[1/Pa\].
    pub compliance: Real,
}

/// Finds pressures; keeps its buffers between steps.
#[derive(Debug)]
pub struct Projection {
    pub(super) isa: Isa,
    pub(super) solver: BoundedCg,
    /// 1/ρ₀; 0 in nozzles \[m³/kg\].
    pub(super) inverse_densities: Vec<Real>,
    /// Of the operator \[1/(Pa s²)\].
    pub(super) diagonal: Vec<Real>,
    /// What the pressure before does, and after a step the one that is left \[Pa/m\].
    pub(super) known: Vec<KnownForce>,
    /// The velocity without the change δ \[m/s\]; afterwards, the gradients of what is smoothed.
    pub(super) velocities: Vec<Vec3>,
    /// 2 u·L ∇λ of solids that move \[1/s\].
    pub(super) fluxes: Vec<Real>,
    /// D of those velocities \[1/s\], and what the stabilisation takes from them \[1/s²\].
    pub(super) sources: Vec<[Real; 2]>,
    pub(super) rhs: Vec<Real>,
    pub(super) lower: Vec<Real>,
    /// σκ \[Pa\]; empty without tension.
    pub(super) capillary: Vec<Real>,
    /// δ \[Pa\].
    pub(super) changes: Vec<Real>,
    /// What of δ acts, where bodies are free \[Pa\].
    pub(super) acting: Vec<Real>,
    /// Of the solutions, with what δ does.
    pub(super) matrix: PressureMatrix,
    /// What iterations took since this was taken last.
    pub(super) spent: Spent,
}

/// What the rounds of a solution have in common.
struct Rounds<'a> {
    neighborhood: &'a Neighborhood,
    moments: &'a Moments,
    /// Whether bodies are free.
    is_coupled: bool,
    /// The largest pressure over ρ₀ \[m²/s²\].
    largest: Real,
    half_dt: Real,
    /// What fluid yields to pressure, in the units of the matrix.
    yielding: Real,
    /// The mean error that is good enough, in the units of the right-hand side.
    mean: f64,
    max_iterations: u32,
}

/// The acceleration by a change of pressure.
pub(super) fn acceleration_by(&[x, y, z, _]: &Block) -> Vec3 {
    Vec3::new(x, y, z)
}

/// The part of the fluid that moves: the mean of the speeds over the largest. In a splash into a
/// large tank a mean error over all of it hides the error where it is.
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
fn activity(velocities: &[Vec3]) -> f64 {
    let n = velocities.len();
    let speed = |i: usize| f64::from(velocities[i].length());
    let largest = parallel::max(n, 0.0, speed);
    let [sum] = parallel::sum_within(n, [largest], |i| [speed(i)]);
    if sum > 0.0 { (sum / (largest * n as f64)).max(MIN_ACTIVITY) } else { MIN_ACTIVITY }
}

impl Projection {
    /// A solver that computes with this instruction set.
    pub fn new(isa: Isa) -> Self {
        Projection {
            isa,
            solver: BoundedCg::new(isa),
            inverse_densities: Vec::new(),
            diagonal: Vec::new(),
            known: Vec::new(),
            velocities: Vec::new(),
            fluxes: Vec::new(),
            sources: Vec::new(),
            rhs: Vec::new(),
            lower: Vec::new(),
            capillary: Vec::new(),
            changes: Vec::new(),
            acting: Vec::new(),
            matrix: PressureMatrix::new(isa),
            spent: Spent::default(),
        }
    }

    /// What the matrix tells of each particle by itself; nothing if it has not been asked for at
    /// the present places.
    pub fn self_terms(&self) -> &[SelfTerm] {
        self.matrix.known_self_terms()
    }

    /// Tells that particles have moved.
    pub fn forget_places(&mut self) {
        self.matrix.forget();
    }

    /// Takes which particles are free.
    fn update(&mut self, world: &World) {
        let particles = &world.particles;
        self.inverse_densities.resize(particles.len(), 0.0);
        parallel::fill(&mut self.inverse_densities, |i, inverse| {
            let rest_density = world.fluids[usize::from(particles.phase[i])].rest_density;
            // Nothing pushes what is in a nozzle.
            *inverse = if particles.in_nozzle[i] > 0 { 0.0 } else { 1.0 / rest_density };
        });
    }

    /// The forces by which the world's pressures act at the present places \[N/m³\], with the
    /// accelerations by all else.
    pub fn known_forces(
        &mut self,
        world: &World,
        neighborhood: &Neighborhood,
        pairs: &mut PairData,
        moments: &Moments,
    ) -> &[KnownForce] {
        let particles = &world.particles;
        let rest_density = |i: usize| world.fluids[usize::from(particles.phase[i])].rest_density;
        let n = particles.len();
        self.known.resize(n, KnownForce::default());
        let is_pressed =
            |i: usize| particles.pressure[i] != 0.0 || neighborhood.boundary.fraction[i] > 0.0;
        if !parallel::any(n, is_pressed) {
            self.known.fill(KnownForce::default());
            return &self.known;
        }
        self.matrix.find(world, neighborhood, pairs, &moments.all);
        let are_mixed = world.one_density().is_none();
        if are_mixed {
            pairs.set_extras(|i| [0.0, 0.0, 0.0, rest_density(i)]);
        }
        pairs.set_scalars(|i| particles.pressure[i]);
        let weight = |i: usize| particles.acceleration[i] * rest_density(i);
        let known = KnownPressure { neighborhood, pairs, moments: &moments.all, weight };
        let kind = [!moments.is_full, are_mixed];
        known.find_by_rows(self.isa, &self.matrix, kind, &mut self.known);
        self.keep_momentum(world, neighborhood, moments);
        &self.known
    }

    /// Takes off the sum of what no pair and no solid gives, of fluid that no solid is near: it
    /// keeps its momentum. Of fluid in vessels to take it off would rock them.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    fn keep_momentum(&mut self, world: &World, neighborhood: &Neighborhood, moments: &Moments) {
        let in_nozzle = &world.particles.in_nozzle;
        let is_held = |i: usize| neighborhood.boundary.fraction[i] > 0.0 || in_nozzle[i] > 0;
        let known = &self.known;
        let share = |i: usize| moments.all[i].inside + moments.all[i].surface;
        if parallel::any(known.len(), is_held) {
            return;
        }
        let [x, y, z, weight] = parallel::sum(known.len(), |i| {
            let [x, y, z] = to_f64(&known[i].excess);
            [x, y, z, f64::from(share(i))]
        });
        if weight <= 0.0 {
            return;
        }
        let mean = Vec3::new((x / weight) as Real, (y / weight) as Real, (z / weight) as Real);
        parallel::fill(&mut self.known, |i, known| known.force -= mean * share(i));
    }

    /// Finds the pressures \[Pa\] with which half a kick leads to velocities without divergence;
    /// the world's are the guess. Accelerations become those with pressure, velocities stay.
    pub fn solve(
        &mut self,
        world: &mut World,
        context: &mut StageContext<'_>,
        moments: &Moments,
        target: Target,
        tolerance: Tolerance,
    ) -> Solved {
        let largest = largest_pressure(world, f64::from(target.dt));
        self.prepare(world, context, moments, target);
        let StageContext { neighborhood, pairs, bodies, .. } = context;
        let Target { dt, half_dt, horizon_ratio, compliance } = target;
        // An error of D v over the horizon, in the units of the right-hand side.
        let unit = f64::from(half_dt) * f64::from(dt) * f64::from(horizon_ratio);
        let rounds = Rounds {
            neighborhood,
            moments,
            is_coupled: BodyCoupling::is_needed(world),
            largest,
            half_dt,
            yielding: compliance / (horizon_ratio * dt * half_dt),
            mean: tolerance.error * activity(&world.particles.velocity) / unit,
            max_iterations: tolerance.max_iterations,
        };
        let solved = self.solve_rounds(world, pairs, bodies, &rounds);
        if rounds.is_coupled {
            self.acting.clone_from(&self.changes);
        }
        self.apply(world);
        Solved { error: solved.error * unit, ..solved }
    }

    /// Brings the guess within its bounds, and finds the right-hand side and the matrix.
    fn prepare(
        &mut self,
        world: &mut World,
        context: &mut StageContext<'_>,
        moments: &Moments,
        target: Target,
    ) {
        self.update(world);
        Self::pin_pressures(world, moments);
        let StageContext { neighborhood, pairs, bodies, .. } = context;
        self.bound_pressures(world, neighborhood, moments);
        self.known_forces(world, neighborhood, pairs, moments);
        if BodyCoupling::is_needed(world) {
            bodies.begin_projection(world, neighborhood, &moments.all);
            self.press_bodies(world, neighborhood, moments, bodies);
            bodies.add_films();
        }
        self.find_right_hand_side(world, context, moments, target);
        self.changes.clear();
        self.changes.resize(world.particles.len(), 0.0);
    }

    /// Finds δ. Where bodies are free, once more for as long as what is predicted of their contact
    /// changes.
    fn solve_rounds(
        &mut self,
        world: &World,
        pairs: &mut PairData,
        bodies: &mut BodyCoupling,
        rounds: &Rounds<'_>,
    ) -> Solved {
        let (mut iterations, mut count) = (0, 0);
        loop {
            let solved = self.solve_round(world, pairs, bodies, rounds);
            iterations += solved.iterations;
            let (half_dt, changes, rhs) = (rounds.half_dt, &self.changes, &mut self.rhs);
            let is_wrong =
                rounds.is_coupled && bodies.correct_prediction(world, half_dt, changes, rhs, count);
            if !is_wrong {
                return Solved { iterations, ..solved };
            }
            count += 1;
            self.find_diagonal(world, rounds.neighborhood, bodies, rounds.moments, rounds.yielding);
        }
    }

    /// Finds δ within its bounds, and what it does.
    fn solve_round(
        &mut self,
        world: &World,
        pairs: &mut PairData,
        bodies: &mut BodyCoupling,
        rounds: &Rounds<'_>,
    ) -> Solved {
        let (particles, fluids) = (&world.particles, &world.fluids);
        let rest_density = |i: usize| fluids[usize::from(particles.phase[i])].rest_density;
        let (pressure, lower) = (&particles.pressure, &self.lower);
        let problem = Problem {
            diagonal: &self.diagonal,
            rhs: &self.rhs,
            lower,
            tolerance: [rounds.mean, LARGEST_OVER_MEAN * rounds.mean],
            min_iterations: MIN_ITERATIONS,
            max_iterations: rounds.max_iterations,
        };
        let mut matrix = Matrix {
            coefficients: &mut self.matrix,
            world,
            neighborhood: rounds.neighborhood,
            pairs,
            moments: &rounds.moments.all,
            yielding: rounds.yielding,
            bodies: rounds.is_coupled.then(|| bodies.operator()),
        };
        let start = Instant::now();
        let solved = self.solver.solve(&mut matrix, problem, &mut self.changes);
        self.spent.iterations += solved.iterations;
        self.spent.time += start.elapsed();
        parallel::fill(&mut self.changes, |i, change| {
            // At its bound exactly, whatever rounding leaves.
            *change = change.max(lower[i]).min(rounds.largest * rest_density(i) - pressure[i]);
        });
        if parallel::any(self.changes.len(), |i| self.changes[i] != 0.0) {
            matrix.set_argument(&mut self.changes, |_, p, argument| argument.copy_from_slice(p));
            matrix.push();
        } else {
            self.matrix.push_nothing(pressure.len());
        }
        solved
    }

    /// Adds δ to the pressures, and what they do to the accelerations.
    fn apply(&self, world: &mut World) {
        let particles = &mut world.particles;
        let (known, pushes) = (&self.known, self.matrix.pushes());
        let (changes, inverse) = (&self.changes, &self.inverse_densities);
        parallel::fill_both(&mut particles.pressure, &mut particles.acceleration, |i, p, a| {
            *p += changes[i];
            *a += acceleration_by(&pushes[i]) - known[i].force * inverse[i];
        });
    }
}
