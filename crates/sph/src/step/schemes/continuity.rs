//! Density that goes with the flow instead of being summed.
//!
//! A sum over neighbours finds too little density at a free surface, so that the fluid draws
//! together there; and it jumps about as neighbours pass by. Here a particle starts at rest density
//! and keeps account of what comes and goes (Monaghan 1992, eq. 2.17), with a diffusion against the
//! noise that pressure waves leave (δ-SPH: Molteni & Colagrossi 2009, Antuono et al. 2010), which
//! spares the stratification under gravity (Fourtakas et al. 2019, eq. 15):
//!
//! - dδᵢ/dt = (D v)ᵢ − 2 ξ ½h Σⱼ V cᵢⱼ (δⱼ − δᵢ − g·xⱼᵢ ½(cᵢ⁻² + cⱼ⁻²)) sᵢⱼ
//!
//! with D of [`crate::step::schemes::pressure_operator`], the transpose of what pressure does to
//! velocities: its work is the energy that compression takes up. Half of a step goes with the
//! places before it and half with those after, both with the velocity between them: the same
//! backwards. What this costs: nothing brings a density back that has drifted from what a sum would
//! find.
//!
//! cᵢⱼ is the harmonic mean of the speeds of sound at both, a deviation for several fluids: noise
//! goes with sound, and by that of the densest fluid alone a lighter one, in which sound is faster,
//! would be damped so much less. Across an interface δ at rest grows as it does in either fluid for
//! half of the way; of pairs that it does not halve this leaves an error, which the harmonic mean
//! keeps as small as the densest fluid's c does.
//!
//! Symbols: δ = ρ/ρ₀, ξ diffusion \[–\], c speed of sound \[m/s\], h support radius \[m\], g
//! gravity and other body forces \[m/s²\], V volume \[m³\], s \[1/m⁵\].

use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::PairData;
use crate::step::pairs::pair_sum::{self, PairSum, displacement, dot, relative_velocity};
use crate::step::schemes::sound::squared_sound_speeds;
use crate::world::{BodyField, World};
use hashfall_core::simd::{F32x8, Isa};
use hashfall_core::{Real, Vec3, parallel};

/// Advances densities; keeps its buffers between steps.
#[derive(Debug)]
pub struct Continuity {
    isa: Isa,
    /// ξ \[–\].
    diffusion: Real,
    /// c² in each fluid \[m²/s²\].
    squares: Vec<Real>,
    /// dδ/dt \[1/s\].
    rates: Vec<Real>,
}

impl Continuity {
    /// With this diffusion ξ \[–\], and this instruction set.
    pub fn new(diffusion: Real, isa: Isa) -> Self {
        Continuity { isa, diffusion, squares: Vec::new(), rates: Vec::new() }
    }

    /// Advances all densities by `dt` \[s\], at the present places and velocities.
    pub fn advance(
        &mut self,
        world: &mut World,
        near: &Neighborhood,
        pairs: &mut PairData,
        sound_speed: Real,
        dt: Real,
    ) {
        let (p, fluids) = (&world.particles, &world.fluids);
        self.squares.clear();
        self.squares.extend(squared_sound_speeds(fluids, sound_speed));
        let squares = &self.squares;
        pairs.set_scalars(|i| p.density[i] / fluids[usize::from(p.phase[i])].rest_density);
        pairs.set_vectors(|i| {
            let (v, phase) = (&p.velocity[i], usize::from(p.phase[i]));
            [v.x, v.y, v.z, 1.0 / squares[phase].sqrt()]
        });
        self.rates.resize(p.len(), 0.0);
        let sum = DensityRate {
            near,
            pairs,
            twice: 2.0 * self.diffusion * world.support_radius,
            body: world.body_field(),
        };
        pair_sum::for_all(self.isa, &near.lists, pairs, &sum, &mut self.rates);
        let (rates, phases) = (&self.rates, &world.particles.phase);
        parallel::fill(&mut world.particles.density, |i, density| {
            *density += dt * rates[i] * fluids[usize::from(phases[i])].rest_density;
        });
    }
}

/// dδ/dt. Points carry δ, vectors are the velocity and 1/c.
struct DensityRate<'a> {
    near: &'a Neighborhood,
    pairs: &'a PairData,
    /// 2 ξ h \[m\].
    twice: Real,
    /// g.
    body: BodyField,
}

