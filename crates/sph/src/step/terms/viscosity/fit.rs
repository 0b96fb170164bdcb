//! The linear velocity field around each particle, by least squares.
//!
//! Gᵢ minimises Σⱼ V|sᵢⱼ| |vᵢⱼ − G xᵢⱼ|² + Σ_w m_w |aᵢw − G n|² over the neighbours and the walls w
//! that fluid sticks to: G = H L, with
//!
//! - B = Σⱼ V|s| x xᵀ + Σ_w m_w n nᵀ, L = B⁻¹: the identity inside a fluid, as that of kernel
//!   gradient correction (Bonet & Lok 1999);
//! - H = Σⱼ V|s| vᵢⱼ xᵀ + Σ_w m_w a_w nᵀ, with a_w the velocity along the wall, against that of its
//!   foot point, over the distance.
//!
//! A wall fills up what neighbours leave of the moment along its normal: m_w = φ 2d|∇λ_w|, φ ≤ 1
//! so that nᵀBn is 1 if it can be. It cannot with wide kernels. Then the strain counts β = nᵀBn of
//! its energy, or the layer at a wall would be stiffer than the fluid.
//!
//! Neighbours of another fluid count cᵢⱼ = min(1, μᵢⱼ/μᵢ): what is far thinner tells nothing of the
//! strain, as air does not of that of honey.
//!
//! Where neighbours stand in a line, in a plane, or are few, there is no such field. The part θ of
//! a particle that has one falls from 1 to 0 as the harmonic mean of the eigenvalues of B does.
//!
//! Symbols: see [`super::operator`].

use crate::step::boundary::boundary_share::NoSlipWall;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::row_sum::{RowSum, dot};
use crate::step::pairs::smooth_step::smooth_step;
use crate::step::terms::viscosity::shares::{PairViscosity, SOFTENING, central_scale};
use crate::world::World;
use hashfall_core::simd::F32x8;
use hashfall_core::{Dimension, Real, Vec3};
use nalgebra::Matrix3;

/// Harmonic means of the eigenvalues of B between which θ goes from 0 to 1 \[–\].
const FIT_RANGE: [Real; 2] = [0.2, 0.5];

/// Determinants of B up to this are taken for zero: with eigenvalues of a harmonic mean above the
/// lower end of [`FIT_RANGE`] it is at least 3e-4, and rounding leaves that of neighbours in a line
/// small eigenvalues of either sign, whose inverses may cancel in the trace.
const MIN_DETERMINANT: Real = 1e-4;

/// What the fit around a particle needs.
#[derive(Clone, Copy, Debug, Default)]
pub struct LinearFit {
    /// L \[–\].
    pub inverse: Matrix3<Real>,
    /// θ \[–\].
    pub weight: Real,
    /// β \[–\].
    pub strain_share: Real,
    /// φ \[–\].
    pub wall_fill: Real,
    /// About the operator's block of the particle \[Pa s/m²\].
    pub stiffness: Matrix3<Real>,
}

impl LinearFit {
    /// That of a particle, with B of the fluid alone; without its stiffness.
    pub fn new(
        world: &World,
        neighborhood: &Neighborhood,
        i: usize,
        moment: &Matrix3<Real>,
    ) -> Self {
        let stiffness = Matrix3::zeros();
        let is_near_solid = neighborhood.boundary.fraction[i] > 0.0;
        let (mut filled, mut wall_fill, mut missing) = (*moment, 0.0, 0.0);
        if is_near_solid {
            let walls = || neighborhood.boundary.no_slip_walls(i, Vec3::zeros(), &world.solids);
            let moments = walls().map(|wall| outer(&wall) * capacity(&wall));
            let wall_moment = moments.fold(Matrix3::zeros(), |sum, moment| sum + moment);
            wall_fill = fill(moment, &wall_moment, walls());
            filled += wall_moment * wall_fill;
            let lacks = |wall: NoSlipWall| 1.0 - wall.normal.dot(&(filled * wall.normal));
            missing =
                walls().map(lacks).fold(0.0, Real::max).min(neighborhood.boundary.fraction[i]);
        }
        let (inverse, mean) = invert(filled, world.dimension);
        let [low, high] = FIT_RANGE;
        let weight = smooth_step((mean - low) / (high - low), [0.0, 1.0]);
        LinearFit { inverse, weight, strain_share: 1.0 - missing, wall_fill, stiffness }
    }
}

/// Fits of all particles, of several viscosities if `MIXED`, with their stiffness if `STIFF`.
/// Points carry μ.
pub struct Fits<'a, const MIXED: bool, const STIFF: bool> {
    /// The particles.
    pub world: &'a World,
    /// Their surroundings.
    pub neighborhood: &'a Neighborhood,
}

