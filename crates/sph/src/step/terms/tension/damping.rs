//! Viscosity along surfaces that pull, against waves that are too short for the particles.
//!
//! A force by curvature has no energy behind it that particles could not exceed: ripples of the
//! length of a few spacings gain a little with each swing, until the surface bursts. Their rate is
//! that of capillary waves of that length, √(σ/(ρd³)), so that a viscosity in proportion to
//! √(σd/ρ) stills them; it vanishes with d, and acts between pairs of which either is at the
//! surface:
//!
//! - ρᵢ aᵢ = 2(D + 2) ν Σⱼ V ρᵢⱼ wᵢⱼ (vᵢⱼ·xᵢⱼ)/(xᵢⱼ² + 0.01 h²) sᵢⱼ xᵢⱼ,  ν = β √(σd/ρ̄)
//!
//! (the form of Monaghan 2005, eq. 8.8, in D dimensions), with wᵢⱼ = wᵢ + wⱼ − wᵢwⱼ, and
//! ρᵢⱼ = 2ρᵢρⱼ/(ρᵢ + ρⱼ), so that the lighter of two fluids is not held by the other. It is along
//! the line between two particles: it keeps momentum and angular momentum. Among the particles of
//! the surface alone it is not enough: the layer below swings with them.
//!
//! Of several fluids each has its own σ/ρ at its free surface: ν is that of the largest, of which
//! each has the share √ of its own over that, and a pair has the harmonic mean of both. Fluid
//! without tension is not damped.
//!
//! Where a surface meets a solid, its line slides against a drag as of three times that viscosity,
//! as fluid does that sticks ([`crate::step::schemes::pair_forces`]): without any it swings until
//! it comes off. The solid takes what the drag gives. Single particles are no line: they slide, as
//! they do without tension, and come together, where they would stay behind a drop that runs off.
//!
//! Symbols: σ tension \[N/m\], d spacing, h support radius \[m\], w weight of a normal \[–\], β
//! strength \[–\], ρ̄ mean density of the fluids on both sides, of one where the other is air
//! \[kg/m³\].

use crate::step::pairs::pair_sum::{self, PairSum, displacement, dot};
use crate::step::schemes::context::StageContext;
use crate::step::terms::tension::free_surface::FreeSurface;
use crate::world::World;
use hashfall_core::simd::{F32x8, Isa};
use hashfall_core::{Length, Real, Vec3};

/// β \[–\]. With 0.1 drops of 40 spacings across their radius burst after a swing, with 0.2 none is
/// known to, without any other viscosity.
const STRENGTH: Real = 0.25;

/// Of the viscosity against solids, over that between particles \[–\].
const CONTACT_LINE: Real = 3.0;

/// By how much less than at a flat surface the surroundings of a particle may be filled that is
/// dragged, and from which on none is \[–\]. A single one on a solid lacks 0.27 in the plane, 0.46
/// in space, and one of a pair in space 0.38.
const SINGLE: [Real; 2] = [0.3, 0.45];

/// Damps surfaces; keeps its buffers between steps.
#[derive(Debug)]
pub struct Damping {
    isa: Isa,
    /// ρᵢ aᵢ over 2(D + 2) ν \[kg/(m⁴ s)\].
    found: Vec<Vec3>,
}

impl Damping {
    /// Found with this instruction set.
    pub fn new(isa: Isa) -> Self {
        Damping { isa, found: Vec::new() }
    }

