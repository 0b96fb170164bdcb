//! The viscous forces of a velocity field: those of a Newtonian stress, without force on fluid that
//! turns as a whole, alone or with the solids that it sticks to.
//!
//! They are the slope of half the dissipated power, f = −V⁻¹ ∂Φ/∂v with Φ = V Σᵢ Φᵢ and
//!
//! - Φᵢ = θᵢ μᵢ [βᵢ|Eᵢ|² + ½ Σⱼ V|sᵢⱼ| |vᵢⱼ − Gᵢ xᵢⱼ|² + ½ Σ_w m_w |a_w − Gᵢ n|²]
//!   + (1 − θᵢ) ½ (D + 2) μᵢ Σⱼ V|sᵢⱼ| (vᵢⱼ·xᵢⱼ)²/xᵢⱼ² + μᵢ Σ_w (|∇λ_w|/d − θᵢ m_w/2d²) |u_w|²
//!
//! G is the linear fit of the velocities around the particle ([`super::fit`]), E its symmetric
//! part, and u_w the velocity along a wall against the wall's rigid motion at the particle. The
//! first line is the power of the strain, and what velocities are off a linear field. As G is the
//! fit of least squares, Σ V|s| |vᵢⱼ − G xᵢⱼ|² = Σ V|s| |vᵢⱼ|² − tr(G B Gᵀ): inside, where B is the
//! identity, it is the viscosity of Morris, Fox & Zhu (1997) and μ(|E|² − |Ω|²), whose forces
//! vanish where the flow is free of divergence; at a free surface it is free of stress, at a wall
//! Morris' drag. The second line, where there is no fit, is the form of Monaghan (2005) that
//! Weiler, Koschier, Brand & Bender (2018) solve.
//!
//! All terms are squares, so the operator is symmetric and positive; they see velocities that
//! alternate from particle to particle; and each is zero in rigid motion, so that momentum and
//! angular momentum are kept. Shear along a lattice has the viscosity ν to rounding, and next to a
//! wall the linear profile is in equilibrium.
//!
//! What was tried: the central form alone has 0.75 ν on sheared lattices (cubic spline, h = 2d).
//! Morris' alone brakes what turns, by ∇v·n = 0 at free surfaces; blended with the central form it
//! brakes as much, in the blend. |E|² alone does not see alternating velocities. Without walls in
//! the fit they act twice, with the closed form of their moment, λ + d|∇λ|, films are 1–3 % slow.
//!
//! Between fluids μᵢⱼ = 2μᵢμⱼ/(μᵢ + μⱼ), by which the shear stress is the same on both sides.
//! Either particle takes θ min(μ, μᵢⱼ)/2 of it as in the first line, and what is left acts
//! centrally.
//!
//! Symbols: μ = ρ₀ν dynamic viscosity \[Pa s\], V volume \[m³\], sᵢⱼ = W′(r)/r \[1/m⁵\], D
//! dimensions, λ the solids' part \[–\], d distance of a solid \[m\], n its normal.

use crate::step::boundary::boundary_share::NoSlipWall;
use crate::step::boundary::reactions::Reactions;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::PairData;
use crate::step::pairs::pair_sum::{self, PairSum, displacement, dot, relative_velocity};
use crate::step::terms::viscosity::fit::{Fits, LinearFit, capacity};
use crate::step::terms::viscosity::shares::{SOFTENING, central_scale, counted_share, harmonic};
use crate::world::{Fluid, World};
use hashfall_core::simd::{F32x8, Isa};
use hashfall_core::{Real, Vec3, to_f64};
use nalgebra::Matrix3;

/// Whether walls have their velocities: without, the operator is linear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walls {
    /// As they move.
    Moving,
    /// As if at rest.
    Still,
}

/// The operator at the present positions; keeps its buffers between steps.
#[derive(Debug)]
pub struct ViscousOperator {
    isa: Isa,
    fits: Vec<LinearFit>,
    halves: Vec<Half>,
    is_mixed: bool,
}

