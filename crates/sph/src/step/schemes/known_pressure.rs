//! How a known pressure acts: by the consistent gradient inside the fluid, by the adjoint one
//! elsewhere, and along calm free surfaces by the consistent one again. The formulas stand in
//! [`crate::step::schemes::pressure_operator`].
//!
//! The adjoint gradient comes from places alone ([`KnownPressure`]), or by the coefficients of the
//! [matrix](crate::step::schemes::pressure_matrix) ([`PressureByRows`]), which take half the time
//! once they are written: (G p)ᵢ = V Σⱼ wᵢⱼ (pⱼ − pᵢ) + uᵢ pᵢ, with u = G 1. So of a pressure as
//! high as that of deep water, what coefficients of 16 bits lose is in proportion to what it grows
//! by from one particle to the next.
//!
//! Symbols: p \[Pa\], ρ₀ \[kg/m³\], f acceleration without pressure \[m/s²\], w \[1/m⁴\].

use crate::step::pairs::moment::Moment;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::PairData;
use crate::step::pairs::row_sum::{self, RowSum, StoredSum};
use crate::step::schemes::pressure_matrix::PressureMatrix;
use crate::step::schemes::pressure_operator::{
    corrected, density_weight, part_along_surface, self_gradient,
};
use crate::step::schemes::pressure_rows::Coefficients;
use hashfall_core::simd::{F32x8, Isa};
use hashfall_core::{Length, Real, Vec3};

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

/// A known pressure, and what it acts on.
pub struct KnownPressure<'a, F> {
    /// The pairs.
    pub neighborhood: &'a Neighborhood,
    /// Points with p, p L, χ and ρ₀.
    pub pairs: &'a PairData,
    /// L, c, χ, ω, σ.
    pub moments: &'a [Moment],
    /// ρ₀ f of a particle \[N/m³\].
    pub weight: F,
}

impl<F: Fn(usize) -> Vec3 + Sync> KnownPressure<'_, F> {
    /// Finds what it does to each particle, from places; where densities meet, too, if the fluids
    /// `are_mixed`. Vectors and extras carry what
    /// [`pressed_rows`](crate::step::schemes::pressure_operator::pressed_rows) has.
    pub fn find(&self, isa: Isa, are_mixed: bool, out: &mut [KnownForce]) {
        let (lists, blocks) = (&self.neighborhood.lists, self.pairs.blocks());
        if are_mixed {
            row_sum::for_all(isa, lists, blocks, &Consistent::<_, true>(self), out);
        } else {
            row_sum::for_all(isa, lists, blocks, &Consistent::<_, false>(self), out);
        }
    }

    /// Finds what it does to each particle by the coefficients of the matrix; along free surfaces,
    /// too, if the fluid `has_surface` that is to rest. Extras carry ρ₀ if the fluids `are_mixed`.
    pub fn find_by_rows(
        &self,
        isa: Isa,
        matrix: &PressureMatrix,
        [has_surface, are_mixed]: [bool; 2],
        out: &mut [KnownForce],
    ) {
        let lists = &self.neighborhood.lists;
        let [points, _, extras] = self.pairs.blocks();
        let sum = PressureByRows { pressure: self, matrix, has_surface };
        if are_mixed {
            row_sum::for_all_stored(isa, lists, [points, extras], &sum, out);
        } else {
            row_sum::for_all_stored(isa, lists, [points], &sum, out);
        }
    }

    /// The consistent gradient by Σ s x (pᵢ − pⱼ).
    #[inline(always)]
    fn gradient(&self, i: usize, [x, y, z, _]: [Real; 4]) -> Vec3 {
        let fall = Vec3::new(x, y, z) * self.neighborhood.volume;
        let walls = self.neighborhood.boundary.mirror_rise(i, &(self.weight)(i));
        self.moments[i].correction * (walls - fall)
    }
}

/// What a known pressure does, and where fluids of several densities meet, if `MIXED`.
struct Consistent<'a, F, const MIXED: bool>(&'a KnownPressure<'a, F>);

impl<F, const MIXED: bool> RowSum<3, 2> for Consistent<'_, F, MIXED>
where
    F: Fn(usize) -> Vec3 + Sync,
{
    type Out = KnownForce;

    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; 2], particle: &[V; 3], other: &[V; 3], slope: V) {
        let x = particle[0] - other[0];
        let gradient = slope * x;
        let mut rise = x.splat_fourth();
        if MIXED {
            rise = rise * density_weight(particle[2], other[2]);
        }
        sums[0] += gradient * rise;
        sums[1] += corrected(other, gradient);
    }

    #[inline(always)]
    fn finish(&self, i: usize, [fall, [x, y, z, _]]: [[Real; 4]; 2], out: &mut KnownForce) {
        let KnownPressure { neighborhood, pairs, moments, .. } = self.0;
        let gradient = self.0.gradient(i, fall);
        let [.., p] = pairs.point(i);
        let of_others = Vec3::new(x, y, z) * neighborhood.volume;
        let adjoint = of_others + self_gradient(neighborhood, &moments[i], i, p);
        let excess = moments[i].excess_force(gradient, adjoint);
        *out = KnownForce { gradient, force: adjoint + excess, excess };
    }
}

