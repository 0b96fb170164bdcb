//! Implicit viscosity: the velocities that viscosity leads to at the end of a step, so that it does
//! not limit how long that is.
//!
//! Weiler, Koschier, Brand & Bender, A physically consistent implicit viscosity solver for SPH
//! fluids (2018): v′ with
//!
//! - ρᵢ (v′ᵢ − uᵢ)/dt = 2(D + 2) Σⱼ V μᵢⱼ (v′ᵢⱼ·xᵢⱼ)/xᵢⱼ² sᵢⱼ xᵢⱼ − 2μᵢ |∇λᵢ|/dᵢ (v′ᵢ − vˢ)
//!
//! (eq. 4–6), the last on solids that fluid sticks to, along them, as in
//! [`crate::step::schemes::pair_forces`]. Forces between particles are along the line between them:
//! a fluid that turns as a whole does so for ever, and none pulls at a free surface, which
//! Laplacians of the velocity (Morris et al.) hold. Deviations:
//!
//! - u is the velocity that all else leads to in the step, the pressure p of the last one among it:
//!   u = v + dt (a − ∇p/ρ). Then viscosity and pressure balance each other to the end in slow flow,
//!   however long the step; projected one after the other they leave a part in proportion to dt.
//! - Of two fluids, μᵢⱼ is the harmonic mean 2μᵢμⱼ/(μᵢ + μⱼ), by which the shear stress is the same
//!   on both sides: air does not hold honey.
//! - What comes out is the acceleration (v′ − u)/dt, which acts in half kicks as all others do. dt
//!   is the step that all else allows now; one that is shorter takes its part. A longer one would
//!   go on beyond v′, so that steps are at most half as long again as the one that was solved for.
//!
//! The matrix is symmetric and positive. Conjugate gradients solve it, preconditioned by its blocks
//! of 3 × 3 on the diagonal (§4.2 there), and start from the present velocities.
//!
//! Symbols: μ = ρ₀ν dynamic viscosity \[Pa s\], D dimensions, V volume \[m³\], sᵢⱼ = W′(r)/r
//! \[1/m⁵\], λ the solids' part \[–\], d distance of a solid, vˢ its velocity \[m/s\].

use crate::step::boundary::reactions::Reactions;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::PairData;
use crate::step::pairs::pair_sum::{self, PairSum, displacement, dot, relative_velocity};
use crate::step::schemes::context::StageContext;
use crate::step::schemes::pair_forces::twice_viscosity;
use crate::step::schemes::pressure_operator::Gradient;
use crate::step::schemes::projection::Solved;
use crate::step::schemes::scheme::PressureScheme;
use crate::step::terms::term::{ForceTerm, ImplicitState};
use crate::step::time_step::limits::{self, Limit};
use crate::world::{ViscositySolver, World};
use hashfall_core::simd::{F32x8, Isa};
use hashfall_core::{Real, Vec3, parallel, to_f64};
use nalgebra::Matrix3;

/// The residual that is left, over the right-hand side \[–\].
const TOLERANCE: f64 = 1e-5;

/// Iterations after which a solution is taken as it is.
const MAX_ITERATIONS: u32 = 500;

/// Viscosity is solved for at most for so long a step \[s\]: nothing may limit that of a fluid at
/// rest.
const LONGEST: f64 = 1e3;

/// How long a step may be, over the one that was solved for \[–\].
const GROWTH: f64 = 1.5;

/// What keeps coincident particles from dividing by zero, in h².
const SOFTENING: Real = 1e-6;

