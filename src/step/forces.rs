//! Accelerations: body forces ([`crate::world::BodyField`]), viscosity and pressure.
//!
//! With δ = ρ/ρ₀, equal rest volumes V and ∇ᵢWᵢⱼ = sᵢⱼ xᵢⱼ (see [`super::neighborhood`]):
//!
//! - pressure: ρ₀ᵢ aᵢ = −Σⱼ V (kᵢ + kⱼ) ∇ᵢWᵢⱼ − (kᵢ + kˢᵢ) ∇λᵢ, with k = p/δ². A solid answers with
//!   kˢ, the mean of k around the particle (in the spirit of Adami et al. 2012). Both other choices
//!   were measured in a tank 40 layers deep: the particle's own k feeds the fluid, which then never
//!   comes to rest (0.39 J of motion after 2 s); no answer at all draws the first layer to the wall
//!   (0.02 J); the mean does neither (0.007 J).
//! - viscosity (Monaghan 2005, eq. 4.7, for three dimensions):
//!   ρ₀ᵢ aᵢ = Σⱼ V (10 μᵢⱼ + αcd ρ₀ᵢⱼ [vᵢⱼ·xᵢⱼ < 0]) (vᵢⱼ·xᵢⱼ)/(r² + 0.01 h²) ∇ᵢWᵢⱼ,
//!   the second part is Monaghan's artificial viscosity between particles that approach.
//!
//! Both are equal and opposite for a pair, so they keep momentum exactly up to rounding. One pass
//! over the pairs finds both.
//!
//! Symbols: p pressure \[Pa\], μ = ρ₀ν dynamic viscosity \[Pa s\], α artificial viscosity \[–\],
//! c speed of sound \[m/s\], d spacing \[m\], h support radius \[m\].

use super::neighborhood::Neighborhood;
use super::pairs::{self, Block, LANES, PairSum, Record};
use crate::base::isa::{Isa, sum_lanes};
use crate::base::parallel;
use crate::base::{Real, Vec3};
use crate::world::{BodyField, Fluid, World};

/// The forces between particles; keeps its buffers between steps.
#[derive(Debug)]
pub struct PairForces {
    isa: Isa,
    records: Vec<Record>,
    viscosities: Vec<Viscosity>,
}

/// What viscosity is between particles of two fluids.
#[derive(Clone, Copy, Debug)]
struct Viscosity {
    /// 10 μᵢⱼ \[Pa s\].
    physical: Real,
    /// αcd ρ₀ᵢⱼ \[Pa s\].
    artificial: Real,
}

impl PairForces {
    /// Forces that are found with these instructions.
    pub fn on(isa: Isa) -> Self {
        PairForces { isa, records: Vec::new(), viscosities: Vec::new() }
    }

    /// Writes the accelerations of a world whose particles have the factors k = p/δ² \[Pa\], with
    /// the artificial viscosity αcd \[m²/s\].
    pub fn accelerations(
        &mut self,
        world: &mut World,
        near: &Neighborhood,
        factors: &[Real],
        artificial: Real,
    ) {
        self.note_viscosities(&world.fluids, artificial);
        self.note_records(world, factors);
        let softening = 0.01 * world.support_radius * world.support_radius;
        let mut accelerations = std::mem::take(&mut world.particles.acceleration);
        let (isa, lists, records) = (self.isa, &near.lists, &self.records);
        let (viscosities, fluids) = (&self.viscosities, world.fluids.len());
        let body = world.body_field();
        if fluids == 1 {
            let sum = AllForces::<false> { world, near, viscosities, records, softening, body };
            pairs::for_all(isa, lists, records, &sum, &mut accelerations);
        } else {
            let sum = AllForces::<true> { world, near, viscosities, records, softening, body };
            pairs::for_all(isa, lists, records, &sum, &mut accelerations);
        }
        world.particles.acceleration = accelerations;
    }

    /// One entry for each fluid with each.
    fn note_viscosities(&mut self, fluids: &[Fluid], artificial: Real) {
        self.viscosities.clear();
        for a in fluids {
            self.viscosities.extend(fluids.iter().map(|b| Viscosity {
                physical: 5.0 * (a.viscosity * a.rest_density + b.viscosity * b.rest_density),
                artificial: artificial * 0.5 * (a.rest_density + b.rest_density),
            }));
        }
    }

    fn note_records(&mut self, world: &World, factors: &[Real]) {
        let p = &world.particles;
        self.records.resize(p.len(), Record::default());
        parallel::fill(&mut self.records, |i, record| {
            let (x, v) = (&p.position[i], &p.velocity[i]);
            *record = [x.x, x.y, x.z, factors[i], v.x, v.y, v.z, Real::from(p.phase[i])];
        });
    }
}