/// What a known pressure does, by the coefficients of the matrix. Points carry p; behind them stand
/// the extras, with ρ₀, where fluids of several densities meet.
struct PressureByRows<'a, F> {
    pressure: &'a KnownPressure<'a, F>,
    matrix: &'a PressureMatrix,
    has_surface: bool,
}

impl<F: Fn(usize) -> Vec3 + Sync, const B: usize> StoredSum<B, 2> for PressureByRows<'_, F> {
    type Out = KnownForce;

    #[inline(always)]
    fn coefficients(&self, chunk: usize) -> &[Coefficients] {
        &self.matrix.rows().0[chunk].gradient
    }

    #[inline(always)]
    fn add<V: F32x8>(
        &self,
        [falls, rises]: &mut [V; 2],
        particle: &[V; B],
        other: &[V; B],
        slope: V,
        w: V,
    ) {
        let x = particle[0] - other[0];
        let fall = x.splat_fourth();
        *rises += w * fall;
        let weighted = match (particle.get(1), other.get(1)) {
            (Some(particle), Some(other)) => fall * density_weight(*particle, *other),
            _ => fall,
        };
        *falls += slope * x * weighted;
    }

    #[inline(always)]
    fn finish(&self, i: usize, [fall, [x, y, z, _]]: [[Real; 4]; 2], out: &mut KnownForce) {
        let PressureByRows { pressure, matrix, has_surface } = *self;
        let KnownPressure { neighborhood, pairs, moments, weight } = pressure;
        let (moment, gradient) = (&moments[i], pressure.gradient(i, fall));
        let (self_term, (_, units)) = (&matrix.self_terms()[i], matrix.rows());
        let [.., p] = pairs.point(i);
        let of_others = Vec3::new(x, y, z) * -(neighborhood.volume * units.gradient);
        let adjoint = of_others + self_term.unit * p;
        let mut excess = moment.excess_force(gradient, adjoint);
        let part = part_along_surface(self_term.inside);
        if has_surface && part > 0.0 {
            let along = moment.excess_along_surface(gradient, adjoint) * part;
            let (length, weight) = (along.length(), weight(i).length());
            let calm = if length > weight { weight / length } else { 1.0 };
            excess += along * calm;
        }
        *out = KnownForce { gradient, force: adjoint + excess, excess };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::pairs::moments::Moments;
    use crate::step::schemes::pressure_operator::pressed_rows;
    use crate::step::tests::{DFSPH, neighborhood, splash};
    use hashfall_geometry::random::Random;

    /// By coefficients of 16 bits and by places, of two fluids over a ball: under a pressure as
    /// high as of water 100 m deep forces are off by no more than what a thousandth of the noise on
    /// it makes, and of several instruction sets they have the same bits.
    #[test]
    fn by_rows_it_is_what_it_is_by_places() {
        let mut world = splash(DFSPH);
        let (neighborhood, mut pairs) = neighborhood(&mut world);
        let mut moments = Moments::new(Isa::current());
        moments.update(&world, &neighborhood, &mut pairs);
        let n = world.particles.len();
        let mut random = Random::new(3);
        let noise = 1e3;
        let p: Vec<Real> = (0..n).map(|_| 1e6 + random.number(-noise, noise) as Real).collect();
        let (all, phases) = (&moments.all, &world.particles.phase);
        let rest_density = |i: usize| world.fluids[usize::from(phases[i])].rest_density;
        let weight = |i: usize| world.gravity * rest_density(i);
        pairs.set_scalars(|i| p[i]);
        pairs.set_both(|i| pressed_rows(&all[i], p[i], rest_density(i)));
        let mut by_places = vec![KnownForce::default(); n];
        let known =
            KnownPressure { neighborhood: &neighborhood, pairs: &pairs, moments: all, weight };
        known.find(Isa::current(), true, &mut by_places);
        let mut first: Option<Vec<[Vec3; 3]>> = None;
        for isa in Isa::available() {
            let mut matrix = PressureMatrix::new(isa);
            matrix.find(&world, &neighborhood, &mut pairs, all);
            pairs.set_extras(|i| [0.0, 0.0, 0.0, rest_density(i)]);
            let known =
                KnownPressure { neighborhood: &neighborhood, pairs: &pairs, moments: all, weight };
            let mut by_rows = vec![KnownForce::default(); n];
            known.find_by_rows(isa, &matrix, [false, true], &mut by_rows);
            let size = noise as Real / world.spacing();
            for (a, b) in by_rows.iter().zip(&by_places) {
                for off in [a.gradient - b.gradient, a.force - b.force, a.excess - b.excess] {
                    assert!(off.norm() < 1e-3 * size, "{isa:?}: {a:?} for {b:?}");
                }
            }
            let found: Vec<_> =
                by_rows.iter().map(|it| [it.gradient, it.force, it.excess]).collect();
            assert_eq!(*first.get_or_insert_with(|| found.clone()), found, "{isa:?}");
        }
    }
}
