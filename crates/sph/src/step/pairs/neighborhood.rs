//! What the pressure solvers need to know of each particle's surroundings, found once a step:
//! neighbour lists, the kernel's slope for each pair, the solids' part, and the density.
//!
//! Density is kept as the fraction δ = ρ/ρ₀ of the rest density, so that fluids of different rest
//! density meet without a false jump (Solenthaler & Pajarola 2008, number density):
//!
//! - δᵢ = V Σⱼ W(|xᵢ − xⱼ|) + λᵢ, the sum with j = i; ρᵢ = ρ₀ᵢ δᵢ
//! - ∇ᵢWᵢⱼ = sᵢⱼ xᵢⱼ, sᵢⱼ = W′(r)/r, xᵢⱼ = xᵢ − xⱼ
//! - λᵢ, ∇λᵢ: the kernel's integral over the solids near i and its gradient
//!
//! Symbols: V volume of a particle, d³ but for the kernel's lattice sum \[m³\], W kernel \[1/m³\],
//! s \[1/m⁵\], δ, λ \[–\].

use crate::world::World;
use hashfall_core::Real;
use hashfall_core::kernel::{Shape, SmoothingKernel};
use hashfall_core::parallel::{self, CHUNK};
use hashfall_core::simd::{Isa, LANES, Simd, WithSimd, sum_lanes};
use hashfall_search::{ChunkLists, FindNeighbors, NeighborLists};
use rayon::prelude::*;

use crate::step::boundary::boundary_terms::BoundaryTerms;
use crate::step::pairs::inactive::is_inactive;
use crate::step::pairs::pair_data::PairData;

/// The surroundings of all particles at their present positions.
#[derive(Debug)]
pub struct Neighborhood {
    /// Neighbours of each particle, and for each pair its squared distance, then its slope sᵢⱼ.
    pub lists: NeighborLists,
    /// What the solids near each particle add.
    pub boundary: BoundaryTerms,
    /// V \[m³\].
    pub volume: Real,
    isa: Isa,
}

impl Neighborhood {
    /// The surroundings of no particle yet, in a world of this lattice and kernel.
    pub fn new(world: &World, isa: Isa) -> Self {
        Neighborhood {
            lists: NeighborLists::with_squares(),
            boundary: BoundaryTerms::new(world.solid_layers(), world),
            volume: world.kernel().rest_volume(world.spacing()),
            isa,
        }
    }

    /// Finds the neighbours of each particle, but for those who are `idle`, if that is not empty.
    pub fn find(
        &mut self,
        search: &mut dyn FindNeighbors,
        world: &World,
        pairs: &PairData,
        inactive: &[bool],
    ) {
        let h = world.support_radius;
        if world.is_periodic() {
            let positions = pairs.ghosts().positions();
            search.find_for(positions, h, inactive, &mut self.lists);
            self.lists.sort_as(positions);
        } else {
            search.find_for(&world.particles.position, h, inactive, &mut self.lists);
        }
    }

    /// Evaluates the kernel for all pairs, and with it the fluid fraction; not for those who are
    /// `idle`, if that is not empty.
    pub fn evaluate(&mut self, world: &mut World, inactive: &[bool]) {
        let fractions = &mut world.particles.fluid_fraction;
        let mut fractions = std::mem::take(fractions);
        match world.kernel().shape {
            Shape::CubicSpline(kernel) => self.evaluate_with(kernel, inactive, &mut fractions),
            Shape::WendlandC2(kernel) => self.evaluate_with(kernel, inactive, &mut fractions),
            Shape::Mueller(kernel) => self.evaluate_with(kernel, inactive, &mut fractions),
        }
        let particles = &mut world.particles;
        particles.fluid_fraction = fractions;
    }

    /// Densities as sums over neighbours and solids; those who are `idle` keep theirs.
    pub fn sum_densities(&self, world: &mut World, inactive: &[bool]) {
        let particles = &mut world.particles;
        let (fluids, fractions, phases) =
            (&world.fluids, &particles.fluid_fraction, &particles.phase);
        parallel::fill(&mut particles.density, |i, density| {
            let rest_density = fluids[phases[i] as usize].rest_density;
            if !is_inactive(inactive, i) {
                *density = rest_density * (fractions[i] + self.boundary.fraction[i]);
            }
        });
    }
}

impl Neighborhood {
    /// The slope of each pair, and the fluid's part of the density around each particle.
    fn evaluate_with<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        inactive: &[bool],
        fractions: &mut [Real],
    ) {
        let (isa, volume) = (self.isa, self.volume);
        let fractions = fractions.par_chunks_mut(CHUNK);
        self.lists.chunks_mut().par_iter_mut().zip(fractions).enumerate().for_each(
            |(chunk, (lists, fractions))| {
                let inactive = inactive.get(chunk * CHUNK..).unwrap_or_default();
                isa.run(EvaluateChunk { kernel, volume, lists, inactive, fractions });
            },
        );
    }
}

/// Evaluates the kernel for the pairs of a chunk of particles.
struct EvaluateChunk<'a, K> {
    kernel: K,
    volume: Real,
    lists: &'a mut ChunkLists,
    inactive: &'a [bool],
    fractions: &'a mut [Real],
}

impl<K: SmoothingKernel> WithSimd for EvaluateChunk<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run<I: Simd>(self, _: I) {
        for (k, fraction) in self.fractions.iter_mut().enumerate() {
            if self.inactive.get(k).is_some_and(|inactive| *inactive) {
                continue;
            }
            *fraction = self.volume * evaluate_pairs(&self.kernel, self.lists.values_mut(k));
        }
    }
}

/// Replaces the squared distances of one particle's pairs by their slopes; returns W(0) + Σⱼ W.
#[inline(always)]
fn evaluate_pairs<K: SmoothingKernel>(kernel: &K, values: &mut [Real]) -> Real {
    let mut sums = [0.0; LANES];
    let mut whole = values.chunks_exact_mut(LANES);
    for values in &mut whole {
        let mut lanes = [0.0; LANES];
        lanes.copy_from_slice(values);
        values.copy_from_slice(&evaluate_lanes(kernel, lanes, &mut sums));
    }
    // Idle lanes stand at the end of the support, where the kernel vanishes.
    let rest = whole.into_remainder();
    let mut lanes = [kernel.support_radius() * kernel.support_radius(); LANES];
    lanes.iter_mut().zip(rest.iter()).for_each(|(lane, value)| *lane = *value);
    let slopes = evaluate_lanes(kernel, lanes, &mut sums);
    rest.iter_mut().zip(slopes).for_each(|(value, slope)| *value = slope);
    kernel.value(0.0) + sum_lanes(sums)
}

/// Adds the kernel at sixteen squared distances to `sums`; returns the slopes.
#[inline(always)]
fn evaluate_lanes<K: SmoothingKernel>(
    kernel: &K,
    squares: [Real; LANES],
    sums: &mut [Real; LANES],
) -> [Real; LANES] {
    let mut slopes = [0.0; LANES];
    for l in 0..LANES {
        let r = squares[l].sqrt();
        sums[l] += kernel.value(r);
        slopes[l] = kernel.slope_over_r(r);
    }
    slopes
}
