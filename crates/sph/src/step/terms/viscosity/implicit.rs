//! Implicit viscosity: the velocities that viscosity itself leads to, so that it does not limit how
//! long a step is.
//!
//! Weiler, Koschier, Brand & Bender, A physically consistent implicit viscosity solver for SPH
//! fluids (2018): v′ with ρᵢ (v′ᵢ − uᵢ)/dt = fᵢ(v′) (eq. 4). f are other forces than theirs, which
//! are central: see [`super::operator`]. Deviations:
//!
//! - f acts on w = θ v⁺ + (1 − θ) v₀, by which a step is of second order ([`super::span`]): v⁺ is
//!   the velocity after the kick, v⁺ = v + κ (a − ∇p/ρ + f(w)/ρ), v₀ the one before the last step.
//!   So ρᵢ (wᵢ − uᵢ)/τ = fᵢ(w) with τ = θκ and u = θ (v + κ (a − ∇p/ρ)) + (1 − θ) v₀: one solution
//!   of the same matrix, with τ in place of dt.
//! - The pressure p of the last step is a part of u. Then viscosity and pressure balance each other
//!   to the end in slow flow, however long the step; projected one after the other they leave a
//!   part in proportion to dt.
//! - What comes out is the acceleration (w − u)/τ, which acts in half kicks as all others do. The
//!   step to come is taken to be the one that all else allows now; one that is shorter takes its
//!   part. A longer one would continue beyond v⁺, so that steps are at most half as long again as
//!   the one that was solved for.
//! - v₀ is what the present velocity was without the first half kick: what contact has changed
//!   since, it has changed before. Nothing is kept from step to step.
//!
//! Bodies that the fluid moves are unknowns, too ([`super::bodies`]).
//!
//! The matrix is symmetric and positive. Conjugate gradients solve it, preconditioned by its blocks
//! of 3 × 3 on the diagonal (§4.2 there), and start from the present velocities.
//!
//! Symbols: ρ density \[kg/m³\], f forces of viscosity \[N/m³\], κ time from v to v⁺ \[s\].

use crate::step::bodies::coupling::BodyCoupling;
use crate::step::boundary::boundary_share::WallMotion;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::PairData;
use crate::step::schemes::context::StageContext;
use crate::step::schemes::scheme::PressureScheme;
use crate::step::solved::Solved;
use crate::step::terms::term::{ForceTerm, ImplicitState};
use crate::step::terms::viscosity::bodies::ViscousBodies;
use crate::step::terms::viscosity::operator::ViscousOperator;
use crate::step::terms::viscosity::span::ViscousSpan;
use crate::step::terms::viscosity::stress::ViscousVelocities;
use crate::step::time_step::limits::{self, Limit, StepLength};
use crate::world::{ViscositySolver, World};
use hashfall_core::simd::Isa;
use hashfall_core::{Real, Vec3, parallel};
use nalgebra::Matrix3;

/// The residual that is left, over the right-hand side \[–\].
const TOLERANCE: f64 = 1e-5;

/// Or over what accelerations other than those of pressure and viscosity add in the step \[–\]: of
/// fluid at rest the right-hand side is what pressures are off.
const TOLERANCE_AT_REST: f64 = 1e-5;

/// Iterations after which a solution is taken as it is.
const MAX_ITERATIONS: u32 = 500;

/// How long a step may be, over the one that was solved for \[–\].
const GROWTH: f64 = 1.5;

/// Solves for viscosity; keeps its buffers between steps.
#[derive(Debug)]
pub struct ImplicitViscosity {
    operator: ViscousOperator,
    /// Inverse blocks of the diagonal \[m³/kg\].
    blocks: Vec<Matrix3<Real>>,
    /// What pressure does \[N/m³\].
    pushes: Vec<Vec3>,
    /// v₀ \[m/s\].
    start: Vec<Vec3>,
    /// u \[m/s\].
    v_star: Vec<Vec3>,
    /// b \[kg/(m² s)\].
    rhs: Vec<Vec3>,
    /// w \[m/s\].
    solution: Vec<Vec3>,
    /// b − A w \[kg/(m² s)\].
    residuals: Vec<Vec3>,
    /// Where the solution goes, and A times that.
    directions: Vec<Vec3>,
    products: Vec<Vec3>,
    /// Of the bodies that the fluid moves.
    bodies: ViscousBodies,
    /// The step under way \[s\], until forces are found at its end.
    step: Option<f64>,
    /// What the next step goes by.
    state: ImplicitState,
    /// The same before the step under way.
    state_before: ImplicitState,
    /// How the last solution was found.
    solved: Solved,
}