/// What the first pass finds for a particle.
#[derive(Clone, Copy, Debug, Default)]
struct Half {
    /// All forces but those by S \[N/m³\].
    force: Vec3,
    /// S = θμ (2β E L − G) \[Pa\].
    stress: Matrix3<Real>,
}

/// The force of a wall on a particle \[N/m³\], by where it acts on the wall.
#[derive(Clone, Copy, Debug)]
struct WallForce {
    at_foot: Vec3,
    at_particle: Vec3,
}

impl ViscousOperator {
    /// An operator that computes with this instruction set.
    pub fn new(isa: Isa) -> Self {
        ViscousOperator { isa, fits: Vec::new(), halves: Vec::new(), is_mixed: false }
    }

    /// Takes the surroundings of all particles; finds their stiffness, too, if
    /// that is asked for.
    pub fn update(
        &mut self,
        world: &World,
        near: &Neighborhood,
        pairs: &mut PairData,
        has_stiffness: bool,
    ) {
        let n = world.particles.len();
        self.fits.resize(n, LinearFit::default());
        self.halves.resize(n, Half::default());
        pairs.set_scalars(|i| viscosity(world, i));
        let dynamic = |fluid: &Fluid| fluid.viscosity * fluid.rest_density;
        let first = world.fluids.first().map_or(0.0, dynamic);
        self.is_mixed = world.fluids.iter().any(|fluid| dynamic(fluid) != first);
        match (self.is_mixed, has_stiffness) {
            (false, false) => self.fit::<false, false>(world, near, pairs),
            (false, true) => self.fit::<false, true>(world, near, pairs),
            (true, false) => self.fit::<true, false>(world, near, pairs),
            (true, true) => self.fit::<true, true>(world, near, pairs),
        }
    }

    fn fit<const MIXED: bool, const STIFF: bool>(
        &mut self,
        world: &World,
        near: &Neighborhood,
        pairs: &PairData,
    ) {
        let sum = Fits::<MIXED, STIFF> { world, near };
        pair_sum::for_all(self.isa, &near.lists, pairs, &sum, &mut self.fits);
    }

    /// The forces of these velocities \[N/m³\].
    pub fn apply(
        &mut self,
        (world, near): (&World, &Neighborhood),
        pairs: &mut PairData,
        velocities: &[Vec3],
        walls: Walls,
        forces: &mut [Vec3],
    ) {
        let (isa, fits) = (self.isa, &self.fits);
        pairs.set_scalars(|i| viscosity(world, i));
        pairs.set_vectors(|i| {
            let [u, v, w]: [Real; 3] = velocities[i].into();
            [u, v, w, fits[i].weight]
        });
        if self.is_mixed {
            let first = FirstPass::<true> { world, near, fits, velocities, walls };
            pair_sum::for_all(isa, &near.lists, pairs, &first, &mut self.halves);
            return self.add_mixed(near, pairs, forces);
        }
        let first = FirstPass::<false> { world, near, fits, velocities, walls };
        pair_sum::for_all(isa, &near.lists, pairs, &first, &mut self.halves);
        let halves = &self.halves;
        let stress = |i: usize| halves[i].stress.as_slice();
        pairs.set_scalars(|i| stress(i)[0]);
        pairs.set_vectors(|i| [1, 2, 3, 4].map(|k| stress(i)[k]));
        pairs.set_extras(|i| [5, 6, 7, 8].map(|k| stress(i)[k]));
        let second = SecondPass { near, halves };
        pair_sum::for_all(isa, &near.lists, pairs, &second, forces);
    }

    /// The forces where viscosities differ: points still carry μ, so that a row of S goes at a
    /// time.
    fn add_mixed(&self, near: &Neighborhood, pairs: &mut PairData, forces: &mut [Vec3]) {
        let (isa, halves) = (self.isa, &self.halves);
        for row in 0..3 {
            pairs.set_vectors(|i| {
                let [x, y, z] = [0, 1, 2].map(|column| halves[i].stress[(row, column)]);
                [x, y, z, 0.0]
            });
            let pass = RowPass { near, halves, row };
            pair_sum::for_all(isa, &near.lists, pairs, &pass, forces);
        }
    }