/// Solves for viscosity; keeps its buffers between steps.
#[derive(Debug)]
pub struct ImplicitViscosity {
    isa: Isa,
    /// Inverse blocks of the diagonal \[m³/kg\].
    blocks: Vec<Matrix3<Real>>,
    /// What pressure does \[N/m³\].
    pushes: Vec<Vec3>,
    /// u \[m/s\].
    v_star: Vec<Vec3>,
    /// b \[kg/(m² s)\].
    rhs: Vec<Vec3>,
    /// v′ \[m/s\].
    solution: Vec<Vec3>,
    /// b − A v′ \[kg/(m² s)\].
    residuals: Vec<Vec3>,
    /// Where the solution goes, and A times that.
    directions: Vec<Vec3>,
    products: Vec<Vec3>,
    /// What the next step goes by.
    state: ImplicitState,
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
        if !is_implicit || !is_viscous || !scheme.has_interactions() {
            return None;
        }
        Some(Box::new(ImplicitViscosity {
            isa,
            blocks: Vec::new(),
            pushes: Vec::new(),
            v_star: Vec::new(),
            rhs: Vec::new(),
            solution: Vec::new(),
            residuals: Vec::new(),
            directions: Vec::new(),
            products: Vec::new(),
            state: ImplicitState { max_acceleration: 0.0, max_force: 0.0, dt: f64::INFINITY },
            solved: Solved::default(),
        }))
    }

    /// u and b.
    fn note_right_hand_side(
        &mut self,
        world: &World,
        near: &Neighborhood,
        pairs: &mut PairData,
        (projected, dt): (bool, Real),
    ) {
        let (p, fluids) = (&world.particles, &world.fluids);
        let n = p.len();
        self.pushes.resize(n, Vec3::zeros());
        if projected {
            pairs.set_scalars(|i| p.pressure[i]);
            let sum = Gradient { near, pairs };
            pair_sum::for_all(self.isa, &near.lists, pairs, &sum, &mut self.pushes);
        } else {
            self.pushes.fill(Vec3::zeros());
        }
        self.v_star.resize(n, Vec3::zeros());
        self.rhs.resize(n, Vec3::zeros());
        let pushes = &self.pushes;
        parallel::fill_both(&mut self.v_star, &mut self.rhs, |i, v_star, rhs| {
            let rest_density = fluids[usize::from(p.phase[i])].rest_density;
            if p.in_nozzle[i] > 0 {
                (*v_star, *rhs) = (p.velocity[i], Vec3::zeros());
                return;
            }
            *v_star = p.velocity[i] + (p.acceleration[i] + pushes[i] / rest_density) * dt;
            *rhs = *v_star * rest_density + drag(world, near, i, Vec3::zeros()) * dt;
        });
    }

    /// Conjugate gradients.
    fn solve(
        &mut self,
        world: &World,
        near: &Neighborhood,
        pairs: &mut PairData,
        dt: Real,
    ) -> Solved {
        let n = world.particles.len();
        let (p, fluids) = (&world.particles, &world.fluids);
        pairs.set_scalars(|i| {
            let fluid = &fluids[usize::from(p.phase[i])];
            fluid.viscosity * fluid.rest_density
        });
        self.find_blocks(world, near, pairs, dt);
        for buffer in [&mut self.residuals, &mut self.directions, &mut self.products] {
            buffer.resize(n, Vec3::zeros());
        }
        let mut solution = std::mem::take(&mut self.solution);
        solution.clone_from(&world.particles.velocity);
        self.multiply(world, near, pairs, &solution, dt);
        self.solution = solution;
        let (rhs, products, in_nozzle) = (&self.rhs, &self.products, &world.particles.in_nozzle);
        parallel::fill(&mut self.residuals, |i, residual| {
            *residual = if in_nozzle[i] > 0 { Vec3::zeros() } else { rhs[i] - products[i] };
        });
        let [rhs_norm2] = parallel::sum(n, |i| [to_rate(world, i, &self.rhs[i])]);
        // What a step that was rolled back has left here may not be finite.
        self.directions.fill(Vec3::zeros());
        let mut rz_before = f64::INFINITY;
        let mut iterations = 0;
        loop {
            let (residuals, blocks) = (&self.residuals, &self.blocks);
            let [residual_norm2, rz] = parallel::sum(n, |i| {
                let z = blocks[i] * residuals[i];
                [to_rate(world, i, &residuals[i]), f64::from(residuals[i].dot(&z))]
            });
            let is_good = residual_norm2 <= TOLERANCE * TOLERANCE * rhs_norm2 || rz <= 0.0;
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
            self.multiply(world, near, pairs, &directions, dt);
            let products = &self.products;
            let [p_ap] = parallel::sum(n, |i| [f64::from(directions[i].dot(&products[i]))]);
            let alpha = if p_ap > 0.0 { (rz / p_ap) as Real } else { 0.0 };
            parallel::fill_both(&mut self.solution, &mut self.residuals, |i, x, r| {
                if in_nozzle[i] == 0 {
                    *x += directions[i] * alpha;
                    *r -= products[i] * alpha;
                }
            });
            self.directions = directions;
        }
    }

    /// A times these velocities.
    fn multiply(
        &mut self,
        world: &World,
        near: &Neighborhood,
        pairs: &mut PairData,
        velocities: &[Vec3],
        dt: Real,
    ) {
        pairs.set_vectors(|i| [velocities[i].x, velocities[i].y, velocities[i].z, 0.0]);
        let sum = Product { world, near, pairs, dt, scale: scale(world, near) };
        pair_sum::for_all(self.isa, &near.lists, pairs, &sum, &mut self.products);
    }

    /// The inverse blocks of the diagonal.
    fn find_blocks(&mut self, world: &World, near: &Neighborhood, pairs: &PairData, dt: Real) {
        self.blocks.resize(world.particles.len(), Matrix3::zeros());
        let sum = DiagonalBlock { world, near, dt, scale: scale(world, near) };
        pair_sum::for_all(self.isa, &near.lists, pairs, &sum, &mut self.blocks);
    }

    /// What solids that fluid sticks to give to it, into their accounts.
    fn take_reactions(&self, world: &mut World, near: &Neighborhood, reactions: &mut Reactions) {
        let volume = world.particle_volume();
        let (particles, fluids, solids) = (&mut world.particles, &world.fluids, &world.solids);
        let (positions, phases) = (&particles.position, &particles.phase);
        reactions.fill(&mut particles.acceleration, |i, _, account| {
            if near.boundary.fraction[i] <= 0.0 {
                return;
            }
            let viscosity = twice_viscosity(&fluids[usize::from(phases[i])]);
            for (surface, drag) in near.boundary.no_slip_forces(i, self.solution[i], solids) {
                let force = drag * (viscosity * volume);
                account.add(surface.body(), to_f64(&positions[i]), to_f64(&force));
            }
        });
        reactions.act_too();
    }
}

