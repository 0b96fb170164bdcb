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
//!   stand. Where fluids of several densities meet, the gradient of a pressure at rest has a kink,
//!   and g/ρ₀ has none: there pairs count by 2 ρ₀ᵢ/(ρ₀ᵢ + ρ₀ⱼ). G is not exact: under pressure,
//!   disorder makes forces, by which the fluid boils and bears shear like a solid. But a consistent
//!   gradient at a free surface feeds waves. So the pressure that is known acts by χ g + (1 − χ) s
//!   G p, and G serves what the projection adds to it. Along a free surface, where p = 0, G p is
//!   disorder alone, which the layer below does not answer: the two layers make each other boil. So
//!   a part [`ALONG_SURFACE`] of it gives way to g along the surface, where fluid lies below, and
//!   no more than ρ₀ f, as impacts are no calm water. Pairs and solids give and take what G p does.
//!   What is beyond, solids take where they are near; in free flight its sum is taken off again, so
//!   that momentum is kept. Deep inside a vessel it is lost: some 1e-3 of the weight.
//!
//! Symbols: λ \[–\], V \[m³\], p \[Pa\], s \[1/m⁵\], χ inside the fluid \[–\].

use crate::step::pairs::moment::Moment;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::{Block, PairData};
use crate::step::pairs::rates::{add_rates, divergence};
use crate::step::pairs::row_sum::{self, RowSum};
use crate::step::pairs::smooth_step::smooth_step;
use crate::step::pairs::tensor::Tensor;
use hashfall_core::simd::{F32x8, Isa};
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
pub fn diagonal(
    neighborhood: &Neighborhood,
    moment: &Moment,
    i: usize,
    rest_density: Real,
) -> Real {
    let self_term = moment.correction * (moment.fluid + neighborhood.boundary.gradient[i] * 2.0);
    let square = moment.correction.squared().trace() / 3.0;
    self_term.norm_squared() / rest_density
        + square * moment.weighted_squares
        + STABILISATION * moment.weight
}

/// The diagonal of the operator of displacements \[1/m²\].
pub fn displacement_diagonal(moment: &Moment) -> Real {
    moment.total.norm_squared() + moment.squares
}

/// What the [matrix](super::pressure_matrix) reads of a particle beside its place: vectors and
/// extras, with L, χ and ρ₀.
#[inline]
pub fn correction_rows(moment: &Moment, rest_density: Real) -> [Block; 2] {
    pressed_rows(moment, 1.0, rest_density)
}

/// The same, with p L: what [`Consistent`] reads beside place and p.
#[inline]
pub fn pressed_rows(moment: &Moment, p: Real, rest_density: Real) -> [Block; 2] {
    let Tensor([xx, yy, zz, xy, xz, yz]) = moment.correction * p;
    [[xx, yy, zz, moment.inside], [xy, yz, xz, rest_density]]
}

/// L or p L of others, as [`correction_rows`] stands, times the first three numbers of a row.
#[inline(always)]
pub fn corrected<V: F32x8>([_, diagonal, others]: &[V; 3], x: V) -> V {
    *diagonal * x + *others * x.rotate_left() + others.rotate_right() * x.rotate_right()
}

/// 2 ρ₀ᵢ/(ρ₀ᵢ + ρ₀ⱼ), by which the difference of two pressures counts for the gradient on the side
/// of the first particle; rows have the densities as their fourth numbers \[–\].
#[inline(always)]
pub fn density_weight<V: F32x8>(particle: V, other: V) -> V {
    let own = particle.splat_fourth();
    (own + own) / (own + other.splat_fourth())
}

/// The adjoint gradient's part that a particle has from its own pressure.
#[inline(always)]
pub fn self_gradient(neighborhood: &Neighborhood, moment: &Moment, i: usize, p: Real) -> Vec3 {
    moment.correction * (moment.fluid + neighborhood.boundary.gradient[i] * 2.0) * p
}

