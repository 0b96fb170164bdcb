//! How the flow changes the density of the layers below a free surface.
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
//! Symbols: D₀ the change of the density \[–\], s = W′/r \[1/m⁵\], χ inside the fluid \[–\].

use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::PairData;
use crate::step::pairs::row_sum::RowSum;
use crate::step::pairs::smooth_step::smooth_step;
use hashfall_core::simd::F32x8;
use hashfall_core::{Real, Vec3};

/// The part of the surroundings that is at a surface up to which the rate does not count, and from
/// which on it does \[–\].
const SURFACE: [Real; 2] = [0.2, 0.35];

/// The rate at which the density below free surfaces changes \[1/s\]. Points carry χ, vectors are
/// velocities.
pub struct SurfaceChange<'a> {
    /// The pairs.
    pub neighborhood: &'a Neighborhood,
    /// Points with χ, and velocities.
    pub pairs: &'a PairData,
    /// 2 u·∇λ of solids that move \[1/s\]; empty if none do.
    pub fluxes: &'a [Real],
}

impl RowSum<2, 3> for SurfaceChange<'_> {
    type Out = Real;

    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; 3], particle: &[V; 2], other: &[V; 2], slope: V) {
        let x = particle[0] - other[0];
        let weight = slope * x * x;
        sums[0] += slope * (particle[1] - other[1]) * x;
        sums[1] += weight;
        sums[2] += weight * other[0].splat_fourth();
    }

    #[inline(always)]
    fn finish(&self, i: usize, sums: [[Real; 4]; 3], out: &mut Real) {
        let [change, all, inside] = sums.map(|[x, y, z, _]| x + y + z);
        if all >= 0.0 {
            *out = 0.0;
            return;
        }
        let [u, v, w, _] = self.pairs.vector(i);
        let Neighborhood { volume, boundary, .. } = self.neighborhood;
        let flux = self.fluxes.get(i).copied().unwrap_or_default();
        let solids = boundary.gradient[i].dot(&Vec3::new(u, v, w)) - 0.5 * flux;
        *out = (volume * change + solids) * smooth_step(1.0 - inside / all, SURFACE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::pairs::moments::Moments;
    use crate::step::pairs::row_sum;
    use crate::step::tests::{DFSPH, neighborhood, splash};
    use hashfall_core::simd::Isa;

    /// Of a strain without divergence, by the definition, where it counts in full; and of none
    /// inside.
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
        pairs.set_vectors(|i| [v[i].x, v[i].y, v[i].z, 0.0]);
        let mut found = vec![Real::NAN; x.len()];
        let sum = SurfaceChange { neighborhood: &neighborhood, pairs: &pairs, fluxes: &[] };
        let [points, vectors, _] = pairs.blocks();
        let lists = &neighborhood.lists;
        row_sum::for_all(Isa::current(), lists, [points, vectors], &sum, &mut found);
        let (mut below, mut inside) = (0, 0);
        for i in 0..x.len() {
            let slope = |j: usize| world.kernel().slope_over_r((x[i] - x[j]).norm());
            let neighbors = || neighborhood.lists.of(i).iter().map(|&j| j as usize);
            let weight = |j: usize| slope(j) * (x[i] - x[j]).norm_squared();
            let all: Real = neighbors().map(weight).sum();
            let at_surface: Real =
                neighbors().map(|j| weight(j) * (1.0 - moments.all[j].inside)).sum();
            let part = if all < 0.0 { at_surface / all } else { 0.0 };
            let change: Real =
                neighbors().map(|j| slope(j) * (v[i] - v[j]).dot(&(x[i] - x[j]))).sum();
            let wanted =
                neighborhood.volume * change + neighborhood.boundary.gradient[i].dot(&v[i]);
            if part > SURFACE[1] && all < 0.0 {
                below += 1;
                assert!((found[i] - wanted).abs() < 1e-3, "{i}: {} for {wanted}", found[i]);
            } else if part < SURFACE[0] {
                inside += 1;
                assert_eq!(found[i], 0.0, "{i}");
            }
        }
        assert!(below > 100 && inside > 500, "{below}, {inside}");
    }
}
