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

use crate::step::boundary::boundary_share::WallMotion;
use crate::step::boundary::reactions::Reactions;
use crate::step::pairs::moment::Moment;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::{Block, PairData};
use crate::step::pairs::rates::{add_rates, cyclic_rows, matrix_rows, rates_times};
use crate::step::pairs::row_sum::{self, RowSum, dot};
use crate::step::terms::viscosity::fit::{Fits, LinearFit};
use crate::step::terms::viscosity::shares::{PairViscosity, SOFTENING, central_scale};
use crate::step::terms::viscosity::stress::{
    ViscousVelocities, WallForce, Walls, viscosity, wall_force,
};
use crate::world::{Fluid, World};
use hashfall_core::parallel::{self, CHUNK, chunks_mut, for_parts};
use hashfall_core::simd::{F32x8, Isa};
use hashfall_core::{Real, Vec3};
use nalgebra::Matrix3;

/// The operator at the present positions; keeps its buffers between steps.
#[derive(Debug)]
pub struct ViscousOperator {
    isa: Isa,
    fits: Vec<LinearFit>,
    first_sums: Vec<FirstSums>,
    /// The rows of S of particles and ghosts, as [`rates_times`] takes them \[Pa\].
    stresses: [Vec<Block>; 3],
    is_mixed: bool,
}

/// What the first pass finds for a particle.
#[derive(Clone, Copy, Debug, Default)]
struct FirstSums {
    /// All forces but those by S \[N/m³\].
    force: Vec3,
    /// S = θμ (2β E L − G) \[Pa\].
    stress: Matrix3<Real>,
}

impl ViscousOperator {
    /// An operator that computes with this instruction set.
    pub fn new(isa: Isa) -> Self {
        ViscousOperator {
            isa,
            fits: Vec::new(),
            first_sums: Vec::new(),
            stresses: Default::default(),
            is_mixed: false,
        }
    }

    /// Takes the surroundings of all particles; finds their stiffness, too, if
    /// that is asked for.
    pub fn update(
        &mut self,
        world: &World,
        neighborhood: &Neighborhood,
        pairs: &mut PairData,
        has_stiffness: bool,
    ) {
        let n = world.particles.len();
        self.fits.resize(n, LinearFit::default());
        self.first_sums.resize(n, FirstSums::default());
        pairs.set_scalars(|i| viscosity(world, i));
        self.is_mixed = !has_one_viscosity(world);
        match (self.is_mixed, has_stiffness) {
            (false, false) => self.fit::<false, false>(world, neighborhood, pairs),
            (false, true) => self.fit::<false, true>(world, neighborhood, pairs),
            (true, false) => self.fit::<true, false>(world, neighborhood, pairs),
            (true, true) => self.fit::<true, true>(world, neighborhood, pairs),
        }
    }

    fn fit<const MIXED: bool, const STIFF: bool>(
        &mut self,
        world: &World,
        neighborhood: &Neighborhood,
        pairs: &PairData,
    ) {
        let sum = Fits::<MIXED, STIFF> { world, neighborhood };
        let [points, ..] = pairs.blocks();
        row_sum::for_all(self.isa, &neighborhood.lists, [points], &sum, &mut self.fits);
    }

    /// The forces of these velocities \[N/m³\].
    pub fn apply(
        &mut self,
        world: &World,
        neighborhood: &Neighborhood,
        pairs: &mut PairData,
        velocities: ViscousVelocities<'_>,
        forces: &mut [Vec3],
    ) {
        let fits = &self.fits;
        pairs.set_scalars(|i| viscosity(world, i));
        pairs.set_vectors(|i| {
            let [u, v, w]: [Real; 3] = velocities.particles[i].into();
            [u, v, w, fits[i].weight]
        });
        if self.is_mixed {
            self.passes::<true>(world, neighborhood, pairs, velocities, forces);
        } else {
            self.passes::<false>(world, neighborhood, pairs, velocities, forces);
        }
    }

    /// The forces of the present velocities of one fluid, whose `moments` are those of them
    /// \[N/m³\]: one pass over the pairs, as these tell the fits.
    pub fn apply_by_moments(
        &mut self,
        world: &World,
        neighborhood: &Neighborhood,
        pairs: &mut PairData,
        moments: &[Moment],
        forces: &mut [Vec3],
    ) {
        let n = moments.len();
        self.fits.resize(n, LinearFit::default());
        self.first_sums.resize(n, FirstSums::default());
        let velocity = &world.particles.velocity;
        let velocities = ViscousVelocities { particles: velocity, walls: WallMotion::OF_SOLIDS };
        let walls = Walls { world, neighborhood, velocities };
        parallel::fill_both(&mut self.fits, &mut self.first_sums, |i, fit, sums| {
            *fit = LinearFit::new(world, neighborhood, i, &moments[i].spread.into());
            let (stress, force) = walls.stress(i, fit, moments[i].rates);
            *sums = FirstSums { force, stress };
        });
        self.set_stresses(pairs);
        let fits = &self.fits;
        pairs.set_vectors(|i| {
            let v = &velocity[i];
            [v.x, v.y, v.z, fits[i].weight * viscosity(world, i)]
        });
        let viscosity = if n > 0 { viscosity(world, 0) } else { 0.0 };
        let first_sums = &self.first_sums;
        let sum = OnePass { world, viscosity, neighborhood, first_sums };
        let ([points, vectors, _], [p, q, r]) = (pairs.blocks(), &self.stresses);
        row_sum::for_all(self.isa, &neighborhood.lists, [points, vectors, p, q, r], &sum, forces);
    }