/// The part of what acts along a free surface that gives way to the consistent gradient, by that of
/// the surroundings that is inside.
#[inline(always)]
pub fn part_along_surface(inside: Real) -> Real {
    ALONG_SURFACE * smooth_step(inside, BACKED)
}

/// F 1: the force by which a known pressure of 1 acts that is the same everywhere, turned round
/// \[1/m\]. It has no consistent gradient. Along free surfaces it acts as that of calm fluid, if
/// `ALONG`. Vectors and extras carry what [`correction_rows`] has.
pub struct UnitPressure<'a, const ALONG: bool> {
    /// The pairs.
    pub neighborhood: &'a Neighborhood,
    /// L, c, χ, ω, σ.
    pub moments: &'a [Moment],
}

impl<const ALONG: bool> RowSum<3, 3> for UnitPressure<'_, ALONG> {
    type Out = Vec3;

    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; 3], particle: &[V; 3], other: &[V; 3], slope: V) {
        let x = particle[0] - other[0];
        let gradient = slope * x;
        sums[0] += corrected(other, gradient);
        if ALONG {
            let weight = gradient * x;
            sums[1] += weight;
            sums[2] += weight * other[1].splat_fourth();
        }
    }

    #[inline(always)]
    fn finish(&self, i: usize, sums: [[Real; 4]; 3], out: &mut Vec3) {
        let (neighborhood, moment) = (self.neighborhood, &self.moments[i]);
        let [x, y, z, _] = sums[0];
        let adjoint =
            Vec3::new(x, y, z) * neighborhood.volume + self_gradient(neighborhood, moment, i, 1.0);
        let none = Vec3::zeros();
        *out = adjoint + moment.excess_force(none, adjoint);
        if ALONG {
            let [all, inside] = [sums[1], sums[2]].map(|[x, y, z, _]| x + y + z);
            let inside = if all < 0.0 { inside / all } else { 0.0 };
            *out += moment.excess_along_surface(none, adjoint) * part_along_surface(inside);
        }
    }
}

/// D of the velocities \[1/s\]. The second rows are velocities.
pub struct Divergence<'a> {
    /// The pairs.
    pub neighborhood: &'a Neighborhood,
    /// Velocities, each with a scalar.
    pub velocities: &'a [Block],
    /// L, c.
    pub moments: &'a [Moment],
    /// 2 u·L ∇λ of solids that move \[1/s\]; empty if none do, or their motion is not asked for.
    pub fluxes: &'a [Real],
}

impl Divergence<'_> {
    /// D by the sums of a particle.
    #[inline(always)]
    fn divergence(&self, i: usize, sums: [[Real; 4]; 3]) -> Real {
        let [u, v, w, _] = self.velocities[i];
        let correction = &self.moments[i].correction;
        let flux = self.fluxes.get(i).copied().unwrap_or_default();
        divergence(self.neighborhood, i, correction, &Vec3::new(u, v, w), flux, &sums)
    }
}

impl RowSum<2, 3> for Divergence<'_> {
    type Out = Real;

    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; 3], particle: &[V; 2], other: &[V; 2], slope: V) {
        add_rates(sums, particle[1] - other[1], particle[0] - other[0], slope);
    }

    #[inline(always)]
    fn finish(&self, i: usize, sums: [[Real; 4]; 3], out: &mut Real) {
        *out = self.divergence(i, sums);
    }
}

/// D of the velocities \[1/s\], and −S p of a known pressure with the gradients g \[1/s²\]. Points
/// carry ρ₀ if it is not the same in all fluids: those are `MIXED`; vectors velocities and p,
/// extras g.
struct DivergenceAndJumps<'a, const MIXED: bool> {
    divergence: Divergence<'a>,
    /// ρ₀ of one fluid.
    rest_density: Real,
}