/// Body forces, viscosity and pressure together, for particles of several fluids if `MIXED`. A
/// record holds x, y, z, k, the velocity, and the number of the fluid.
struct AllForces<'a, const MIXED: bool> {
    world: &'a World,
    near: &'a Neighborhood,
    viscosities: &'a [Viscosity],
    records: &'a [Record],
    /// 0.01 h² \[m²\]: keeps coincident particles from dividing by zero.
    softening: Real,
    /// Gravity and other body forces at the time of the positions.
    body: BodyField,
}

impl<const MIXED: bool> PairSum for AllForces<'_, MIXED> {
    type Sums = PairSums;
    type Out = Vec3;

    #[inline(always)]
    fn add(&self, sums: &mut PairSums, own: &Record, block: &Block) {
        let of_own_fluid = &self.viscosities[own[7] as usize * self.world.fluids.len()..];
        let Viscosity { physical, artificial } = of_own_fluid[0];
        let (mut physical, mut artificial) = ([physical; LANES], [artificial; LANES]);
        if MIXED {
            for l in 0..LANES {
                let viscosity = of_own_fluid[block.records[7][l] as usize];
                (physical[l], artificial[l]) = (viscosity.physical, viscosity.artificial);
            }
        }
        sums.add(own, block, &physical, &artificial, self.softening);
    }

    #[inline(always)]
    fn finish(&self, i: usize, sums: &PairSums, out: &mut Vec3) {
        let AllForces { world, near, .. } = self;
        let factor = self.records[i][3];
        let solid = match near.solids.fraction[i] > 0.0 {
            true => near.solids.gradient[i] * (factor + sums.answer_of_solids(factor)),
            false => Vec3::zeros(),
        };
        let force = (sums.viscous() - sums.pressure()) * near.volume - solid;
        let phase = usize::from(world.particles.phase[i]);
        let body = self.body.at(&world.particles.position[i]);
        *out = body + force * (1.0 / world.fluids[phase].rest_density);
    }
}

/// Sums over the pairs of a particle.
#[derive(Default)]
struct PairSums {
    /// Σ (kᵢ + kⱼ) sᵢⱼ xᵢⱼ.
    pressure: [[Real; LANES]; 3],
    /// Σ viscosity × sᵢⱼ xᵢⱼ.
    viscous: [[Real; LANES]; 3],
    /// Σ sᵢⱼ kⱼ.
    weighted_factors: [Real; LANES],
    /// Σ sᵢⱼ.
    weights: [Real; LANES],
}

impl PairSums {
    #[inline(always)]
    fn add(
        &mut self,
        own: &Record,
        block: &Block,
        physical: &[Real; LANES],
        artificial: &[Real; LANES],
        softening: Real,
    ) {
        let [x, y, z, k, u, v, w, _] = &block.records;
        for l in 0..LANES {
            let [dx, dy, dz] = [own[0] - x[l], own[1] - y[l], own[2] - z[l]];
            let [du, dv, dw] = [own[4] - u[l], own[5] - v[l], own[6] - w[l]];
            let slope = block.slopes[l];
            let approach = du * dx + dv * dy + dw * dz;
            let artificial = if approach < 0.0 { artificial[l] } else { 0.0 };
            let softened = dx * dx + dy * dy + dz * dz + softening;
            let viscous = (physical[l] + artificial) * approach / softened * slope;
            let pressure = (own[3] + k[l]) * slope;
            self.pressure[0][l] += pressure * dx;
            self.pressure[1][l] += pressure * dy;
            self.pressure[2][l] += pressure * dz;
            self.viscous[0][l] += viscous * dx;
            self.viscous[1][l] += viscous * dy;
            self.viscous[2][l] += viscous * dz;
            self.weighted_factors[l] += slope * k[l];
            self.weights[l] += slope;
        }
    }

    #[inline(always)]
    fn pressure(&self) -> Vec3 {
        let [x, y, z] = self.pressure;
        Vec3::new(sum_lanes(x), sum_lanes(y), sum_lanes(z))
    }

    #[inline(always)]
    fn viscous(&self) -> Vec3 {
        let [x, y, z] = self.viscous;
        Vec3::new(sum_lanes(x), sum_lanes(y), sum_lanes(z))
    }

    /// kˢ: the mean of the factors around, each weighted by the slope of the kernel; a particle
    /// alone gives its own.
    #[inline(always)]
    fn answer_of_solids(&self, own: Real) -> Real {
        let weight = sum_lanes(self.weights);
        if weight < 0.0 { sum_lanes(self.weighted_factors) / weight } else { own }
    }
}

/// Kicks every particle: v += a·dt.
pub fn kick(world: &mut World, dt: Real) {
    let accelerations = &world.particles.acceleration;
    parallel::fill(&mut world.particles.velocity, |i, v| *v += accelerations[i] * dt);
}