impl ImplicitViscosity {
    /// The viscosity of a world's fluids; `None` where it is a force, or there is none.
    pub fn for_world(
        world: &World,
        scheme: &dyn PressureScheme,
        isa: Isa,
    ) -> Option<Box<dyn ForceTerm>> {
        let is_implicit = world.viscosity == ViscositySolver::Implicit;
        let is_viscous = world.fluids.iter().any(|fluid| fluid.viscosity > 0.0);
        if !is_implicit || !is_viscous || !scheme.settings().has_interactions() {
            return None;
        }
        let state = ImplicitState { max_acceleration: 0.0, max_force: 0.0, dt: f64::INFINITY };
        Some(Box::new(ImplicitViscosity {
            operator: ViscousOperator::new(isa),
            blocks: Vec::new(),
            pushes: Vec::new(),
            start: Vec::new(),
            v_star: Vec::new(),
            rhs: Vec::new(),
            solution: Vec::new(),
            residuals: Vec::new(),
            directions: Vec::new(),
            products: Vec::new(),
            bodies: ViscousBodies::default(),
            step: None,
            state,
            state_before: state,
            solved: Solved::default(),
        }))
    }

    /// u and b.
    fn note_right_hand_side(
        &mut self,
        world: &World,
        neighborhood: &Neighborhood,
        forces: &[Vec3],
        span: ViscousSpan,
    ) {
        let (p, fluids) = (&world.particles, &world.fluids);
        let n = p.len();
        self.pushes.clear();
        self.pushes.extend_from_slice(forces);
        self.pushes.resize(n, Vec3::zeros());
        self.v_star.resize(n, Vec3::zeros());
        self.rhs.resize(n, Vec3::zeros());
        let (pushes, start) = (&self.pushes, &self.start);
        let ViscousSpan { kick, weight, .. } = span;
        let coriolis = world.coriolis_turn(f64::from(kick));
        parallel::fill_both(&mut self.v_star, &mut self.rhs, |i, v_star, rhs| {
            let rest_density = fluids[usize::from(p.phase[i])].rest_density;
            if p.in_nozzle[i] > 0 {
                (*v_star, *rhs) = (p.velocity[i], Vec3::zeros());
                return;
            }
            let impulse = (p.acceleration[i] + pushes[i] / rest_density) * kick;
            let free = match &coriolis {
                None => p.velocity[i] + impulse,
                Some(turn) => turn.kick(&p.velocity[i], &impulse),
            };
            *v_star = neighborhood.boundary.projected_velocity(i, free, kick);
            if span.has_start() {
                *v_star = *v_star * weight + start[i] * (1.0 - weight);
            }
            *rhs = *v_star * rest_density;
        });
    }

