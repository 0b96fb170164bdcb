//! Accelerations: gravity, viscosity and pressure.
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
//! over the pairs finds both: what neighbours need to know of a particle stands side by side in one
//! [`Record`], so that a neighbour costs one place in memory.
//!
//! Symbols: p pressure \[Pa\], μ = ρ₀ν dynamic viscosity \[Pa s\], α artificial viscosity \[–\],
//! c speed of sound \[m/s\], d spacing \[m\], h support radius \[m\].

use super::neighborhood::Neighborhood;
use crate::base::isa::{HotLoop, Instructions, Isa, sum_lanes};
use crate::base::parallel::{self, CHUNK};
use crate::base::{Real, Vec3};
use crate::search::ChunkLists;
use crate::world::{Fluid, World};
use rayon::prelude::*;

/// What neighbours read of a particle: x, y, z, k, velocity, and the number of its fluid.
type Record = [Real; 8];

/// Neighbours treated together: as many as a record has numbers.
const LANES: usize = 8;

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
        let isa = self.isa;
        let softening = 0.01 * world.support_radius * world.support_radius;
        let mut accelerations = std::mem::take(&mut world.particles.acceleration);
        accelerations.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, accelerations)| {
            let lists = near.lists.chunk(chunk);
            let pass = Pass { chunk, world, near, lists, forces: self, softening };
            match world.fluids.len() {
                1 => isa.run(ChunkForces::<false> { pass, accelerations }),
                _ => isa.run(ChunkForces::<true> { pass, accelerations }),
            }
        });
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

/// What the forces on a chunk of particles are made of.
struct Pass<'a> {
    chunk: usize,
    world: &'a World,
    near: &'a Neighborhood,
    lists: &'a ChunkLists,
    forces: &'a PairForces,
    /// 0.01 h² \[m²\]: keeps coincident particles from dividing by zero.
    softening: Real,
}

/// Finds the accelerations of a chunk of particles, of several fluids if `MIXED`.
struct ChunkForces<'a, const MIXED: bool> {
    pass: Pass<'a>,
    accelerations: &'a mut [Vec3],
}

impl<const MIXED: bool> HotLoop for ChunkForces<'_, MIXED> {
    type Answer = ();

    #[inline(always)]
    fn run<I: Instructions>(self, instructions: I) {
        let ChunkForces { pass, accelerations } = self;
        for (k, acceleration) in accelerations.iter_mut().enumerate() {
            *acceleration = pass.acceleration::<I, MIXED>(instructions, k);
        }
    }
}

impl Pass<'_> {
    /// The acceleration of the chunk's particle `k` \[m/s²\].
    #[inline(always)]
    fn acceleration<I: Instructions, const MIXED: bool>(&self, instructions: I, k: usize) -> Vec3 {
        let Pass { world, near, forces, .. } = self;
        let i = self.chunk * CHUNK + k;
        let phase = usize::from(world.particles.phase[i]);
        let mut sums = PairSums::default();
        let (neighbors, slopes) = self.lists.pairs(k);
        let ((neighbors, rest), (slopes, slopes_of_rest)) =
            (neighbors.as_chunks::<LANES>(), slopes.as_chunks::<LANES>());
        for (neighbors, slopes) in neighbors.iter().zip(slopes) {
            let block = self.gather::<I, MIXED>(instructions, phase, neighbors, slopes);
            sums.add(&forces.records[i], &block, self.softening);
        }
        if !rest.is_empty() {
            // Idle lanes are the particle itself, without weight.
            let (mut neighbors, mut slopes) = ([i as u32; LANES], [0.0; LANES]);
            neighbors.iter_mut().zip(rest).for_each(|(lane, j)| *lane = *j);
            slopes.iter_mut().zip(slopes_of_rest).for_each(|(lane, slope)| *lane = *slope);
            let block = self.gather::<I, MIXED>(instructions, phase, &neighbors, &slopes);
            sums.add(&forces.records[i], &block, self.softening);
        }
        let factor = forces.records[i][3];
        let solid = match near.solids.fraction[i] > 0.0 {
            true => near.solids.gradient[i] * (factor + sums.answer_of_solids(factor)),
            false => Vec3::zeros(),
        };
        let force = (sums.viscous() - sums.pressure()) * near.volume - solid;
        world.gravity + force * (1.0 / world.fluids[phase].rest_density)
    }

    /// What neighbours are to a particle of fluid `phase`.
    #[inline(always)]
    fn gather<I: Instructions, const MIXED: bool>(
        &self,
        instructions: I,
        phase: usize,
        neighbors: &[u32; LANES],
        slopes: &[Real; LANES],
    ) -> Block {
        let records = &self.forces.records;
        let [a, b, c, d, e, f, g, h] = *neighbors;
        let row = |j: u32| &records[j as usize];
        let rows = [row(a), row(b), row(c), row(d), row(e), row(f), row(g), row(h)];
        let records = instructions.transpose(rows);
        let viscosities = &self.forces.viscosities[phase * self.world.fluids.len()..];
        let mut block = Block {
            records,
            slopes: *slopes,
            physical: [viscosities[0].physical; LANES],
            artificial: [viscosities[0].artificial; LANES],
        };
        if MIXED {
            for l in 0..LANES {
                let Viscosity { physical, artificial } = viscosities[records[7][l] as usize];
                (block.physical[l], block.artificial[l]) = (physical, artificial);
            }
        }
        block
    }
}

/// Eight neighbours, as lanes.
struct Block {
    records: [[Real; LANES]; 8],
    slopes: [Real; LANES],
    physical: [Real; LANES],
    artificial: [Real; LANES],
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
    fn add(&mut self, own: &Record, block: &Block, softening: Real) {
        let [x, y, z, k, u, v, w, _] = &block.records;
        for l in 0..LANES {
            let [dx, dy, dz] = [own[0] - x[l], own[1] - y[l], own[2] - z[l]];
            let [du, dv, dw] = [own[4] - u[l], own[5] - v[l], own[6] - w[l]];
            let slope = block.slopes[l];
            let approach = du * dx + dv * dy + dw * dz;
            let artificial = if approach < 0.0 { block.artificial[l] } else { 0.0 };
            let softened = dx * dx + dy * dy + dz * dz + softening;
            let viscous = (block.physical[l] + artificial) * approach / softened * slope;
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