    /// Writes the rows of S.
    fn set_stresses(&mut self, pairs: &PairData) {
        let (first_sums, n) = (&self.first_sums, self.first_sums.len());
        self.stresses.iter_mut().for_each(|it| it.resize(pairs.row_count(), Block::default()));
        let rows = self.stresses.each_mut().map(|rows| chunks_mut(&mut rows[..n], CHUNK));
        let [firsts, seconds, thirds] = rows;
        for_parts((firsts, seconds, thirds), |chunk, (firsts, seconds, thirds)| {
            let rows = firsts.iter_mut().zip(seconds).zip(thirds);
            for (sums, ((first, second), third)) in first_sums[chunk * CHUNK..].iter().zip(rows) {
                [*first, *second, *third] = cyclic_rows(&sums.stress);
            }
        });
        self.stresses.iter_mut().for_each(|rows| pairs.copy_to_ghosts(rows));
    }

    /// Both passes over the pairs.
    fn passes<const MIXED: bool>(
        &mut self,
        world: &World,
        neighborhood: &Neighborhood,
        pairs: &PairData,
        velocities: ViscousVelocities<'_>,
        forces: &mut [Vec3],
    ) {
        let (isa, lists) = (self.isa, &neighborhood.lists);
        let ViscousOperator { fits, first_sums, .. } = self;
        let walls = Walls { world, neighborhood, velocities };
        let first = FirstPass::<MIXED> { walls, fits };
        let [points, vectors, _] = pairs.blocks();
        row_sum::for_all(isa, lists, [points, vectors], &first, first_sums);
        self.set_stresses(pairs);
        let ViscousOperator { first_sums, stresses, .. } = self;
        let second = SecondPass::<MIXED> { neighborhood, first_sums };
        let [p, q, r] = stresses;
        row_sum::for_all(isa, lists, [points, p, q, r], &second, forces);
    }

    /// About the operator's block of a particle, if it was asked for \[Pa s/m²\].
    pub fn stiffness(&self, i: usize) -> &Matrix3<Real> {
        &self.fits[i].stiffness
    }

    /// Adds what solids do to the particles at these velocities \[m/s\], to which the operator was
    /// applied last, to their accounts.
    pub fn add_reactions(
        &self,
        whole: &World,
        neighborhood: &Neighborhood,
        velocities: ViscousVelocities<'_>,
        reactions: &mut Reactions,
    ) {
        let volume = whole.particle_volume();
        let mut items = vec![(); whole.particles.len()];
        reactions.fill(&mut items, |i, (), account| {
            if neighborhood.boundary.fraction[i] <= 0.0 {
                return;
            }
            let (fit, stress, viscosity) =
                (&self.fits[i], &self.first_sums[i].stress, viscosity(whole, i));
            let x = whole.particles.position[i];
            let (v, solids) = (velocities.particles[i], &whole.solids);
            for wall in neighborhood.boundary.no_slip_walls_with(i, x, v, solids, velocities.walls)
            {
                let foot = x - wall.normal * wall.distance;
                let WallForce { at_foot, at_particle } = wall_force(&wall, fit, stress, viscosity);
                account.add(wall.acting, foot, at_foot * volume);
                account.add(wall.acting, x, at_particle * volume);
            }
        });
    }
}

/// Whether μ is that of all fluids.
pub fn has_one_viscosity(world: &World) -> bool {
    let dynamic = |fluid: &Fluid| fluid.viscosity * fluid.rest_density;
    let first = world.fluids.first().map_or(0.0, dynamic);
    world.fluids.iter().all(|fluid| dynamic(fluid) == first)
}

/// Forces by the velocities, of pairs with this part of them along x that no fit has.
#[inline(always)]
fn central_force<V: F32x8>(world: &World, sum: &mut V, left: V, [u, x]: [V; 2], slope: V) {
    let none = slope.splat(0.0);
    // Inside a fluid nothing is left.
    if left.mask_above(none) == 0 {
        return;
    }
    let softening = SOFTENING * world.support_radius * world.support_radius;
    let central = left.max(none) * central_scale(world.dimension);
    *sum += central * dot(u, x) / (dot(x, x) + slope.splat(softening)) * slope * x;
}