    /// About the operator's block of a particle, if it was asked for \[Pa s/m²\].
    pub fn stiffness(&self, i: usize) -> &Matrix3<Real> {
        &self.fits[i].stiffness
    }

    /// Adds what solids do to the particles at these velocities \[m/s\], to which the operator was
    /// applied last, to their accounts.
    pub fn take_reactions(
        &self,
        world: &mut World,
        near: &Neighborhood,
        velocities: &[Vec3],
        reactions: &mut Reactions,
    ) {
        let volume = world.particle_volume();
        let mut accelerations = std::mem::take(&mut world.particles.acceleration);
        let whole = &*world;
        reactions.fill(&mut accelerations, |i, _, account| {
            if near.boundary.fraction[i] <= 0.0 {
                return;
            }
            let (fit, stress, viscosity) =
                (&self.fits[i], &self.halves[i].stress, viscosity(whole, i));
            let x = whole.particles.position[i];
            for wall in near.boundary.no_slip_walls(i, velocities[i], &whole.solids) {
                let foot = x - wall.normal * wall.distance;
                let WallForce { at_foot, at_particle } = wall_force(&wall, fit, stress, viscosity);
                account.add(wall.giver, to_f64(&foot), to_f64(&(at_foot * volume)));
                account.add(wall.giver, to_f64(&x), to_f64(&(at_particle * volume)));
            }
        });
        world.particles.acceleration = accelerations;
        reactions.act_too();
    }
}

/// μ \[Pa s\].
fn viscosity(world: &World, i: usize) -> Real {
    let fluid = &world.fluids[usize::from(world.particles.phase[i])];
    fluid.viscosity * fluid.rest_density
}

/// The force of a wall by what a particle slides along it, and by S.
fn wall_force(
    wall: &NoSlipWall,
    fit: &LinearFit,
    stress: &Matrix3<Real>,
    viscosity: Real,
) -> WallForce {
    let filled = fit.weight * fit.wall_fill;
    let own = wall.slip_at_foot * (fit.weight * viscosity / wall.distance);
    let traction = wall.along(stress * wall.normal) + own;
    let drag = 2.0 * viscosity * wall.slope / wall.distance * (1.0 - filled);
    WallForce {
        at_foot: traction * (-2.0 * wall.slope * fit.wall_fill),
        at_particle: wall.slip_at_particle * -drag,
    }
}

/// Fits the velocities, and sums all forces but those by S. Points carry μ, vectors the velocity
/// and θ.
struct FirstPass<'a, const MIXED: bool> {
    world: &'a World,
    near: &'a Neighborhood,
    fits: &'a [LinearFit],
    velocities: &'a [Vec3],
    walls: Walls,
}

impl<const MIXED: bool> FirstPass<'_, MIXED> {
    /// The walls near a particle.
    fn walls(&self, i: usize) -> impl Iterator<Item = NoSlipWall> {
        let (velocity, walls) = (self.velocities[i], self.walls);
        let moving = self.near.boundary.no_slip_walls(i, velocity, &self.world.solids);
        moving.map(move |wall| match walls {
            Walls::Moving => wall,
            Walls::Still => {
                let slip = wall.along(velocity);
                NoSlipWall { slip_at_foot: slip, slip_at_particle: slip, ..wall }
            }
        })
    }
}