    /// Conjugate gradients.
    fn solve(
        &mut self,
        world: &World,
        neighborhood: &Neighborhood,
        pairs: &mut PairData,
        coupling: &mut BodyCoupling,
        tau: Real,
    ) -> Solved {
        let n = world.particles.len();
        for buffer in [&mut self.residuals, &mut self.directions, &mut self.products] {
            buffer.resize(n, Vec3::zeros());
        }
        self.operator.update(world, neighborhood, pairs, true);
        self.find_blocks(world, tau);
        let mut solution = std::mem::take(&mut self.solution);
        solution.clone_from(&world.particles.velocity);
        let bodies = std::mem::take(&mut self.bodies);
        let walls = WallMotion { is_still: false, bodies: bodies.motions() };
        let field = ViscousVelocities { particles: &solution, walls };
        self.multiply(world, neighborhood, pairs, field, tau);
        self.bodies = bodies;
        self.bodies.begin(&self.operator, world, neighborhood, &solution, coupling);
        self.solution = solution;
        let (rhs, products, in_nozzle) = (&self.rhs, &self.products, &world.particles.in_nozzle);
        parallel::fill(&mut self.residuals, |i, residual| {
            *residual = if in_nozzle[i] > 0 { Vec3::zeros() } else { rhs[i] - products[i] };
        });
        let accelerations = &world.particles.acceleration;
        let [rhs_norm2, squares] = parallel::sum(n, |i| {
            let square = f64::from((accelerations[i] * tau).norm_squared());
            [to_rate(world, i, &self.rhs[i]), square]
        });
        let enough = (TOLERANCE * TOLERANCE * rhs_norm2)
            .max(TOLERANCE_AT_REST * TOLERANCE_AT_REST * squares);
        // What a step that was rolled back has left here may not be finite.
        self.directions.fill(Vec3::zeros());
        let densities = world.fluids.iter().map(|fluid| f64::from(fluid.rest_density));
        let lightest = densities.fold(f64::INFINITY, f64::min);
        let mut rz_before = f64::INFINITY;
        let mut iterations = 0;
        loop {
            let (residuals, blocks) = (&self.residuals, &self.blocks);
            // As no eigenvalue of a block is larger than that without viscosity.
            let steepest = limits::largest(residuals) * (1.0 + 1e-6);
            let bounds = [1.0 / lightest, 1.0].map(|x| steepest * steepest * x / lightest);
            let [residual_norm2, rz] = parallel::sum_within(n, bounds, |i| {
                let z = blocks[i] * residuals[i];
                [to_rate(world, i, &residuals[i]), f64::from(residuals[i].dot(&z))]
            });
            let [of_bodies, rz_of_bodies] = self.bodies.precondition(coupling);
            let (residual_norm2, rz) = (residual_norm2 + of_bodies, rz + rz_of_bodies);
            let is_good = residual_norm2 <= enough || rz <= 0.0;
            if is_good || iterations == MAX_ITERATIONS {
                let error = if rhs_norm2 > 0.0 { (residual_norm2 / rhs_norm2).sqrt() } else { 0.0 };
                return Solved { iterations, error, capped: !is_good };
            }
            iterations += 1;
            let beta = (rz / rz_before) as Real;
            rz_before = rz;
            parallel::fill(&mut self.directions, |i, direction| {
                *direction = blocks[i] * residuals[i] + *direction * beta;
            });
            let directions = std::mem::take(&mut self.directions);
            self.bodies.turn(coupling, f64::from(beta));
            let mut bodies = std::mem::take(&mut self.bodies);
            let walls = WallMotion { is_still: true, bodies: bodies.direction() };
            let field = ViscousVelocities { particles: &directions, walls };
            self.multiply(world, neighborhood, pairs, field, tau);
            let of_bodies =
                bodies.multiply(&self.operator, world, neighborhood, &directions, coupling);
            self.bodies = bodies;
            let products = &self.products;
            let [p_ap] = parallel::sum(n, |i| [f64::from(directions[i].dot(&products[i]))]);
            let p_ap = p_ap + of_bodies;
            let alpha = if p_ap > 0.0 { (rz / p_ap) as Real } else { 0.0 };
            parallel::fill_both(&mut self.solution, &mut self.residuals, |i, x, r| {
                if in_nozzle[i] == 0 {
                    *x += directions[i] * alpha;
                    *r -= products[i] * alpha;
                }
            });
            self.bodies.advance(f64::from(alpha));
            self.directions = directions;
        }
    }

    /// ρv − τ f(v).
    fn multiply(
        &mut self,
        world: &World,
        neighborhood: &Neighborhood,
        pairs: &mut PairData,
        velocities: ViscousVelocities<'_>,
        tau: Real,
    ) {
        let products = &mut self.products;
        self.operator.apply(world, neighborhood, pairs, velocities, products);
        let (p, fluids) = (&world.particles, &world.fluids);
        parallel::fill(products, |i, product| {
            let rest_density = fluids[usize::from(p.phase[i])].rest_density;
            *product = velocities.particles[i] * rest_density - *product * tau;
        });
    }

    /// Adds what is left of the solution to the accelerations, which become those of the forces at
    /// it: bodies take these, and together with the fluid they lose nothing.
    fn add_residuals(&self, world: &mut World, tau: Real) {
        let (rhs, products) = (&self.rhs, &self.products);
        let World { particles: p, fluids, .. } = world;
        parallel::fill(&mut p.acceleration, |i, acceleration| {
            let rest_density = fluids[usize::from(p.phase[i])].rest_density;
            if p.in_nozzle[i] == 0 {
                *acceleration += (rhs[i] - products[i]) / (rest_density * tau);
            }
        });
    }

