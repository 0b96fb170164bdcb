//! A filter against noise of particles: friction along each pair for what its velocities differ from
//! a linear field.
//!
//! What noise the particles have at the start, and what impacts add, never comes to rest in an ideal
//! fluid. Artificial viscosity (Monaghan 1992) takes it, and shear, vortices and waves with it. Here,
//! as in schemes of Riemann solvers with linear reconstruction, the rate of strain E on both sides is
//! taken off first, so that linear fields, and rotations of any kind, feel nothing:
//!
//! - ρ₀ᵢ aᵢ = Σⱼ (2 α c/d) mᵢⱼ sᵢⱼ (vᵢⱼ·xᵢⱼ − xᵢⱼ·½(Eᵢ + Eⱼ) xᵢⱼ)/(r² + η²) xᵢⱼ, with mᵢⱼ the
//!   harmonic mean of ρ₀/Σⱼ |sᵢⱼ| on both sides: a particle with few neighbours feels each the more
//! - Eᵢ the symmetric part of −Σⱼ V vᵢⱼ ⊗ Lᵢ ∇ᵢWᵢⱼ without its trace: what compresses is noise
//!
//! Forces act along pairs, equal and opposite: they keep momentum and angular momentum. With c from
//! the fluid's pressure, fluid at rest under its weight is quiet in a few dozen steps.
//!
//! Symbols: α strength \[–\], c speed \[m/s\], d spacing \[m\], η = 0.01 h keeps coincident
//! particles apart from zero, V volume \[m³\], s \[1/m⁵\].

use crate::step::pairs::moments::Moment;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::PairData;
use crate::step::pairs::pair_sum::{self, PairSum, displacement, dot, relative_velocity};
use crate::step::pairs::tensor::Tensor;
use crate::world::World;
use hashfall_core::simd::{F32x8, Isa};
use hashfall_core::{Dimension, Real, Vec3, parallel};

/// η over the support radius.
const SOFTENING: Real = 0.01;

/// Finds the filter's accelerations; keeps its buffers between steps.
#[derive(Debug)]
pub struct VelocityFilter {
    isa: Isa,
    /// E \[1/s\], and Σⱼ |sᵢⱼ| \[1/m⁵\].
    strains: Vec<(Tensor, Real)>,
    /// a \[m/s²\].
    accelerations: Vec<Vec3>,
}

impl VelocityFilter {
    /// With this instruction set.
    pub fn new(isa: Isa) -> Self {
        VelocityFilter { isa, strains: Vec::new(), accelerations: Vec::new() }
    }

    /// Adds the accelerations of a filter of this strength, α c/d \[1/s\].
    pub fn add(
        &mut self,
        world: &mut World,
        near: &Neighborhood,
        pairs: &mut PairData,
        moments: &[Moment],
        strength: Real,
    ) {
        if strength <= 0.0 {
            return;
        }
        let (p, fluids) = (&world.particles, &world.fluids);
        let n = p.len();
        let rest_density = |i: usize| fluids[usize::from(p.phase[i])].rest_density;
        self.strains.resize(n, Default::default());
        self.accelerations.resize(n, Vec3::zeros());
        let velocity = |i: usize| p.velocity[i];
        pairs.set_vectors(|i| [velocity(i).x, velocity(i).y, velocity(i).z, 0.0]);
        let sum = StrainRate { near, moments, dimension: world.dimension };
        pair_sum::for_all(self.isa, &near.lists, pairs, &sum, &mut self.strains);
        let strains = &self.strains;
        let share = |i: usize| {
            let weight = strains[i].1;
            if weight > 0.0 { rest_density(i) / weight } else { 0.0 }
        };
        pairs.set_scalars(share);
        pairs.set_vectors(|i| {
            let [xx, ..] = strains[i].0.0;
            [velocity(i).x, velocity(i).y, velocity(i).z, xx]
        });
        // zz = −xx − yy.
        pairs.set_extras(|i| {
            let [_, yy, _, xy, xz, yz] = strains[i].0.0;
            [yy, xy, xz, yz]
        });
        let softening = SOFTENING * world.support_radius;
        let sum = Friction { softening: softening * softening };
        pair_sum::for_all(self.isa, &near.lists, pairs, &sum, &mut self.accelerations);
        let accelerations = &self.accelerations;
        let (particles, fluids) = (&mut world.particles, &world.fluids);
        let (in_nozzle, phases) = (&particles.in_nozzle, &particles.phase);
        parallel::fill(&mut particles.acceleration, |i, a| {
            if in_nozzle[i] == 0 {
                let rest_density = fluids[usize::from(phases[i])].rest_density;
                *a += accelerations[i] * (2.0 * strength / rest_density);
            }
        });
    }
}