    /// Adds the accelerations of a surface with this σ/ρ̄ \[m³/s²\], by the weights of the normals
    /// and the shares of the fluids, and that with the air, if it is one. Solids take their part.
    pub fn add(
        &mut self,
        world: &mut World,
        context: &mut StageContext<'_>,
        weight: impl Fn(usize) -> Real + Sync,
        share: impl Fn(u8) -> Real + Sync,
        air: Option<&FreeSurface>,
        tension_over_density: Real,
    ) {
        let (p, fluids) = (&world.particles, &world.fluids);
        let StageContext { neighborhood, pairs, reactions, .. } = context;
        pairs.set_scalars(weight);
        pairs.set_vectors(|i| {
            let v = &p.velocity[i];
            [v.x, v.y, v.z, fluids[usize::from(p.phase[i])].rest_density]
        });
        pairs.set_extras(|i| [share(p.phase[i]), 0.0, 0.0, 0.0]);
        self.found.resize(p.len(), Vec3::zeros());
        let softening = 0.01 * world.support_radius * world.support_radius;
        let sum = Approach { softening };
        pair_sum::for_all(self.isa, &neighborhood.lists, pairs, &sum, &mut self.found);
        let viscosity = STRENGTH * (tension_over_density * world.spacing()).sqrt();
        let scale =
            2.0 * (Real::from(world.dimension.count()) + 2.0) * viscosity * neighborhood.volume;
        let line_viscosity = 2.0 * CONTACT_LINE * viscosity;
        let least = 0.5 * world.particle_radius;
        let (found, volume) = (&self.found, world.particle_volume());
        let (particles, solids) = (&mut world.particles, &world.solids);
        let (positions, velocities) = (&particles.position, &particles.velocity);
        let fractions = &particles.fluid_fraction;
        reactions.fill(&mut particles.acceleration, |i, acceleration, account| {
            let ([.., weight], [.., rest_density]) = (pairs.point(i), pairs.vector(i));
            let [share, ..] = pairs.extra(i);
            *acceleration += found[i] * (scale / rest_density);
            if weight * share == 0.0 {
                return;
            }
            if let Some((acting, sliding)) = neighborhood.boundary.slides(i, velocities[i], solids)
            {
                let slope = neighborhood.boundary.gradient[i].length();
                let distance = neighborhood.boundary.distance[i].max(least);
                let lack = air.map_or(0.0, |air| air.lack(neighborhood, i, fractions[i]));
                let held = weight * share * part_held(lack);
                let drag = sliding * -(line_viscosity * held * slope / distance);
                *acceleration += drag;
                account.add(acting, positions[i], drag * (rest_density * volume));
            }
        });
        reactions.act_too();
    }
}

/// The part of a line's drag of a particle that lacks this \[–\].
fn part_held(lack: Real) -> Real {
    let [all, none] = SINGLE;
    ((none - lack) / (none - all)).clamp(0.0, 1.0)
}

/// Σ ρᵢⱼ wᵢⱼ (v·x)/(x² + 0.01 h²) s x, by the shares of both. Points carry w, vectors are the
/// velocity and ρ, extras the share.
struct Approach {
    /// 0.01 h² \[m²\].
    softening: Real,
}

