//! The operator of the [projection](crate::step::schemes::projection): what velocities do to the
//! fluid's divergence, and pressures to velocities, as sums over pairs.
//!
//! With the [moments](crate::step::pairs::moments) L, c of each particle, P = p L, equal rest
//! volumes V, ∇ᵢWᵢⱼ = sᵢⱼ xᵢⱼ, and solids as [mirrors](crate::step::boundary::mirror):
//!
//! - divergence: (D v)ᵢ = Σⱼ V (vⱼ − vᵢ)·Lᵢ ∇ᵢWᵢⱼ + 2 (u − vᵢ)·Lᵢ ∇λᵢ, exact for linear fields;
//! - its adjoint: (G p)ᵢ = Σⱼ V (Pᵢ + Pⱼ) ∇ᵢWᵢⱼ + 2 Pᵢ ∇λᵢ = −(Dᵀ p)ᵢ, so that −D ρ₀⁻¹ G is
//!   symmetric and positive, and p = 0 beyond a free surface without its being found;
//! - stabilisation: (S p)ᵢ = −Σⱼ V sᵢⱼ ((pᵢ − pⱼ) − xᵢⱼ·½(gᵢ + gⱼ)) 2/(ρ₀ᵢ + ρ₀ⱼ), with g the
//!   gradient of the pressure before: zero for linear pressures, and the only part that feels
//!   pressures which alternate from particle to particle (Rhie & Chow 1983 for grids). The matrix
//!   takes (pᵢ − pⱼ);
//! - consistent gradient: gᵢ = Lᵢ (Σⱼ V (pⱼ − pᵢ) ∇ᵢWᵢⱼ + Σₖ 2 gₖ (xₖ − xᵢ)·ρ₀ f), with f the
//!   acceleration without pressure: exact for linear pressures, in whatever disorder particles
//!   stand. G is not: under pressure, disorder makes forces, by which the fluid boils and bears
//!   shear like a solid. But a consistent gradient at a free surface feeds waves. So the pressure
//!   that is known acts by χ g + (1 − χ) s G p, and G serves what the projection adds to it. Along
//!   a free surface, where p = 0, G p is disorder alone, which the layer below does not answer: the
//!   two layers make each other boil. So a part [`ALONG_SURFACE`] of it gives way to g along the
//!   surface, where fluid lies below, and no more than ρ₀ f, as impacts are no calm water. Pairs
//!   and solids give and take what G p does. What is beyond, solids take where they are near; in
//!   free flight its sum is taken off again, so that momentum is kept. Deep inside a vessel it is
//!   lost: some 1e-3 of the weight.
//!
//! Symbols: λ \[–\], V \[m³\], p \[Pa\], s \[1/m⁵\], χ inside the fluid \[–\].

use crate::step::pairs::moments::{Moment, smooth_step};
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::PairData;
use crate::step::pairs::pair_sum::{PairSum, displacement, dot, relative_velocity};
use crate::step::pairs::tensor::Tensor;
use hashfall_core::simd::F32x8;
use hashfall_core::{Real, Vec3};

/// ε: how much of the stabilisation the operator has \[–\]. It lets volume flow from where single
/// pressures are high to where they are low: with 1 a U-tube lost a tenth of its volume in 4 s.
pub const STABILISATION: Real = 0.1;

/// τ: the part of G p along free surfaces that gives way to the consistent gradient \[–\]. With
/// all of it a calm lattice is stable, but waves decay, and fluid creeps away from where a surface
/// meets a wall; with none a lattice boils.
pub const ALONG_SURFACE: Real = 0.8;

/// The part of the surroundings that is inside up to which nothing gives way, and from which on all
/// of that does: not in a single layer, nor in threads \[–\].
const BACKED: [Real; 2] = [0.1, 0.3];

/// About the diagonal of −D ρ₀⁻¹ G + ε S \[1/(Pa s²)\] of a particle with this ρ₀.
pub fn diagonal(near: &Neighborhood, moment: &Moment, i: usize, rest_density: Real) -> Real {
    let own = moment.correction * (moment.fluid + near.boundary.gradient[i] * 2.0);
    let square = moment.correction.squared().trace() / 3.0;
    own.norm_squared() / rest_density
        + square * moment.weighted_squares
        + STABILISATION * moment.weight
}

/// The diagonal of the operator of displacements \[1/m²\].
pub fn displacement_diagonal(moment: &Moment) -> Real {
    moment.total.norm_squared() + moment.squares
}

/// G p \[Pa/m\], and −Σⱼ V s (pᵢ − pⱼ) 2/(ρ₀ᵢ + ρ₀ⱼ). Points carry p, vectors and extras P and ρ₀.
pub struct Adjoint<'a> {
    /// The pairs.
    pub near: &'a Neighborhood,
    /// Points with p, P and ρ₀ ([`pressure_columns`]).
    pub pairs: &'a PairData,
    /// L, c.
    pub moments: &'a [Moment],
}