/// Fits the velocities, and sums all forces but those by S. Points carry μ, vectors the velocity
/// and θ.
struct FirstPass<'a, const MIXED: bool> {
    walls: Walls<'a>,
    fits: &'a [LinearFit],
}

/// Rows of the force, then of s vᵢⱼ xᵢⱼᵀ.
impl<const MIXED: bool> RowSum<2, 4> for FirstPass<'_, MIXED> {
    type Out = FirstSums;

    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; 4], particle: &[V; 2], other: &[V; 2], slope: V) {
        let (x, u) = (particle[0] - other[0], particle[1] - other[1]);
        let [particle_viscosity, other_viscosity] = [particle[0], other[0]].map(V::splat_fourth);
        let between = PairViscosity::new::<MIXED>(particle_viscosity, other_viscosity);
        let lateral = if MIXED {
            add_rates(&mut sums[1..], u, x, slope * between.share);
            particle[1].splat_fourth() * particle_viscosity * between.share
                + other[1].splat_fourth() * other_viscosity * between.reverse_share
        } else {
            add_rates(&mut sums[1..], u, x, slope);
            (particle[1] + other[1]).splat_fourth() * particle_viscosity
        };
        sums[0] += lateral * slope * u;
        let left = between.viscosity - lateral * 0.5;
        central_force(self.walls.world, &mut sums[0], left, [u, x], slope);
    }

    #[inline(always)]
    fn finish(&self, i: usize, sums: [[Real; 4]; 4], out: &mut FirstSums) {
        let (fit, volume) = (&self.fits[i], self.walls.neighborhood.volume);
        let [[x, y, z, _], rates @ ..] = sums;
        let mut moment = Matrix3::from_rows(&matrix_rows(&rates).map(|row| row.transpose()));
        moment *= -volume;
        let (stress, of_walls) = self.walls.stress(i, fit, moment);
        let force = Vec3::new(x, y, z) * volume + of_walls;
        *out = FirstSums { force, stress };
    }
}

/// Adds the forces by S. Points carry μ, behind them stand the rows of S.
struct SecondPass<'a, const MIXED: bool> {
    neighborhood: &'a Neighborhood,
    first_sums: &'a [FirstSums],
}

impl<const MIXED: bool> RowSum<4, 1> for SecondPass<'_, MIXED> {
    type Out = Vec3;

    #[inline(always)]
    fn add<V: F32x8>(&self, [sum]: &mut [V; 1], particle: &[V; 4], other: &[V; 4], slope: V) {
        let x = particle[0] - other[0];
        if MIXED {
            let of = |rows: &[V; 4]| rates_times([rows[1], rows[2], rows[3]], x);
            let [viscosity, of_other] = [particle[0], other[0]].map(V::splat_fourth);
            let between = PairViscosity::new::<true>(viscosity, of_other);
            *sum += slope * (of(particle) * between.share + of(other) * between.reverse_share);
        } else {
            let both = [particle[1] + other[1], particle[2] + other[2], particle[3] + other[3]];
            *sum += slope * rates_times(both, x);
        }
    }

    #[inline(always)]
    fn finish(&self, i: usize, [[x, y, z, _]]: [[Real; 4]; 1], out: &mut Vec3) {
        *out = self.first_sums[i].force + Vec3::new(x, y, z) * self.neighborhood.volume;
    }
}

/// The forces of one fluid, where fits and S are known. Points are places, vectors the velocity and
/// θμ; behind them stand the rows of S.
struct OnePass<'a> {
    world: &'a World,
    /// μ \[Pa s\].
    viscosity: Real,
    neighborhood: &'a Neighborhood,
    first_sums: &'a [FirstSums],
}

impl RowSum<5, 1> for OnePass<'_> {
    type Out = Vec3;

    #[inline(always)]
    fn add<V: F32x8>(&self, [sum]: &mut [V; 1], particle: &[V; 5], other: &[V; 5], slope: V) {
        let (x, u) = (particle[0] - other[0], particle[1] - other[1]);
        let both = [particle[2] + other[2], particle[3] + other[3], particle[4] + other[4]];
        let lateral = (particle[1] + other[1]).splat_fourth();
        *sum += slope * (lateral * u + rates_times(both, x));
        let left = slope.splat(self.viscosity) - lateral * 0.5;
        central_force(self.world, sum, left, [u, x], slope);
    }

    #[inline(always)]
    fn finish(&self, i: usize, [[x, y, z, _]]: [[Real; 4]; 1], out: &mut Vec3) {
        *out = self.first_sums[i].force + Vec3::new(x, y, z) * self.neighborhood.volume;
    }
}

#[cfg(test)]
mod tests;
