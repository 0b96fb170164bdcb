//! What a free surface does to the layers below it: how the flow changes their density, and how
//! much air is near.
//!
//! A velocity without divergence keeps the volume, but not the sum over neighbours that the density
//! is: where a part of the neighbours is missing, strain changes what is left. Below a free surface
//! that is a rate, D₀ v ≠ 0, in step with the strain of a wave.
//! [Displacements](super::displacement) that answer the density alone follow it late, by some
//! steps, and the wave gains by what lags, the more the longer steps are. They are told the rate.
//!
//! It counts by how much of a particle's surroundings is at a surface, w(Σⱼ |s| x² (1 − χⱼ) /
//! Σⱼ |s| x²), and by the particle's own χ: in the layers just below the surface. Inside the fluid
//! it is the noise of disorder, which displacements are to wait for; led by it everywhere, a lid
//! drives a cavity wrongly by up to a hundredth of its velocity.
//!
//! Beside solids χ is small in disorder alone, and the rate is right to count there: without it a
//! ball under water is pressed up by 2 % too much. For what holds below free surfaces alone there
//! is the air, a = w(Σⱼ |s| x² αⱼ / Σⱼ |s| x²), with α = ω (1 − w(δ; 0.8, 0.95)), δ of fluid and
//! solids together: 0 inside, in spray, beside solids under water, and where air is a fluid. α is
//! that of the first layer, so that with supports of three spacings and more a is small in the
//! second.
//!
//! Symbols: D₀ the change of the density \[–\], s = W′/r \[1/m⁵\], χ inside the fluid, ω at its
//! surface \[–\], w a smooth step between the bounds [`SURFACE`] \[–\].

use crate::step::pairs::moment_sums::DENSITY as SPRAY_DENSITY;
use crate::step::pairs::moments::Moments;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::PairData;
use crate::step::pairs::row_sum::RowSum;
use crate::step::pairs::smooth_step::smooth_step;
use crate::step::schemes::pressure_rows::SelfTerm;
use crate::world::World;
use hashfall_core::simd::F32x8;
use hashfall_core::{Real, Vec3};

/// The part of the surroundings that is at a surface up to which it does not count, and from which
/// on it does \[–\].
const SURFACE: [Real; 2] = [0.2, 0.35];

/// By how much parts of surroundings may differ that are summed in another order \[–\].
const ROUNDING: Real = 1e-3;

/// What is known of particles at their present places.
#[derive(Clone, Copy)]
pub struct Places<'a> {
    /// Their moments.
    pub moments: &'a Moments,
    /// What the matrix of pressures tells of each, if it does.
    pub terms: &'a [SelfTerm],
}

/// A particle below a free surface.
#[derive(Clone, Copy, Debug, Default)]
pub struct BelowSurface {
    /// D₀ v, by how much of the surroundings is at a surface \[1/s\].
    pub change: Real,
    /// a: how much air is near \[–\].
    pub air: Real,
}

/// 1 − α of a particle \[–\].
pub fn filled_fraction(
    world: &World,
    neighborhood: &Neighborhood,
    moments: &Moments,
    i: usize,
) -> Real {
    let density = world.particles.fluid_fraction[i] + neighborhood.boundary.fraction[i];
    1.0 - moments.all[i].surface * (1.0 - smooth_step(density, SPRAY_DENSITY))
}

/// What surfaces do to the layers below them. Points carry χ, vectors are velocities with 1 − α.
pub struct SurfaceChange<'a> {
    /// The pairs.
    pub neighborhood: &'a Neighborhood,
    /// Points with χ, and velocities with 1 − α.
    pub pairs: &'a PairData,
    /// 2 u·∇λ of solids that move \[1/s\]; empty if none do.
    pub fluxes: &'a [Real],
    /// What the matrix tells of each particle, if it does.
    pub terms: &'a [SelfTerm],
}