    /// About the inverse blocks of the diagonal.
    fn find_blocks(&mut self, world: &World, tau: Real) {
        let (p, fluids, operator) = (&world.particles, &world.fluids, &self.operator);
        self.blocks.resize(p.len(), Matrix3::zeros());
        parallel::fill(&mut self.blocks, |i, inverse| {
            let rest_density = fluids[usize::from(p.phase[i])].rest_density;
            let block = Matrix3::identity() * rest_density + operator.stiffness(i) * tau;
            *inverse = block.try_inverse().unwrap_or_else(|| Matrix3::identity() / rest_density);
        });
    }
}

impl ForceTerm for ImplicitViscosity {
    fn begin_step(&mut self, dt: f64) {
        (self.step, self.state_before) = (Some(dt), self.state);
    }

    fn rollback(&mut self) {
        (self.step, self.state) = (None, self.state_before);
    }

    /// Takes v₀: accelerations are still those of the first half kick.
    fn update(&mut self, world: &mut World, _: &mut StageContext<'_>) {
        let Some(dt) = self.step else { return };
        let back = -0.5 * dt;
        let coriolis = world.coriolis_turn(back);
        let (back, p) = (back as Real, &world.particles);
        self.start.resize(p.len(), Vec3::zeros());
        parallel::fill(&mut self.start, |i, start| {
            let impulse = p.acceleration[i] * back;
            *start = match &coriolis {
                None => p.velocity[i] + impulse,
                Some(turn) => turn.kick(&p.velocity[i], &impulse),
            };
        });
    }

    /// Adds what viscosity does in the step that all else allows. Solids take their part.
    fn add(
        &mut self,
        world: &mut World,
        context: &mut StageContext<'_>,
        scheme: &mut dyn PressureScheme,
    ) {
        scheme.find_pressure_forces(world, context);
        let bounds = scheme.bounds(world, &world.fluids);
        let longest = limits::stable_step(world, &bounds, Some(context.neighborhood));
        let span = ViscousSpan::new(self.step.take(), longest.dt, world.steps <= 1);
        let tau = span.tau();
        let StageContext { neighborhood, pairs, reactions, bodies, .. } = context;
        let max_acceleration = limits::largest(&world.particles.acceleration);
        let max_force = limits::strongest_force(world);
        self.state = ImplicitState { max_acceleration, max_force, dt: span.next };
        self.note_right_hand_side(world, neighborhood, scheme.pressure_forces(), span);
        self.bodies.predict(world, neighborhood, reactions, bodies, span);
        self.solved = self.solve(world, neighborhood, pairs, bodies, tau);
        let p = &mut world.particles;
        let (solution, v_star) = (&self.solution, &self.v_star);
        parallel::fill(&mut p.acceleration, |i, acceleration| {
            if p.in_nozzle[i] == 0 {
                *acceleration += (solution[i] - v_star[i]) / tau;
            }
        });
        // The walls' forces at the solution, not along the last direction.
        let solution = std::mem::take(&mut self.solution);
        let bodies = std::mem::take(&mut self.bodies);
        let walls = WallMotion { is_still: false, bodies: bodies.motions() };
        let field = ViscousVelocities { particles: &solution, walls };
        self.multiply(world, neighborhood, pairs, field, tau);
        self.operator.add_reactions(world, neighborhood, field, reactions);
        reactions.act_too();
        if bodies.motions().is_some() {
            self.add_residuals(world, tau);
        }
        self.bodies = bodies;
        self.solution = solution;
    }

    fn max_step(&self) -> Option<StepLength> {
        Some(StepLength::new(GROWTH * self.state.dt, Limit::Viscosity))
    }

    fn implicit_state(&self) -> Option<ImplicitState> {
        Some(self.state)
    }

    fn restore(&mut self, state: ImplicitState) {
        self.state = state;
    }

    fn solved(&self) -> Option<Solved> {
        Some(self.solved)
    }
}

/// The square of what a right-hand side or a residual is of a velocity \[m²/s²\].
fn to_rate(world: &World, i: usize, side: &Vec3) -> f64 {
    let rest_density = world.fluids[usize::from(world.particles.phase[i])].rest_density;
    f64::from((side / rest_density).norm_squared())
}

#[cfg(test)]
mod tests;