impl ForceTerm for ImplicitViscosity {
    /// Adds what viscosity does in the step that all else allows. Solids take their part.
    fn add(
        &mut self,
        world: &mut World,
        context: &mut StageContext<'_>,
        scheme: &dyn PressureScheme,
    ) {
        let (longest, _) = limits::stable_step(world, &scheme.bounds(world, &world.fluids));
        let dt = longest.min(LONGEST) as Real;
        let StageContext { near, pairs, reactions, .. } = context;
        let max_acceleration = limits::largest(&world.particles.acceleration);
        let max_force = limits::strongest_force(world);
        self.state = ImplicitState { max_acceleration, max_force, dt: f64::from(dt) };
        self.note_right_hand_side(world, near, pairs, (scheme.has_projection(), dt));
        self.solved = self.solve(world, near, pairs, dt);
        let p = &mut world.particles;
        let (solution, v_star) = (&self.solution, &self.v_star);
        parallel::fill(&mut p.acceleration, |i, acceleration| {
            if p.in_nozzle[i] == 0 {
                *acceleration += (solution[i] - v_star[i]) / dt;
            }
        });
        self.take_reactions(world, near, reactions);
    }

    fn max_step(&self) -> Option<(f64, Limit)> {
        Some((GROWTH * self.state.dt, Limit::Viscosity))
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

/// 2(D + 2) V \[m³\].
fn scale(world: &World, near: &Neighborhood) -> Real {
    2.0 * (Real::from(world.dimension.count()) + 2.0) * near.volume
}

/// The square of what a right-hand side or a residual is of a velocity \[m²/s²\].
fn to_rate(world: &World, i: usize, side: &Vec3) -> f64 {
    let rest_density = world.fluids[usize::from(world.particles.phase[i])].rest_density;
    f64::from((side / rest_density).norm_squared())
}

/// What solids that fluid sticks to do to a particle with this velocity \[N/m³\].
fn drag(world: &World, near: &Neighborhood, i: usize, velocity: Vec3) -> Vec3 {
    if near.boundary.fraction[i] <= 0.0 {
        return Vec3::zeros();
    }
    let viscosity = twice_viscosity(&world.fluids[usize::from(world.particles.phase[i])]);
    let no_slip_forces = near.boundary.no_slip_forces(i, velocity, &world.solids);
    no_slip_forces.map(|(_, drag)| drag * viscosity).fold(Vec3::zeros(), |sum, drag| sum + drag)
}

/// 2μᵢμⱼ/(μᵢ + μⱼ), over x² \[Pa s/m²\].
#[inline(always)]
fn between<V: F32x8>(own: V, other: V, square: V, softening: Real) -> V {
    let least = own.splat(Real::MIN_POSITIVE);
    own * other * 2.0 / (own + other + least) / (square + own.splat(softening))
}

/// Points carry μ. A v = ρ v − dt (what viscosity and solids do with v, those at rest).
struct Product<'a> {
    world: &'a World,
    near: &'a Neighborhood,
    pairs: &'a PairData,
    dt: Real,
    scale: Real,
}

impl PairSum<8, 3> for Product<'_> {
    type Out = Vec3;

    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; 3], own: &[V; 8], other: &[V; 8], slope: V) {
        let x = displacement(own, other);
        let softening = SOFTENING * self.world.support_radius * self.world.support_radius;
        let viscosity = between(own[3], other[3], dot(x, x), softening);
        let weight = viscosity * dot(relative_velocity(own, other), x) * slope;
        sums[0] += weight * x[0];
        sums[1] += weight * x[1];
        sums[2] += weight * x[2];
    }

    #[inline(always)]
    fn finish(&self, i: usize, sums: [Real; 3], out: &mut Vec3) {
        let [u, v, w, _] = self.pairs.vector(i);
        let velocity = Vec3::new(u, v, w);
        let rest_density =
            self.world.fluids[usize::from(self.world.particles.phase[i])].rest_density;
        let moved = drag(self.world, self.near, i, velocity);
        let rest = drag(self.world, self.near, i, Vec3::zeros());
        let force = Vec3::from(sums) * self.scale + (moved - rest);
        *out = velocity * rest_density - force * self.dt;
    }
}