/// E of the velocities, without its trace.
struct StrainRate<'a> {
    near: &'a Neighborhood,
    moments: &'a [Moment],
    dimension: Dimension,
}

impl PairSum<8, 10> for StrainRate<'_> {
    type Out = (Tensor, Real);

    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; 10], own: &[V; 8], other: &[V; 8], slope: V) {
        let x = displacement(own, other);
        let v = relative_velocity(own, other).map(|d| slope * d);
        sums[9] += slope;
        for (k, sum) in sums[..9].iter_mut().enumerate() {
            *sum += v[k / 3] * x[k % 3];
        }
    }

    #[inline(always)]
    fn finish(&self, i: usize, sums: [Real; 10], out: &mut (Tensor, Real)) {
        let correction = &self.moments[i].correction;
        let row = |k: usize| *correction * Vec3::new(sums[3 * k], sums[3 * k + 1], sums[3 * k + 2]);
        let [x, y, z] = [row(0), row(1), row(2)];
        let [a, b, c, d, e, f] =
            [x.x, y.y, z.z, 0.5 * (x.y + y.x), 0.5 * (x.z + z.x), 0.5 * (y.z + z.y)];
        let whole = Tensor([a, b, c, d, e, f]) * -self.near.volume;
        let [xx, yy, zz, ..] = whole.0;
        let (mean, across) = match self.dimension {
            Dimension::Two => (0.5 * (xx + zz), 0.0),
            Dimension::Three => ((xx + yy + zz) / 3.0, (xx + yy + zz) / 3.0),
        };
        *out = (whole + Tensor([-mean, -across, -mean, 0.0, 0.0, 0.0]), -sums[9]);
    }
}

/// The friction of all pairs of a particle.
struct Friction {
    /// η² \[m²\].
    softening: Real,
}

impl PairSum<12, 3> for Friction {
    type Out = Vec3;

    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; 3], own: &[V; 12], other: &[V; 12], slope: V) {
        let [dx, dy, dz] = displacement(own, other);
        let approach = dot([own[4] - other[4], own[5] - other[5], own[6] - other[6]], [dx, dy, dz]);
        let (xx, yy) = (own[7] + other[7], own[8] + other[8]);
        let (xy, xz, yz) = (own[9] + other[9], own[10] + other[10], own[11] + other[11]);
        let zz = slope.splat(0.0) - xx - yy;
        let along = [
            dot([xx, xy, xz], [dx, dy, dz]),
            dot([xy, yy, yz], [dx, dy, dz]),
            dot([xz, yz, zz], [dx, dy, dz]),
        ];
        let linear = slope.splat(0.5) * dot(along, [dx, dy, dz]);
        let square = dot([dx, dy, dz], [dx, dy, dz]) + slope.splat(self.softening);
        let share = slope.splat(2.0) * own[3] * (other[3] / (own[3] + other[3]));
        let weight = slope * share * (approach - linear) / square;
        sums[0] += weight * dx;
        sums[1] += weight * dy;
        sums[2] += weight * dz;
    }

    #[inline(always)]
    fn finish(&self, _: usize, sums: [Real; 3], out: &mut Vec3) {
        *out = Vec3::from(sums);
    }
}