/// What [`Adjoint`] and [`Consistent`] read of a particle beside its place: vectors and extras.
#[inline]
pub fn pressure_columns(p: Real, moment: &Moment, rest_density: Real) -> [[Real; 4]; 2] {
    let [xx, yy, zz, xy, xz, yz] = (moment.correction * p).0;
    [[xx, yy, zz, xy], [xz, yz, rest_density, moment.inside]]
}

/// P of others times the displacement.
#[inline(always)]
fn times<V: F32x8>(other: &[V; 12], [dx, dy, dz]: [V; 3]) -> [V; 3] {
    let [.., xx, yy, zz, xy, xz, yz, _, _] = *other;
    [
        dot([xx, xy, xz], [dx, dy, dz]),
        dot([xy, yy, yz], [dx, dy, dz]),
        dot([xz, yz, zz], [dx, dy, dz]),
    ]
}

/// The adjoint gradient's part that a particle has from its own pressure.
#[inline(always)]
fn own_part(near: &Neighborhood, moment: &Moment, i: usize, p: Real) -> Vec3 {
    moment.correction * (moment.fluid + near.boundary.gradient[i] * 2.0) * p
}

impl PairSum<12, 4> for Adjoint<'_> {
    type Out = (Vec3, Real);

    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; 4], own: &[V; 12], other: &[V; 12], slope: V) {
        let [x, y, z] = times(other, displacement(own, other));
        sums[0] += slope * x;
        sums[1] += slope * y;
        sums[2] += slope * z;
        let mean = slope.splat(2.0) / (own[10] + other[10]);
        sums[3] += slope * mean * (own[3] - other[3]);
    }

    #[inline(always)]
    fn finish(&self, i: usize, [x, y, z, jumps]: [Real; 4], out: &mut (Vec3, Real)) {
        let volume = self.near.volume;
        let [.., p] = self.pairs.point(i);
        let own = own_part(self.near, &self.moments[i], i, p);
        *out = (Vec3::new(x, y, z) * volume + own, -volume * jumps);
    }
}

/// What a known pressure does to a particle \[Pa/m\].
#[derive(Clone, Copy, Debug, Default)]
pub struct KnownForce {
    /// The consistent gradient g.
    pub gradient: Vec3,
    /// The force by which it acts, turned round: χ g + (1 − χ) s G p, and g along free surfaces.
    pub force: Vec3,
    /// That without G p, which pairs and solids give and take.
    pub excess: Vec3,
}

/// What a known pressure does. Columns as for [`Adjoint`]; the last of the extras is χ.
pub struct Consistent<'a> {
    /// The pairs.
    pub near: &'a Neighborhood,
    /// Points with p, P and ρ₀.
    pub pairs: &'a PairData,
    /// L, c, χ, ω, σ.
    pub moments: &'a [Moment],
    /// f \[m/s²\].
    pub accelerations: &'a [Vec3],
    /// τ \[–\].
    pub along_surface: Real,
}

impl PairSum<12, 8> for Consistent<'_> {
    type Out = KnownForce;

    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; 8], own: &[V; 12], other: &[V; 12], slope: V) {
        let [dx, dy, dz] = displacement(own, other);
        let rise = slope * (other[3] - own[3]);
        sums[0] += rise * dx;
        sums[1] += rise * dy;
        sums[2] += rise * dz;
        let [x, y, z] = times(other, [dx, dy, dz]);
        sums[3] += slope * x;
        sums[4] += slope * y;
        sums[5] += slope * z;
        let weight = slope * dot([dx, dy, dz], [dx, dy, dz]);
        sums[6] += weight;
        sums[7] += weight * other[11];
    }

    #[inline(always)]
    fn finish(&self, i: usize, sums: [Real; 8], out: &mut KnownForce) {
        let [x, y, z, a, b, c, all, inside] = sums.map(|sum| sum * self.near.volume);
        let moment = &self.moments[i];
        let rest_density = self.pairs.extra(i)[2];
        let growth = self.accelerations[i] * rest_density;
        let walls = self.near.boundary.mirror_rise(i, &growth);
        let gradient = moment.correction * (Vec3::new(x, y, z) + walls);
        let [.., p] = self.pairs.point(i);
        let adjoint = Vec3::new(a, b, c) + own_part(self.near, moment, i, p);
        let backed = if all < 0.0 { smooth_step(inside / all, BACKED) } else { 0.0 };
        let along = moment.excess_along_surface(gradient, adjoint) * (self.along_surface * backed);
        let (length, weight) = (along.norm(), growth.norm());
        let calm = if length > weight { weight / length } else { 1.0 };
        let excess = moment.excess_force(gradient, adjoint) + along * calm;
        *out = KnownForce { gradient, force: adjoint + excess, excess };
    }
}

/// D of the velocities \[1/s\].
pub struct Divergence<'a> {
    /// The pairs.
    pub near: &'a Neighborhood,
    /// Points and velocities.
    pub pairs: &'a PairData,
    /// L, c.
    pub moments: &'a [Moment],
    /// 2 u·L ∇λ of solids that move \[1/s\]; empty if none do, or their motion is not asked for.
    pub fluxes: &'a [Real],
}

