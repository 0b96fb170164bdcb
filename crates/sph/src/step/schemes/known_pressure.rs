//! Smooths the pressure that a projection takes for known.
//!
//! A known pressure acts by the consistent gradient, which has no partner among the divergences
//! ([`super::pressure_operator`]): to a smooth pressure that does little, but what alternates from
//! particle to particle does work that nobody gave it. The pressure has such a part, as it answers
//! forces that do: those of the [filter](super::velocity_filter). Kept from step to step it takes
//! up to nine times as much of a standing wave as the filter itself, the more the shorter the
//! steps.
//!
//! So most of what is rough is not kept. The projection seeks it anew with all else that has
//! changed, and it acts by the adjoint gradient, which makes no energy:
//!
//! - pᵢ ← pᵢ − β Σⱼ |s| ((pᵢ − pⱼ) − xᵢⱼ·½(gᵢ + gⱼ)) / Σⱼ |s|, with g the consistent gradient of p.
//!
//! It leaves the linear pressures of water at rest as they are, whatever the particles' order,
//! beside solids, too. It is no filter of what comes out: the pressure at the end of a step has all
//! of its rough part, the one that is kept for the next half kick about half.
//!
//! Symbols: p \[Pa\], g \[Pa/m\], s = W′/r \[1/m⁵\].

use crate::step::pairs::moments::Moments;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::PairData;
use crate::step::pairs::row_sum::{self, RowSum};
use crate::step::schemes::projection::Projection;
use crate::world::World;
use hashfall_core::simd::F32x8;
use hashfall_core::{Real, Vec3, parallel};

/// β: with 0.5 short steps still lose 0.9 % of a wave in a second, with 1 they gain 0.5 % \[–\].
const SMOOTHED: Real = 0.8;

impl Projection {
    /// Takes off what is rough in the world's pressures, within their bounds; the accelerations are
    /// those without pressure. Comes after the bounds, as what they cut off is rough. In spray
    /// pressures only fall: none comes from a drop nearby.
    pub(super) fn smooth_known_pressure(
        &mut self,
        world: &mut World,
        neighborhood: &Neighborhood,
        pairs: &mut PairData,
        moments: &Moments,
    ) {
        let particles = &mut world.particles;
        let (n, isa, lists) = (particles.len(), self.isa, &neighborhood.lists);
        let (pressure, acceleration, fluids) =
            (&particles.pressure, &particles.acceleration, &world.fluids);
        let weight =
            |i: usize| acceleration[i] * fluids[usize::from(particles.phase[i])].rest_density;
        pairs.set_scalars(|i| pressure[i]);
        // What these two hold is not needed before the right-hand side.
        let (gradients, rough) = (&mut self.velocities, &mut self.rhs);
        gradients.resize(n, Vec3::zeros());
        rough.resize(n, 0.0);
        let [points, ..] = pairs.blocks();
        let sum = Gradient { neighborhood, moments, weight };
        row_sum::for_all(isa, lists, [points], &sum, gradients);
        pairs.set_vectors(|i| {
            let g = &gradients[i];
            [g.x, g.y, g.z, 0.0]
        });
        let [points, vectors, _] = pairs.blocks();
        row_sum::for_all(isa, lists, [points, vectors], &Roughness, rough);
        parallel::fill_both(&mut particles.pressure, &mut self.lower, |i, p, lower| {
            let rough = SMOOTHED * rough[i];
            if *lower > Real::NEG_INFINITY {
                let rough = if moments.all[i].is_coherent() { rough } else { rough.max(0.0) };
                *p = (*p - rough).max(0.0);
                *lower = -*p;
            } else {
                *p -= rough;
            }
        });
    }
}

/// The consistent gradient. Points carry p.
struct Gradient<'a, F> {
    neighborhood: &'a Neighborhood,
    moments: &'a Moments,
    /// ρ₀ f of a particle \[N/m³\].
    weight: F,
}

impl<F: Fn(usize) -> Vec3 + Sync> RowSum<1, 1> for Gradient<'_, F> {
    type Out = Vec3;

    #[inline(always)]
    fn add<V: F32x8>(&self, [sum]: &mut [V; 1], [particle]: &[V; 1], [other]: &[V; 1], slope: V) {
        let x = *particle - *other;
        *sum += slope * x * x.splat_fourth();
    }

    #[inline(always)]
    fn finish(&self, i: usize, [[x, y, z, _]]: [[Real; 4]; 1], out: &mut Vec3) {
        let fall = Vec3::new(x, y, z) * self.neighborhood.volume;
        let walls = self.neighborhood.boundary.mirror_rise(i, &(self.weight)(i));
        *out = self.moments.all[i].correction * (walls - fall);
    }
}

/// What pressures differ from a linear reconstruction. Points carry p, vectors g.
struct Roughness;

impl RowSum<2, 2> for Roughness {
    type Out = Real;

    #[inline(always)]
    fn add<V: F32x8>(
        &self,
        [jumps, slopes]: &mut [V; 2],
        particle: &[V; 2],
        other: &[V; 2],
        slope: V,
    ) {
        let x = particle[0] - other[0];
        // The fourth is the difference of pressures.
        *jumps += slope * ((particle[1] + other[1]) * x).with_fourth(x);
        *slopes += slope;
    }