impl PairSum<12, 3> for Approach {
    type Out = Vec3;

    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; 3], particle: &[V; 12], other: &[V; 12], slope: V) {
        let x = displacement(particle, other);
        let approach = dot([4, 5, 6].map(|k| particle[k] - other[k]), x);
        let softened = dot(x, x) + particle[0].splat(self.softening);
        let density = particle[7] * other[7] * 2.0 / (particle[7] + other[7]);
        let either = particle[3] + other[3] - particle[3] * other[3];
        let least = particle[0].splat(Real::MIN_POSITIVE);
        let share = particle[8] * other[8] * 2.0 / (particle[8] + other[8] + least);
        let weight = density * share * either * approach / softened * slope;
        sums[0] += weight * x[0];
        sums[1] += weight * x[1];
        sums[2] += weight * x[2];
    }

    #[inline(always)]
    fn finish(&self, _: usize, sums: [Real; 3], out: &mut Vec3) {
        *out = Vec3::from(sums);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::bodies::coupling::BodyCoupling;
    use crate::step::boundary::reactions::Reactions;
    use crate::step::tests::{box_of_one, neighborhood};
    use crate::world::{Fluid, Particles};

    /// The accelerations of two particles of fluids of these densities that close along z, if both
    /// are at the surface and their fluids have these shares.
    fn accelerations(densities: [Real; 2], shares: [Real; 2]) -> [Vec3; 2] {
        let mut world = box_of_one(Vec3::repeat(0.5));
        let water = world.fluids[0].clone();
        world.fluids = densities.map(|rest_density| Fluid { rest_density, ..water.clone() }).into();
        world.particles.velocity[0] = Vec3::z();
        world.particles.density[0] = densities[0];
        let above = Vec3::repeat(0.5) + Vec3::z() * world.spacing();
        world.particles.push(above, Vec3::zeros(), 1, densities[1]);
        let (neighborhood, mut pairs) = neighborhood(&mut world);
        let mut reactions = Reactions::new(7);
        let share = |phase: u8| shares[usize::from(phase)];
        let (neighborhood, pairs, reactions) = (&neighborhood, &mut pairs, &mut reactions);
        let bodies = &mut BodyCoupling::new(&world);
        let context = &mut StageContext { neighborhood, pairs, bodies, reactions, inactive: &[] };
        Damping::new(Isa::current()).add(&mut world, context, |_| 1.0, share, None, 1.0);
        let p = &world.particles;
        let of = |phase: u8| p.acceleration[p.phase.iter().position(|&it| it == phase).unwrap()];
        [of(0), of(1)]
    }

    #[test]
    fn a_pair_is_damped_by_the_shares_of_both_fluids_and_keeps_momentum() {
        let [below, above] = accelerations([1000.0, 1000.0], [1.0, 1.0]);
        assert!(below.z < -1.0 && above == -below, "{below:?} {above:?}");
        // The harmonic mean of shares, and of densities over one's own.
        let [part, _] = accelerations([1000.0, 1000.0], [1.0, 0.25]);
        assert!((part.z / below.z - 0.4).abs() < 1e-5, "{part:?}");
        let [heavy, light] = accelerations([1000.0, 250.0], [1.0, 1.0]);
        assert!((heavy.z / below.z - 0.4).abs() < 1e-5, "{heavy:?}");
        assert!((light.z + 4.0 * heavy.z).abs() < 1e-5 * light.z, "{heavy:?} {light:?}");
        // Fluid without tension is let alone.
        assert_eq!(accelerations([1000.0, 1000.0], [1.0, 0.0]), [Vec3::zeros(); 2]);
    }

    /// A row of so many particles that slide across it on a floor: what the middle one is dragged
    /// by, along with what it is where every particle counts as a line.
    fn drags(count: usize) -> [Real; 2] {
        [true, false].map(|knows_of_air| {
            let mut world = box_of_one(Vec3::zeros());
            let d = world.spacing();
            world.particles = Particles::default();
            for k in 0..count {
                let x = Vec3::new(0.5, 0.5 + k as Real * d, 0.5 * d);
                world.particles.push(x, Vec3::x(), 0, 1000.0);
            }
            let (neighborhood, mut pairs) = neighborhood(&mut world);
            let mut surface = FreeSurface::new(Isa::current(), &world.solid_layers(), d);
            surface.find(&world, &neighborhood, &pairs);
            let mut reactions = Reactions::new(7);
            let (neighborhood, pairs, reactions) = (&neighborhood, &mut pairs, &mut reactions);
            let bodies = &mut BodyCoupling::new(&world);
            let context =
                &mut StageContext { neighborhood, pairs, bodies, reactions, inactive: &[] };
            let air = knows_of_air.then_some(&surface);
            Damping::new(Isa::current()).add(&mut world, context, |_| 1.0, |_| 1.0, air, 1.0);
            world.particles.acceleration.iter().map(|a| -a.x).fold(0.0, Real::max)
        })
    }

    #[test]
    fn single_particles_slide_on_solids_and_rows_are_held() {
        let [single, row] = [drags(1), drags(9)];
        assert!(single[1] > 1.0 && single[0] == 0.0, "{single:?}");
        assert!(row[0] > 0.9 * row[1], "{row:?}");
    }
}