/// Adds s u xᵀ, made symmetric, to its sums.
#[inline(always)]
fn add_rates<V: F32x8>(sums: &mut [V], u: [V; 3], [dx, dy, dz]: [V; 3], slope: V) {
    let [du, dv, dw] = u.map(|d| slope * d);
    sums[0] += du * dx;
    sums[1] += dv * dy;
    sums[2] += dw * dz;
    sums[3] += du * dy + dv * dx;
    sums[4] += du * dz + dw * dx;
    sums[5] += dv * dz + dw * dy;
}

impl Divergence<'_> {
    /// D by the sums of a particle.
    #[inline(always)]
    fn divergence(&self, i: usize, [xx, yy, zz, xy, xz, yz]: [Real; 6]) -> Real {
        let [u, v, w, _] = self.pairs.vector(i);
        let correction = &self.moments[i].correction;
        let rates = Tensor([xx, yy, zz, 0.5 * xy, 0.5 * xz, 0.5 * yz]);
        let walls = *correction * (self.near.boundary.gradient[i] * 2.0);
        let flux = self.fluxes.get(i).copied().unwrap_or_default();
        let solid = flux - walls.dot(&Vec3::new(u, v, w));
        solid - self.near.volume * correction.contract(&rates)
    }
}

impl PairSum<8, 6> for Divergence<'_> {
    type Out = Real;

    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; 6], own: &[V; 8], other: &[V; 8], slope: V) {
        add_rates(sums, relative_velocity(own, other), displacement(own, other), slope);
    }

    #[inline(always)]
    fn finish(&self, i: usize, sums: [Real; 6], out: &mut Real) {
        *out = self.divergence(i, sums);
    }
}

/// D of the velocities \[1/s\], and −S p of a known pressure with the gradients g \[1/s²\]. Points
/// carry ρ₀, vectors velocities and p, extras g.
pub struct DivergenceAndJumps<'a>(pub Divergence<'a>);

impl PairSum<12, 7> for DivergenceAndJumps<'_> {
    type Out = [Real; 2];

    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; 7], own: &[V; 12], other: &[V; 12], slope: V) {
        let x = displacement(own, other);
        let u = [own[4] - other[4], own[5] - other[5], own[6] - other[6]];
        add_rates(sums, u, x, slope);
        let gradients = [own[8] + other[8], own[9] + other[9], own[10] + other[10]];
        let linear = slope.splat(0.5) * dot(gradients, x);
        let weight = slope * slope.splat(2.0) / (own[3] + other[3]);
        sums[6] += weight * (linear - (own[7] - other[7]));
    }

    #[inline(always)]
    fn finish(&self, i: usize, [rates @ .., jumps]: [Real; 7], out: &mut [Real; 2]) {
        *out = [self.0.divergence(i, rates), -self.0.near.volume * jumps];
    }
}

/// −Σⱼ V (φᵢ + φⱼ) ∇ᵢWᵢⱼ − φᵢ ∇λᵢ: the displacement that φ makes. Points carry φ.
pub struct PlainGradient<'a> {
    /// The pairs.
    pub near: &'a Neighborhood,
    /// Points with φ.
    pub pairs: &'a PairData,
}

impl PairSum<4, 3> for PlainGradient<'_> {
    type Out = Vec3;

    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; 3], own: &[V; 4], other: &[V; 4], slope: V) {
        let [dx, dy, dz] = displacement(own, other);
        let weight = (own[3] + other[3]) * slope;
        sums[0] += weight * dx;
        sums[1] += weight * dy;
        sums[2] += weight * dz;
    }

    #[inline(always)]
    fn finish(&self, i: usize, sums: [Real; 3], out: &mut Vec3) {
        let [.., phi] = self.pairs.point(i);
        let solid = self.near.boundary.gradient[i] * phi;
        *out = -(Vec3::from(sums) * self.near.volume + solid);
    }
}

/// Σⱼ V (vᵢ − vⱼ)·∇ᵢWᵢⱼ + vᵢ·∇λᵢ: how displacements change the density \[–\].
pub struct DensityChange<'a> {
    /// The pairs.
    pub near: &'a Neighborhood,
    /// Points and displacements.
    pub pairs: &'a PairData,
}

impl PairSum<8, 1> for DensityChange<'_> {
    type Out = Real;

    #[inline(always)]
    fn add<V: F32x8>(&self, [sum]: &mut [V; 1], own: &[V; 8], other: &[V; 8], slope: V) {
        *sum += slope * dot(relative_velocity(own, other), displacement(own, other));
    }

    #[inline(always)]
    fn finish(&self, i: usize, [sum]: [Real; 1], out: &mut Real) {
        let [u, v, w, _] = self.pairs.vector(i);
        let solid = self.near.boundary.gradient[i].dot(&Vec3::new(u, v, w));
        *out = self.near.volume * sum + solid;
    }
}