/// Σ s (v·x + ξcᵢⱼh (δᵢ − δⱼ)), and Σ s ξcᵢⱼh ½(cᵢ⁻² + cⱼ⁻²) x.
impl PairSum<8, 4> for DensityRate<'_> {
    type Out = Real;

    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; 4], own: &[V; 8], other: &[V; 8], slope: V) {
        let [dx, dy, dz] = displacement(own, other);
        let approach = dot(relative_velocity(own, other), [dx, dy, dz]);
        let diffusion = own[0].splat(self.twice) / (own[7] + other[7]);
        sums[0] += slope * (approach + (own[3] - other[3]) * diffusion);
        let growth = (own[7] * own[7] + other[7] * other[7]) * 0.5;
        let weight = slope * diffusion * growth;
        sums[1] += weight * dx;
        sums[2] += weight * dy;
        sums[3] += weight * dz;
    }

    #[inline(always)]
    fn finish(&self, i: usize, [rate, sums @ ..]: [Real; 4], out: &mut Real) {
        let ([x, y, z, _], [u, v, w, _]) = (self.pairs.point(i), self.pairs.vector(i));
        let solids = &self.near.boundary;
        let solid = solids.gradient[i].dot(&Vec3::new(u, v, w)) - solids.wall_flux[i];
        // How δ grows with depth at rest is no excess.
        let excess = self.body.at(&Vec3::new(x, y, z)).dot(&Vec3::from(sums));
        *out = self.near.volume * (rate - excess) + solid;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::tests::{WCSPH, neighborhood, splash};

    const SOUND_SPEED: Real = 30.0;

    /// A splash that stands still, with this δ of each particle, and dδ/dt \[1/s\].
    fn rates(
        prepare: impl FnOnce(&mut World),
        fraction: impl Fn(&World, usize) -> f64,
    ) -> Vec<f64> {
        let mut world = splash(WCSPH);
        world.forces.clear();
        world.particles.velocity.fill(Vec3::zeros());
        prepare(&mut world);
        let (near, mut pairs) = neighborhood(&mut world);
        let at_rest = |i: usize| world.fluids[usize::from(world.particles.phase[i])].rest_density;
        let set: Vec<Real> =
            (0..world.particles.len()).map(|i| at_rest(i) * fraction(&world, i) as Real).collect();
        world.particles.density.clone_from(&set);
        let dt = 1e-3;
        let mut continuity = Continuity::new(0.1, Isa::current());
        continuity.advance(&mut world, &near, &mut pairs, SOUND_SPEED, dt);
        let p = &world.particles;
        let change = |i: usize| f64::from(p.density[i] - set[i]);
        let at_rest = |i: usize| world.fluids[usize::from(p.phase[i])].rest_density;
        (0..p.len()).map(|i| change(i) / f64::from(at_rest(i) * dt)).collect()
    }

    fn largest(rates: &[f64]) -> f64 {
        rates.iter().fold(0.0, |most, rate| rate.abs().max(most))
    }

    #[test]
    fn diffusion_gives_to_one_fluid_what_it_takes_from_the_other() {
        // All that flows across the interface flows the same way.
        let fraction = |world: &World, i: usize| 1.0 + 0.02 * f64::from(world.particles.phase[i]);
        let rates = rates(|world| world.gravity = Vec3::zeros(), fraction);
        let all: f64 = rates.iter().map(|rate| rate.abs()).sum();
        let sum: f64 = rates.iter().sum();
        assert!(all > 1.0 && sum.abs() < 1e-3 * all, "{sum} of {all}");
    }

    #[test]
    fn layers_at_rest_stay_as_they_are() {
        let interface = 0.3;
        let layers = |world: &mut World| {
            world.fluids[1].rest_density = 50.0;
            let p = &mut world.particles;
            for i in 0..p.len() {
                p.phase[i] = u8::from(p.position[i].z > interface);
            }
        };
        // δ grows by g/c² with depth, and c² is in proportion to 1/ρ.
        let fraction = |world: &World, i: usize| {
            let below = f64::from(interface - world.particles.position[i].z);
            let part = if below > 0.0 { 1.0 } else { 0.05 };
            1.01 + 9.81 * below * part / f64::from(SOUND_SPEED * SOUND_SPEED)
        };
        let kept = largest(&rates(layers, fraction));
        let lost = largest(&rates(
            |world| {
                layers(world);
                world.gravity = Vec3::zeros();
            },
            fraction,
        ));
        assert!(kept < 0.2 * lost, "{kept} {lost}");
    }
}