impl<const MIXED: bool> RowSum<3, 4> for DivergenceAndJumps<'_, MIXED> {
    type Out = [Real; 2];

    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; 4], particle: &[V; 3], other: &[V; 3], slope: V) {
        let (x, u) = (particle[0] - other[0], particle[1] - other[1]);
        add_rates(&mut sums[..3], u, x, slope);
        let mut weight = slope;
        if MIXED {
            weight = slope * (slope.splat(2.0) / (particle[0] + other[0]).splat_fourth());
        }
        // The fourth is the difference of pressures.
        sums[3] += weight * ((particle[2] + other[2]) * x).with_fourth(u);
    }

    #[inline(always)]
    fn finish(&self, i: usize, sums: [[Real; 4]; 4], out: &mut [Real; 2]) {
        let [a, b, c, [x, y, z, jump]] = sums;
        let mut jumps = 0.5 * (x + y + z) - jump;
        if !MIXED {
            jumps /= self.rest_density;
        }
        let Divergence { neighborhood, .. } = self.divergence;
        *out = [self.divergence.divergence(i, [a, b, c]), -neighborhood.volume * jumps];
    }
}

/// Finds [`DivergenceAndJumps`] of all particles; `one` is ρ₀ if it is that of all fluids, and
/// points need not carry it.
pub fn find_divergence_and_jumps(
    isa: Isa,
    blocks: [&[Block]; 3],
    divergence: Divergence<'_>,
    one: Option<Real>,
    out: &mut [[Real; 2]],
) {
    let lists = &divergence.neighborhood.lists;
    match one {
        Some(rest_density) => {
            let sum = DivergenceAndJumps::<false> { divergence, rest_density };
            row_sum::for_all(isa, lists, blocks, &sum, out);
        }
        None => {
            let sum = DivergenceAndJumps::<true> { divergence, rest_density: 0.0 };
            row_sum::for_all(isa, lists, blocks, &sum, out);
        }
    }
}

/// −Σⱼ V (φᵢ + φⱼ) ∇ᵢWᵢⱼ − φᵢ ∇λᵢ: the displacement that φ makes. Points carry φ.
pub struct PlainGradient<'a> {
    /// The pairs.
    pub neighborhood: &'a Neighborhood,
    /// Points with φ.
    pub pairs: &'a PairData,
}

impl RowSum<1, 1> for PlainGradient<'_> {
    type Out = Vec3;

    #[inline(always)]
    fn add<V: F32x8>(&self, [sum]: &mut [V; 1], [particle]: &[V; 1], [other]: &[V; 1], slope: V) {
        *sum += (*particle + *other).splat_fourth() * slope * (*particle - *other);
    }

    #[inline(always)]
    fn finish(&self, i: usize, [[x, y, z, _]]: [[Real; 4]; 1], out: &mut Vec3) {
        let [.., phi] = self.pairs.point(i);
        let solid = self.neighborhood.boundary.gradient[i] * phi;
        *out = -(Vec3::new(x, y, z) * self.neighborhood.volume + solid);
    }
}

/// Σⱼ V (vᵢ − vⱼ)·∇ᵢWᵢⱼ + vᵢ·∇λᵢ: how displacements change the density \[–\].
pub struct DensityChange<'a> {
    /// The pairs.
    pub neighborhood: &'a Neighborhood,
    /// Points and displacements.
    pub pairs: &'a PairData,
}

impl RowSum<2, 1> for DensityChange<'_> {
    type Out = Real;

    #[inline(always)]
    fn add<V: F32x8>(&self, [sum]: &mut [V; 1], particle: &[V; 2], other: &[V; 2], slope: V) {
        *sum += slope * ((particle[1] - other[1]) * (particle[0] - other[0]));
    }

    #[inline(always)]
    fn finish(&self, i: usize, [[x, y, z, _]]: [[Real; 4]; 1], out: &mut Real) {
        let [u, v, w, _] = self.pairs.vector(i);
        let solid = self.neighborhood.boundary.gradient[i].dot(&Vec3::new(u, v, w));
        *out = self.neighborhood.volume * (x + y + z) + solid;
    }
}