/// Force: x, y, z; then s vᵢⱼ xᵢⱼᵀ by rows.
impl<const MIXED: bool> PairSum<8, 12> for FirstPass<'_, MIXED> {
    type Out = Half;

    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; 12], own: &[V; 8], other: &[V; 8], slope: V) {
        let (x, u) = (displacement(own, other), relative_velocity(own, other));
        let softening = SOFTENING * self.world.support_radius * self.world.support_radius;
        let (mut counted, mut lateral) = (slope, own[7] * own[3] + other[7] * other[3]);
        if MIXED {
            let share = counted_share(own[3], other[3]);
            counted = slope * share;
            lateral =
                own[7] * own[3] * share + other[7] * other[3] * counted_share(other[3], own[3]);
        }
        let left = harmonic(own[3], other[3]) - lateral * 0.5;
        let central = left.max(left.splat(0.0)) * central_scale(self.world.dimension);
        let square = dot(x, x) + lateral.splat(softening);
        let (along, across) = (central * dot(u, x) / square * slope, lateral * slope);
        let weighted = [counted * u[0], counted * u[1], counted * u[2]];
        for a in 0..3 {
            sums[a] += along * x[a] + across * u[a];
            for b in 0..3 {
                sums[3 + 3 * a + b] += weighted[a] * x[b];
            }
        }
    }

    #[inline(always)]
    fn finish(&self, i: usize, sums: [Real; 12], out: &mut Half) {
        let (fit, volume) = (&self.fits[i], self.near.volume);
        let viscosity = viscosity(self.world, i);
        let [x, y, z, products @ ..] = sums;
        let mut force = Vec3::new(x, y, z) * volume;
        let mut stress = Matrix3::zeros();
        let is_near = self.near.boundary.fraction[i] > 0.0;
        if fit.weight > 0.0 {
            let mut moment = Matrix3::from_row_slice(&products) * -volume;
            if is_near {
                for wall in self.walls(i) {
                    let filled = fit.wall_fill * capacity(&wall) / wall.distance;
                    moment += wall.slip_at_foot * wall.normal.transpose() * filled;
                }
            }
            let gradient = moment * fit.inverse;
            let twice_strain = gradient + gradient.transpose();
            stress = twice_strain * fit.inverse * fit.strain_share - gradient;
            stress *= fit.weight * viscosity;
        }
        if is_near {
            for wall in self.walls(i) {
                let WallForce { at_foot, at_particle } = wall_force(&wall, fit, &stress, viscosity);
                force += at_foot + at_particle;
            }
        }
        *out = Half { force, stress };
    }
}

/// Adds the forces by S. Points carry the first of its numbers, vectors and extras the others, by
/// columns.
struct SecondPass<'a> {
    near: &'a Neighborhood,
    halves: &'a [Half],
}

impl PairSum<12, 3> for SecondPass<'_> {
    type Out = Vec3;

    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; 3], own: &[V; 12], other: &[V; 12], slope: V) {
        let [x, y, z] = displacement(own, other);
        for (a, sum) in sums.iter_mut().enumerate() {
            let [p, q, r] = [3 + a, 6 + a, 9 + a].map(|k| own[k] + other[k]);
            *sum += (p * x + q * y + r * z) * slope;
        }
    }

    #[inline(always)]
    fn finish(&self, i: usize, sums: [Real; 3], out: &mut Vec3) {
        *out = self.halves[i].force + Vec3::from(sums) * self.near.volume;
    }
}

/// Adds the forces by a row of S. Points carry μ, vectors the row.
struct RowPass<'a> {
    near: &'a Neighborhood,
    halves: &'a [Half],
    row: usize,
}

impl PairSum<8, 1> for RowPass<'_> {
    type Out = Vec3;

    #[inline(always)]
    fn add<V: F32x8>(&self, [sum]: &mut [V; 1], own: &[V; 8], other: &[V; 8], slope: V) {
        let x = displacement(own, other);
        let by_own = dot([own[4], own[5], own[6]], x) * counted_share(own[3], other[3]);
        let by_other = dot([other[4], other[5], other[6]], x) * counted_share(other[3], own[3]);
        *sum += (by_own + by_other) * slope;
    }

    #[inline(always)]
    fn finish(&self, i: usize, [sum]: [Real; 1], out: &mut Vec3) {
        out[self.row] = self.halves[i].force[self.row] + sum * self.near.volume;
    }
}

#[cfg(test)]
mod tests;
