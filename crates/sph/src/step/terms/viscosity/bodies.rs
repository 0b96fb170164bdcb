//! Free bodies in the implicit solution for viscosity: fluid that sticks to a body moves it, and
//! both have the velocities halfway of [`super::implicit`].
//!
//! With q the impulses that viscosity gives to bodies, T* their twists by all else, W their
//! mobility and F(v, T) the wrench of the fluid on them,
//!
//! - q = τ F(v, T* + W q),
//!
//! with T* = θ T̂ + (1 − θ) T₀ as u is of the particles: T̂ the twists by all else, T₀ those
//! without the first half kick of the step,
//!
//! beside the equations of the particles. F is the adjoint of what T does to the particles, so that
//! with the rows of bodies multiplied by W the matrix is symmetric and positive, and conjugate
//! gradients go over v and q together: their products are Σ V r·z + s·W z, s = τ F − q. The
//! preconditioner is (1 + τ K W)⁻¹ of each body by itself, K the drag of the fluid next to it.
//!
//! Symbols: v velocities, T twists, V volume of a particle \[m³\], K \[kg/s\].

use crate::step::bodies::contact::{Push, respond};
use crate::step::bodies::coupling::BodyCoupling;
use crate::step::bodies::motions::{BodyMotions, BodyResponse};
use crate::step::boundary::boundary_share::WallMotion;
use crate::step::boundary::reactions::Reactions;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::terms::viscosity::operator::ViscousOperator;
use crate::step::terms::viscosity::span::ViscousSpan;
use crate::step::terms::viscosity::stress::ViscousVelocities;
use crate::world::World;
use hashfall_bodies::{Twist, Wrench};
use hashfall_core::Vec3;
use nalgebra::Matrix6;

/// The bodies' part of the unknowns; without free bodies nothing.
#[derive(Debug, Default)]
pub struct ViscousBodies {
    /// T* + W q, and W times the direction; none without free bodies.
    motions: Option<[BodyMotions; 2]>,
    /// s \[N s\].
    residuals: Vec<Wrench>,
    /// The preconditioned residual, and W times that.
    z: Vec<Wrench>,
    w_z: Vec<Twist>,
    /// Where q goes, and what that does to s.
    directions: Vec<Wrench>,
    products: Vec<Wrench>,
    /// K.
    drags: Vec<Matrix6<f64>>,
    /// τ \[s\].
    tau: f64,
    /// V.
    volume: f64,
}

impl ViscousBodies {
    /// T*, and q = 0.
    pub fn predict(
        &mut self,
        world: &World,
        neighborhood: &Neighborhood,
        reactions: &Reactions,
        coupling: &mut BodyCoupling,
        span: ViscousSpan,
    ) {
        self.motions = None;
        if !BodyCoupling::is_needed(world) {
            return;
        }
        let before = coupling.twists_without_kick(world);
        let mut motions =
            coupling.motions_without_viscosity(world, reactions, f64::from(span.kick));
        if span.has_start() {
            let weight = f64::from(span.weight);
            for (twist, before) in motions.twists.iter_mut().zip(&before) {
                *twist = *twist * weight + *before * (1.0 - weight);
            }
        }
        let count = motions.twists.len();
        (self.tau, self.volume) = (f64::from(span.tau()), f64::from(neighborhood.volume));
        self.directions = vec![Wrench::default(); count];
        self.products.clone_from(&self.directions);
        self.z.clone_from(&self.directions);
        self.w_z = vec![Twist::default(); count];
        self.drags = vec![Matrix6::zeros(); count];
        let drags = respond(world.particles.len(), &motions, &|i, motions, each| {
            let (at, v) = (world.particles.position[i], Vec3::zeros());
            let fluid = &world.fluids[usize::from(world.particles.phase[i])];
            let viscosity = fluid.viscosity * fluid.rest_density;
            for wall in neighborhood.boundary.no_slip_walls(i, v, &world.solids) {
                let Some(body) = motions.body(wall.acting.surface) else { continue };
                let along = neighborhood.volume * 2.0 * viscosity * wall.slope / wall.distance;
                let (impulse, across, normal) = (Vec3::zeros(), 0.0, wall.normal);
                each(Push { body, at, impulse, across, along, normal });
            }
        });
        for BodyResponse { body, resistance, .. } in drags {
            self.drags[body as usize] += resistance;
        }
        let mut still = motions.clone();
        still.twists.fill(Twist::default());
        self.motions = Some([motions, still]);
    }