    #[inline(always)]
    fn finish(&self, _: usize, [[x, y, z, jump], [slope, ..]]: [[Real; 4]; 2], out: &mut Real) {
        *out = if slope < 0.0 { (jump - 0.5 * (x + y + z)) / slope } else { 0.0 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::tests::{DFSPH, neighborhood, splash};
    use hashfall_core::simd::Isa;
    use hashfall_geometry::random::Random;

    /// The block over a ball, of one fluid under gravity alone.
    fn block() -> World {
        let mut world = splash(DFSPH);
        world.forces.clear();
        world.fluids.truncate(1);
        world.particles.phase.fill(0);
        world.particles.acceleration.fill(world.gravity);
        world
    }

    /// The pressures that are left of these, and the moments.
    fn smoothed(world: &mut World, pressure: impl Fn(&Vec3) -> Real) -> (Vec<Real>, Moments) {
        let (neighborhood, mut pairs) = neighborhood(world);
        let mut moments = Moments::new(Isa::current());
        moments.update(world, &neighborhood, &mut pairs);
        world.particles.pressure = world.particles.position.iter().map(pressure).collect();
        let before = world.particles.clone();
        let mut left: Option<Vec<Real>> = None;
        for isa in Isa::available() {
            world.particles = before.clone();
            let mut projection = Projection::new(isa);
            projection.lower.resize(world.particles.len(), Real::NEG_INFINITY);
            projection.smooth_known_pressure(world, &neighborhood, &mut pairs, &moments);
            let found = world.particles.pressure.clone();
            assert_eq!(*left.get_or_insert_with(|| found.clone()), found, "{isa:?}");
        }
        (left.unwrap(), moments)
    }

    #[test]
    fn a_linear_pressure_stays() {
        let mut world = block();
        let pressure = |x: &Vec3| 9810.0 * (0.45 - x.z);
        let (left, moments) = smoothed(&mut world, pressure);
        let step = 9810.0 * world.spacing();
        let positions = world.particles.position.iter();
        let inside = left.iter().zip(positions).zip(&moments.all).filter(|(_, m)| m.inside > 0.999);
        assert!(inside.clone().count() > 500);
        for ((p, x), _) in inside {
            assert!((p - pressure(x)).abs() < 0.05 * step, "{p} for {}", pressure(x));
        }
    }

    /// By the definition, in doubles.
    #[test]
    fn what_is_rough_is_taken_off() {
        let mut world = block();
        let random = std::cell::RefCell::new(Random::new(5));
        let noise = |_: &Vec3| random.borrow_mut().number(-1.0, 1.0) as Real;
        let (left, moments) = smoothed(&mut world, noise);
        let mut world = block();
        *random.borrow_mut() = Random::new(5);
        let (neighborhood, _) = neighborhood(&mut world);
        let x = &world.particles.position;
        let p: Vec<f64> = x.iter().map(|x| f64::from(noise(x))).collect();
        let slope = |i: usize, j: usize| world.kernel().slope_over_r((x[i] - x[j]).norm());
        let neighbors = |i: usize| neighborhood.lists.of(i).iter().map(|&j| j as usize);
        let g: Vec<Vec3> = (0..p.len())
            .map(|i| {
                let of_pair = |j: usize| {
                    (x[i] - x[j]) * (neighborhood.volume * slope(i, j) * (p[j] - p[i]) as Real)
                };
                let walls = neighborhood.boundary.mirror_rise(i, &(world.gravity * 1000.0));
                moments.all[i].correction * (neighbors(i).map(of_pair).sum::<Vec3>() + walls)
            })
            .collect();
        let (mut squares, mut squares_before) = (0.0, 0.0);
        for i in 0..p.len() {
            let weights: f64 = neighbors(i).map(|j| f64::from(slope(i, j))).sum();
            let jump = |j: usize| {
                let linear = 0.5 * f64::from((g[i] + g[j]).dot(&(x[i] - x[j])));
                f64::from(slope(i, j)) * (p[i] - p[j] - linear)
            };
            let rough = neighbors(i).map(jump).sum::<f64>() / weights;
            let (wanted, size) = (p[i] - 0.8 * rough, 1.0 + rough.abs());
            assert!((f64::from(left[i]) - wanted).abs() < 1e-4 * size, "{} for {wanted}", left[i]);
            if moments.all[i].inside > 0.999 {
                squares += f64::from(left[i]).powi(2);
                squares_before += p[i].powi(2);
            }
        }
        assert!(squares < 0.2 * squares_before, "{squares} of {squares_before}");
    }

    /// Pressures that may not be negative are not, and their bounds are their own.
    #[test]
    fn bounds_hold_on() {
        let mut world = block();
        let (neighborhood, mut pairs) = neighborhood(&mut world);
        let mut moments = Moments::new(Isa::current());
        moments.update(&world, &neighborhood, &mut pairs);
        let mut random = Random::new(6);
        world.particles.pressure.fill_with(|| random.number(0.0, 1.0).powi(12) as Real);
        let pressure = &world.particles.pressure;
        let is_bound = |i: usize| i.is_multiple_of(2);
        let bound = |i: usize| if is_bound(i) { -pressure[i] } else { Real::NEG_INFINITY };
        let mut projection = Projection::new(Isa::current());
        projection.lower = (0..pressure.len()).map(bound).collect();
        projection.smooth_known_pressure(&mut world, &neighborhood, &mut pairs, &moments);
        let pressure = &world.particles.pressure;
        let negative = (0..pressure.len()).filter(|&i| pressure[i] < 0.0).count();
        assert!(negative > 10, "{negative}");
        for i in (0..pressure.len()).filter(|&i| is_bound(i)) {
            assert!(pressure[i] >= 0.0 && projection.lower[i] == -pressure[i], "{i}");
        }
    }
}