/// The inverse of A's block of a particle.
struct DiagonalBlock<'a> {
    world: &'a World,
    near: &'a Neighborhood,
    dt: Real,
    scale: Real,
}

/// Σ μᵢⱼ s x xᵀ/x²: xx, xy, xz, yy, yz, zz.
impl PairSum<4, 6> for DiagonalBlock<'_> {
    type Out = Matrix3<Real>;

    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; 6], own: &[V; 4], other: &[V; 4], slope: V) {
        let [x, y, z] = displacement(own, other);
        let softening = SOFTENING * self.world.support_radius * self.world.support_radius;
        let square = dot([x, y, z], [x, y, z]);
        let weight = between(own[3], other[3], square, softening) * slope;
        let [a, b, c] = [weight * x, weight * y, weight * z];
        sums[0] += a * x;
        sums[1] += a * y;
        sums[2] += a * z;
        sums[3] += b * y;
        sums[4] += b * z;
        sums[5] += c * z;
    }

    #[inline(always)]
    fn finish(&self, i: usize, [xx, xy, xz, yy, yz, zz]: [Real; 6], out: &mut Matrix3<Real>) {
        let fluid = &self.world.fluids[usize::from(self.world.particles.phase[i])];
        let moment = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
        let rest = drag(self.world, self.near, i, Vec3::zeros());
        let along = [Vec3::x(), Vec3::y(), Vec3::z()]
            .map(|axis| drag(self.world, self.near, i, axis) - rest);
        let force = moment * self.scale + Matrix3::from_columns(&along);
        let block = Matrix3::identity() * fluid.rest_density - force * self.dt;
        *out = block.try_inverse().unwrap_or_else(|| Matrix3::identity() / fluid.rest_density);
    }
}