impl RowSum<2, 4> for SurfaceChange<'_> {
    type Out = BelowSurface;

    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; 4], particle: &[V; 2], other: &[V; 2], slope: V) {
        let x = particle[0] - other[0];
        let weight = slope * x * x;
        sums[0] += slope * (particle[1] - other[1]) * x;
        sums[1] += weight;
        sums[2] += weight * other[0].splat_fourth();
        sums[3] += weight * other[1].splat_fourth();
    }

    /// Deep inside nothing comes out: less of what is around is at a surface than counts.
    #[inline(always)]
    fn is_inactive(&self, i: usize) -> bool {
        self.terms.get(i).is_some_and(|term| term.inside > 1.0 - SURFACE[0] + ROUNDING)
    }

    #[inline(always)]
    fn finish(&self, i: usize, sums: [[Real; 4]; 4], out: &mut BelowSurface) {
        let [change, all, inside, filled] = sums.map(|[x, y, z, _]| x + y + z);
        if all >= 0.0 {
            *out = BelowSurface::default();
            return;
        }
        let [u, v, w, _] = self.pairs.vector(i);
        let Neighborhood { volume, boundary, .. } = self.neighborhood;
        let flux = self.fluxes.get(i).copied().unwrap_or_default();
        let solids = boundary.gradient[i].dot(&Vec3::new(u, v, w)) - 0.5 * flux;
        let [at_surface, air] = [inside, filled].map(|part| smooth_step(1.0 - part / all, SURFACE));
        *out = BelowSurface { change: (volume * change + solids) * at_surface, air };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::pairs::row_sum;
    use crate::step::schemes::pressure_matrix::PressureMatrix;
    use crate::step::tests::{DFSPH, neighborhood, splash};
    use hashfall_core::simd::Isa;

    /// The change of a strain without divergence, by the definition, where it counts in full, and
    /// air, too; no change inside.
    #[test]
    fn it_is_the_change_of_the_density_below_a_surface() {
        let mut world = splash(DFSPH);
        let strain = |x: &Vec3| Vec3::new(x.x, -0.5 * x.y, -0.5 * x.z);
        world.particles.velocity = world.particles.position.iter().map(strain).collect();
        let (neighborhood, mut pairs) = neighborhood(&mut world);
        let mut moments = Moments::new(Isa::current());
        moments.update(&world, &neighborhood, &mut pairs);
        let (x, v) = (&world.particles.position, &world.particles.velocity);
        pairs.set_scalars(|i| moments.all[i].inside);
        let filled = |i: usize| filled_fraction(&world, &neighborhood, &moments, i);
        pairs.set_vectors(|i| [v[i].x, v[i].y, v[i].z, filled(i)]);
        let mut found = vec![BelowSurface::default(); x.len()];
        let sum =
            SurfaceChange { neighborhood: &neighborhood, pairs: &pairs, fluxes: &[], terms: &[] };
        let [points, vectors, _] = pairs.blocks();
        let lists = &neighborhood.lists;
        row_sum::for_all(Isa::current(), lists, [points, vectors], &sum, &mut found);
        // Where the matrix tells that nothing comes out, nothing would.
        let mut matrix = PressureMatrix::new(Isa::current());
        let mut others = PairData::default();
        others.update(&world);
        matrix.find(&world, &neighborhood, &mut others, &moments.all);
        let (mut told, sum) = (found.clone(), SurfaceChange { terms: matrix.self_terms(), ..sum });
        row_sum::for_all(Isa::current(), lists, [points, vectors], &sum, &mut told);
        let inactive = (0..x.len()).filter(|&i| sum.is_inactive(i)).count();
        assert!(inactive > 300, "{inactive}");
        for (a, b) in told.iter().zip(&found) {
            assert_eq!((a.change, a.air), (b.change, b.air));
        }
        let (mut below, mut inside, mut airy, mut between) = (0, 0, 0, 0);
        for i in 0..x.len() {
            let slope = |j: usize| world.kernel().slope_over_r((x[i] - x[j]).norm());
            let neighbors = || neighborhood.lists.of(i).iter().map(|&j| j as usize);
            let weight = |j: usize| slope(j) * (x[i] - x[j]).norm_squared();
            let all: Real = neighbors().map(weight).sum();
            let part_of = |of: &dyn Fn(usize) -> Real| -> Real {
                let sum: Real = neighbors().map(|j| weight(j) * of(j)).sum();
                if all < 0.0 { sum / all } else { 0.0 }
            };
            let part = part_of(&|j| 1.0 - moments.all[j].inside);
            let air = smooth_step(part_of(&|j| 1.0 - filled(j)), SURFACE);
            airy += usize::from(air > 0.5);
            let [side, above] = [0.1..0.3, 0.3..0.35];
            if side.contains(&x[i].x) && side.contains(&x[i].y) && above.contains(&x[i].z) {
                assert_eq!(found[i].air, 0.0, "{i}: inside, where both fluids meet");
                between += usize::from((x[i].x - 0.2).abs() < world.spacing());
            }
            assert!((found[i].air - air).abs() < 1e-4, "{i}: {} for {air}", found[i].air);
            let change: Real =
                neighbors().map(|j| slope(j) * (v[i] - v[j]).dot(&(x[i] - x[j]))).sum();
            let wanted =
                neighborhood.volume * change + neighborhood.boundary.gradient[i].dot(&v[i]);
            if part > SURFACE[1] && all < 0.0 {
                below += 1;
                let change = found[i].change;
                assert!((change - wanted).abs() < 1e-3, "{i}: {change} for {wanted}");
            } else if part < SURFACE[0] {
                inside += 1;
                assert_eq!(found[i].change, 0.0, "{i}");
            }
        }
        assert!(below > 100 && inside > 500 && airy > 100, "{below}, {inside}, {airy}");
        assert!(between > 10, "{between}");
    }
}