    /// T* + W q.
    pub fn motions(&self) -> Option<&BodyMotions> {
        self.motions.as_ref().map(|[motions, _]| motions)
    }

    /// W times the direction.
    pub fn direction(&self) -> Option<&BodyMotions> {
        self.motions.as_ref().map(|[_, direction]| direction)
    }

    /// s of the first velocities, to which the operator was applied.
    pub fn begin(
        &mut self,
        operator: &ViscousOperator,
        world: &World,
        neighborhood: &Neighborhood,
        velocities: &[Vec3],
        coupling: &mut BodyCoupling,
    ) {
        let Some(motions) = self.motions() else { return };
        let walls = WallMotion { is_still: false, bodies: Some(motions) };
        let field = ViscousVelocities { particles: velocities, walls };
        let forces = forces(operator, world, neighborhood, field, coupling);
        self.residuals.clear();
        self.residuals.extend(forces.iter().map(|force| *force * self.tau));
    }

    /// The square of s as rates of velocities \[m²/s²\], by what it does, and r·z of the bodies.
    pub fn precondition(&mut self, coupling: &BodyCoupling) -> [f64; 2] {
        if self.motions.is_none() {
            return [0.0; 2];
        }
        let blocks = self.drags.iter().zip(&self.residuals).enumerate();
        for ((body, (drag, residual)), z) in blocks.zip(&mut self.z) {
            let matrix = Matrix6::identity() + drag * coupling.block(body) * self.tau;
            let solution = matrix.lu().solve(&residual.to_vector());
            *z = solution.map_or(*residual, |column| Wrench::from_vector(&column));
        }
        coupling.answer(&self.z, &mut self.w_z);
        let mut answers = self.w_z.clone();
        coupling.answer(&self.residuals, &mut answers);
        let speed = |answer: &Twist| answer.velocity.norm_squared();
        let rz = self.residuals.iter().zip(&self.w_z).map(|(s, w_z)| s.power(w_z)).sum::<f64>();
        [answers.iter().map(speed).sum(), rz / self.volume]
    }

    /// The next direction.
    pub fn turn(&mut self, coupling: &BodyCoupling, beta: f64) {
        let Some([_, direction]) = &mut self.motions else { return };
        for (direction, z) in self.directions.iter_mut().zip(&self.z) {
            *direction = *z + *direction * beta;
        }
        coupling.answer(&self.directions, &mut direction.twists);
    }

    /// What the direction does to s, after the operator was applied to that of the particles;
    /// returns its product with the direction.
    pub fn multiply(
        &mut self,
        operator: &ViscousOperator,
        world: &World,
        neighborhood: &Neighborhood,
        velocities: &[Vec3],
        coupling: &mut BodyCoupling,
    ) -> f64 {
        let Some([_, direction]) = &self.motions else { return 0.0 };
        let walls = WallMotion { is_still: true, bodies: Some(direction) };
        let field = ViscousVelocities { particles: velocities, walls };
        let forces = forces(operator, world, neighborhood, field, coupling);
        let all = self.products.iter_mut().zip(&self.directions).zip(&forces);
        all.for_each(|((product, q), force)| *product = *q - *force * self.tau);
        let twists = direction.twists.iter().zip(&self.products);
        twists.map(|(twist, product)| product.power(twist)).sum::<f64>() / self.volume
    }

    /// A step along the direction.
    pub fn advance(&mut self, alpha: f64) {
        let Some([motions, direction]) = &mut self.motions else { return };
        let twists = motions.twists.iter_mut().zip(&direction.twists);
        twists.for_each(|(twist, direction)| *twist += *direction * alpha);
        let residuals = self.residuals.iter_mut().zip(&self.products);
        residuals.for_each(|(residual, product)| *residual -= *product * alpha);
    }
}

/// F.
fn forces(
    operator: &ViscousOperator,
    world: &World,
    neighborhood: &Neighborhood,
    velocities: ViscousVelocities<'_>,
    coupling: &mut BodyCoupling,
) -> Vec<Wrench> {
    operator.add_reactions(world, neighborhood, velocities, coupling.known());
    coupling.known().act();
    coupling.known_wrenches(world)
}