/// Rows of c s x xᵀ (xx, yy, zz; xy, yz, xz), of s μᵢⱼ x xᵀ/x², and s μᵢⱼ.
impl<const MIXED: bool, const STIFF: bool> RowSum<1, 5> for Fits<'_, MIXED, STIFF> {
    type Out = LinearFit;

    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; 5], [particle]: &[V; 1], [other]: &[V; 1], slope: V) {
        let between = PairViscosity::new::<MIXED>(particle.splat_fourth(), other.splat_fourth());
        let x = *particle - *other;
        let gradient = slope * x;
        let moments = [gradient * x, gradient * x.rotate_left()];
        for (sum, moment) in sums.iter_mut().zip(moments) {
            *sum += if MIXED { moment * between.share } else { moment };
        }
        if STIFF {
            let softening = SOFTENING * self.world.support_radius * self.world.support_radius;
            let viscous = between.viscosity / (dot(x, x) + slope.splat(softening));
            sums[2] += moments[0] * viscous;
            sums[3] += moments[1] * viscous;
            sums[4] += slope * between.viscosity;
        }
    }

    #[inline(always)]
    fn finish(&self, i: usize, sums: [[Real; 4]; 5], out: &mut LinearFit) {
        let Fits { world, neighborhood } = self;
        let [diagonal, others, central, central_others, [lateral, ..]] = sums;
        let volume = neighborhood.volume;
        let moment = symmetric(diagonal, others) * -volume;
        let is_near_solid = neighborhood.boundary.fraction[i] > 0.0;
        let walls = |v| neighborhood.boundary.no_slip_walls(i, v, &world.solids);
        *out = LinearFit::new(world, neighborhood, i, &moment);
        let weight = out.weight;
        if !STIFF {
            return;
        }
        let identity = Matrix3::identity();
        let lateral = identity * (2.0 * weight * lateral);
        let central =
            symmetric(central, central_others) * ((1.0 - weight) * central_scale(world.dimension));
        let mut stiffness = (lateral + central) * -volume;
        if is_near_solid {
            let fluid = &world.fluids[usize::from(world.particles.phase[i])];
            let viscosity = fluid.viscosity * fluid.rest_density;
            for wall in walls(Vec3::zeros()) {
                let along = identity - outer(&wall);
                stiffness += along * (2.0 * viscosity * wall.slope / wall.distance);
            }
        }
        out.stiffness = stiffness;
    }
}

/// 2d|∇λ_w| of a wall \[–\].
pub fn capacity(wall: &NoSlipWall) -> Real {
    2.0 * wall.distance * wall.slope
}

/// n nᵀ of a wall.
fn outer(wall: &NoSlipWall) -> Matrix3<Real> {
    wall.normal * wall.normal.transpose()
}

/// φ: the mean over the walls of what they would fill up, each by its capacity.
fn fill(
    moment: &Matrix3<Real>,
    wall_moment: &Matrix3<Real>,
    walls: impl Iterator<Item = NoSlipWall>,
) -> Real {
    let (mut lacking, mut most) = (0.0, 0.0);
    for wall in walls {
        let (n, capacity) = (wall.normal, capacity(&wall));
        lacking += capacity * (1.0 - n.dot(&(moment * n)));
        most += capacity * n.dot(&(wall_moment * n));
    }
    if most > 0.0 { (lacking / most).clamp(0.0, 1.0) } else { 0.0 }
}

/// B⁻¹, and the harmonic mean of the eigenvalues of B; zero where there is none. In the plane, of
/// the part in it.
fn invert(mut moment: Matrix3<Real>, dimension: Dimension) -> (Matrix3<Real>, Real) {
    let is_plane = dimension == Dimension::Two;
    if is_plane {
        moment[(1, 1)] = 1.0;
    }
    let beyond = if is_plane { 1.0 } else { 0.0 };
    if moment.determinant() <= MIN_DETERMINANT {
        return (Matrix3::zeros(), 0.0);
    }
    match moment.try_inverse() {
        Some(inverse) if inverse.trace() - beyond > 0.0 => {
            (inverse, Real::from(dimension.count()) / (inverse.trace() - beyond))
        }
        _ => (Matrix3::zeros(), 0.0),
    }
}

/// The symmetric matrix of these rows: xx, yy, zz; xy, yz, xz.
fn symmetric([xx, yy, zz, _]: [Real; 4], [xy, yz, xz, _]: [Real; 4]) -> Matrix3<Real> {
    Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_geometry::random::Random;

    #[test]
    fn neighbors_in_a_line_or_a_plane_have_no_fit() {
        let mut random = Random::new(4);
        for _ in 0..100_000 {
            let vector = |random: &mut Random| random.point(-1.0, 1.0).map(|x| x as Real);
            let (u, v) = (vector(&mut random), vector(&mut random));
            let line = u * u.transpose() + (u * 0.3) * (u * 0.3).transpose();
            for moment in [line, line + v * v.transpose()] {
                let (inverse, mean) = invert(moment, Dimension::Three);
                assert!(mean < FIT_RANGE[0], "{u} {v}: {mean} with {inverse}");
            }
        }
    }
}
